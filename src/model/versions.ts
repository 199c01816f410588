import { compare as comparePep440, explain, valid as validPep440 } from "@renovatebot/pep440";
import compareSemver from "semver/functions/compare.js";
import semverPrerelease from "semver/functions/prerelease.js";
import validSemver from "semver/functions/valid.js";

/** How an upstream orders its versions; see `data/upstreams/`. */
export type VersionScheme = "semver" | "pep440" | "build-number" | "calver" | "none";

/** A version taken apart by its scheme. */
interface Version {
  /** The text with the version replaced by `*`: only versions of one variant can be ordered (field case B24). */
  variant: string;
  prerelease: boolean;
  /** Negative when this one is the older. Both must be of the same scheme. */
  compare: (other: Version) => number;
  key: string | number[];
}

/** `server-cuda-v1.2` splits after the last separator before the number; a bare `v` belongs to the version. */
const SPLIT = /^((?:.*?[-_/@])?)v?(\d.*)$/;
const BUILD = /^((?:.*?[-_/])?)(b|r|build-?|)(\d+)$/;
const CALVER = /^((?:.*?[-_/@])?)v?((?:20)?\d{2}[.-]\d{1,2}(?:[.-]\d+)*)(.*)$/;
const CALVER_PRE = /^[.-]?(?:a|b|rc|alpha|beta|dev|pre|nightly)/i;

const READERS: Record<Exclude<VersionScheme, "none">, (text: string) => Version | undefined> = {
  semver: (text) => {
    const [, prefix = "", rest = ""] = SPLIT.exec(text) ?? [];
    const key = validSemver(/^\d+\.\d+$/.test(rest) ? `${rest}.0` : rest);
    if (key === null) return undefined;
    return version(`${prefix}*`, (semverPrerelease(key) ?? []).length > 0, key, (a, b) => compareSemver(a as string, b as string));
  },
  pep440: (text) => {
    const [, prefix = "", rest = ""] = SPLIT.exec(text) ?? [];
    const parts = explain(rest);
    if (!parts || validPep440(rest) === null) return undefined;
    return version(`${prefix}*`, parts.is_prerelease || parts.is_devrelease, rest, (a, b) => comparePep440(a as string, b as string));
  },
  "build-number": (text) => {
    const [, prefix = "", letter = "", number] = BUILD.exec(text) ?? [];
    return number === undefined ? undefined : version(`${prefix}${letter}*`, false, [Number(number)], byNumbers);
  },
  calver: (text) => {
    const [, prefix = "", date, tail = ""] = CALVER.exec(text) ?? [];
    if (date === undefined || (tail !== "" && !CALVER_PRE.test(tail))) return undefined;
    const numbers = date.split(/[.-]/).map(Number);
    if ((numbers[1] ?? 0) > 12) return undefined;
    // A pre-release sorts before its release: a last component below every real one, then its own number.
    const key = tail === "" ? [...numbers, 0] : [...numbers, -1, Number(/\d+$/.exec(tail)?.[0] ?? 0)];
    return version(`${prefix}*`, tail !== "", key, byNumbers);
  },
};

function version(
  variant: string,
  prerelease: boolean,
  key: string | number[],
  order: (a: Version["key"], b: Version["key"]) => number,
): Version {
  return { variant, prerelease, key, compare: (other) => order(key, other.key) };
}

function byNumbers(a: Version["key"], b: Version["key"]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = Number(a[at] ?? 0) - Number(b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function read(scheme: VersionScheme, text: string): Version | undefined {
  return scheme === "none" ? undefined : READERS[scheme](text);
}

/**
 * Orders two versions or tags by the upstream's scheme: negative when `a` is older, undefined when they cannot be compared
 * (another variant, such as `server-cuda-b9` and `server-vulkan-b9`, or no version of that scheme).
 */
export function compareVersions(scheme: VersionScheme, a: string, b: string): number | undefined {
  const left = read(scheme, a);
  const right = read(scheme, b);
  return left && right && left.variant === right.variant ? left.compare(right) : undefined;
}

/** The tags of one variant (default: plain versions such as `v1.2` or `b123`), oldest first; all others are left out. */
export function inOrder(scheme: VersionScheme, tags: readonly string[], variant?: string): string[] {
  return tags
    .flatMap((tag) => {
      const found = read(scheme, tag);
      return found && (variant === undefined ? isPlain(found) : found.variant === variant) ? [{ tag, found }] : [];
    })
    .sort((a, b) => a.found.compare(b.found) || (a.tag < b.tag ? -1 : 1))
    .map(({ tag }) => tag);
}

const isPlain = (found: Version): boolean => /^(?:b|r|build-?)?\*$/.test(found.variant);

export function isPrerelease(scheme: VersionScheme, text: string): boolean {
  return read(scheme, text)?.prerelease ?? false;
}

/** The newest version that is neither withdrawn nor a pre-release (field case B28: a yanked version may look newest). */
export function latestVersion(scheme: VersionScheme, versions: Record<string, { yanked?: boolean | undefined }>): string | undefined {
  const usable = Object.keys(versions).filter((text) => versions[text]?.yanked !== true && !isPrerelease(scheme, text));
  return inOrder(scheme, usable).at(-1);
}

/**
 * A sentence when an upstream's tags do not follow the scheme its row names, or undefined.
 * Judged by the majority: every project has a few odd tags.
 */
export function schemeProblem(scheme: VersionScheme, tags: readonly string[]): string | undefined {
  const odd = scheme === "none" ? [] : tags.filter((tag) => read(scheme, tag) === undefined);
  if (tags.length === 0 || odd.length * 2 <= tags.length) return undefined;
  const fits = (other: VersionScheme) => tags.filter((tag) => read(other, tag) !== undefined).length;
  const better = (Object.keys(READERS) as VersionScheme[])
    .filter((other) => fits(other) * 2 > tags.length)
    .sort((a, b) => fits(b) - fits(a))[0];
  return `${odd.length} of ${tags.length} tags, such as "${odd[0]}", are no ${scheme} versions${better ? `; they look like ${better}` : ""}. Correct versions: in the upstream's file.`;
}

/** What a tag of an image or a version string says about the source it was built from. */
export type Named =
  /** A hash of 7 to 40 digits; to be resolved in the repository before it is compared or stored. */
  | { kind: "commit"; sha: string; variant: string }
  /** llama.cpp's bNNNN: the git tag of that name. */
  | { kind: "build"; tag: string; variant: string };

/**
 * The commit in a tag such as `nightly-rocm100-<40 hex>` or `nightly-20260708-b93cbcb`, in a version such as
 * `0.20.2rc1.dev9+g01d4d1ad3`, or the build in `server-cuda-b9246`. `variant` is the tag with that part replaced by `*`.
 * Dates, build numbers and words that only look like a hash are not taken for one (field cases B23, B24, B26).
 */
export function namedIn(tag: string): Named | undefined {
  const full = /(?<![0-9a-z])([0-9a-f]{40})(?![0-9a-z])/.exec(tag);
  if (full?.[1]) return { kind: "commit", sha: full[1], variant: tag.replace(full[1], "*") };
  const described = /[+.-]g([0-9a-f]{7,40})(?=$|\.)/.exec(tag);
  if (described?.[1]) return { kind: "commit", sha: described[1], variant: tag.replace(`g${described[1]}`, "*") };
  const build = /^(.*-)?(b\d+)$/.exec(tag);
  if (build?.[2]) return { kind: "build", tag: build[2], variant: `${build[1] ?? ""}b*` };
  const short = /^(.*[-_.])?([0-9a-f]{7,39})$/.exec(tag)?.[2];
  if (short === undefined || /^\d+$/.test(short) || /^[a-f]+$/.test(short)) return undefined;
  return { kind: "commit", sha: short, variant: `${tag.slice(0, -short.length)}*` };
}
