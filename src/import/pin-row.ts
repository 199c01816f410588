import type { Role } from "./columns.ts";
import { slug } from "./ids.ts";
import { NOT_WRITTEN, isDash, noteCell } from "./row.ts";
import type { Around, BuiltRow, Cell } from "./row.ts";
import { isDay } from "./status.ts";

export interface ReadArtifact {
  artifact: string;
  mutability: "immutable" | "floating" | "local";
  /** The writer left the end of the tag out (`nightly-01d4d1ad...`). */
  abbreviated: boolean;
  commit?: string;
}

const IMAGE =
  /(?:^|[\s`(→])((?:[a-z0-9.-]+(?::\d+)?\/)?[a-z0-9._-]+(?:\/[a-z0-9._-]+)*:[\w][\w.-]*(?:@sha256:[0-9a-f]{64})?|[a-z0-9.-]+\/[a-z0-9._/-]+@sha256:[0-9a-f]{64})/g;
const COMMIT = /([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+)@([0-9a-f]{7,40}|v?\d[\w.+-]*)/;
const PACKAGE = /(?:^|[\s`])([A-Za-z][\w.-]*)==([\w.+-]+)/;

/**
 * What a cell says is pinned: an image with its tag or digest, `owner/repo@commit`, `name==version`.
 * Undefined when it names none; a row of pins without an artifact is no pin.
 */
export function readArtifact(text: string): ReadArtifact | undefined {
  const image = [...text.matchAll(IMAGE)]
    .map(([, found = ""]) => found)
    .find((found) => !/\.(?:ya?ml|sh|md|py|json):/.test(found) && !/^\d+:/.test(found));
  if (image !== undefined) {
    const name = image.replace(/\.{2,}$/, "");
    const tag = /:([\w][\w.-]*)(?:@|$)/.exec(name.slice(name.lastIndexOf("/") + 1))?.[1] ?? "";
    const fixed =
      name.includes("@sha256:") || /(?:^|[-_.])[0-9a-f]{7,40}$/.test(tag) || /^v?\d+\.\d+\.\d+/.test(tag) || /(?:^|-)b\d{3,}$/.test(tag);
    const commit = /(?:^|[-_.])([0-9a-f]{7,40})$/.exec(tag)?.[1];
    return {
      artifact: `oci:${withHost(name)}`,
      mutability: tag === "local" ? "local" : fixed ? "immutable" : "floating",
      abbreviated: name !== image || text.includes(`${name}…`),
      ...(commit && /[a-f]/.test(commit) ? { commit } : {}),
    };
  }
  const commit = COMMIT.exec(text);
  if (commit)
    return {
      artifact: `git:${commit[1]}@${commit[2]}`,
      mutability: "immutable",
      abbreviated: false,
      ...(/^[0-9a-f]{7,40}$/.test(commit[2] ?? "") ? { commit: commit[2] as string } : {}),
    };
  const pack = PACKAGE.exec(text);
  return pack ? { artifact: `pypi:${pack[1]}@${pack[2]}`, mutability: "immutable", abbreviated: false } : undefined;
}

/**
 * Documents write the first digits of a build's commit; the tree runs the whole tag. When exactly one image of the tree begins
 * with what is written, that is the build that is meant.
 */
function completed(found: ReadArtifact, images: readonly string[]): ReadArtifact & { completed: boolean } {
  const written = found.artifact.replace(/^oci:/, "");
  const short = found.commit !== undefined && found.commit.length < 40 && found.artifact.startsWith("oci:");
  const longer = short ? images.filter((image) => image.startsWith(written) && /^[0-9a-f]+$/.test(image.slice(written.length))) : [];
  const [image] = longer;
  if (image === undefined || longer.length > 1) return { ...found, completed: false };
  const commit = `${found.commit}${image.slice(written.length)}`;
  return { ...found, artifact: `oci:${image}`, commit, abbreviated: false, completed: true };
}

/** Images without a registry's host come from Docker Hub. */
function withHost(name: string): string {
  const [first = ""] = name.split("/");
  if (name.includes("/") && (first.includes(".") || first.includes(":") || first === "localhost")) return name;
  return name.includes("/") ? `docker.io/${name}` : `docker.io/library/${name}`;
}

/** Repository or image name that an artifact comes from, for finding its upstream. */
export function originOf(artifact: string): string {
  return artifact
    .replace(/^\w+:/, "")
    .replace(/^docker\.io\/(?:library\/)?/, "")
    .replace(/@.*$/, "")
    .replace(/:[^/]*$/, "");
}

/** The upstream an artifact belongs to: by repository, by the last part of its name, by its namespace. */
export function upstreamOf(
  artifact: string,
  upstreams: readonly { id: string; repo?: string | undefined; aliases: readonly string[] }[],
): string | undefined {
  const origin = originOf(artifact);
  const parts = origin.split("/").slice(origin.startsWith("ghcr.io/") ? 1 : 0);
  const whole = parts.join("/");
  const score = ({ repo, aliases }: (typeof upstreams)[number]) => {
    const names = [repo?.split("/")[1], ...aliases].filter((name) => name !== undefined).map((name) => name.toLowerCase());
    if (repo?.toLowerCase() === whole.toLowerCase()) return 3;
    if (names.includes((parts.at(-1) ?? "").toLowerCase())) return 2;
    return parts.some((part) => names.includes(part.toLowerCase())) ? 1 : 0;
  };
  const best = [...upstreams].map((one) => ({ id: one.id, points: score(one) })).sort((a, b) => b.points - a.points)[0];
  return best && best.points > 0 ? best.id : undefined;
}

/** A row of pinned builds. Undefined when its first cell names no artifact. */
export function pinRow(
  cells: readonly Cell[],
  roles: readonly (Role | undefined)[],
  retired: boolean,
  around: Around,
): BuiltRow | undefined {
  const at = (role: Role): Cell | undefined => cells[roles.indexOf(role)];
  const pin = at("artifact");
  const written = readArtifact(pin?.prose.text ?? "");
  if (!pin || !written) return undefined;
  const found = completed(written, around.images);
  const users = at("users");
  const retire = at("retire");
  const reason = at("reason");
  const count = /^\W*(\d+)\b/.exec(users?.prose.text ?? "")?.[1];
  const never = /^\W*(?:not? |do not|never|—|-$)/i.test(retire?.prose.text ?? "");
  const files = [...pin.prose.text.matchAll(/[\w.@/-]+\.(?:ya?ml|sh|env|toml|json)\b/g)].map(([file]) => ({ file }));
  const day = /\d{4}-\d{2}-\d{2}/.exec(`${reason?.prose.text ?? ""} ${users?.prose.text ?? ""}`)?.[0];
  const row: BuiltRow = {
    kind: "pin",
    wanted: slug(
      `${originOf(written.artifact).split("/").at(-1)} ${/[:@]([^:@]*)$/.exec(written.artifact)?.[1] ?? ""}`.replaceAll(/[._]/g, "-"),
      "pin",
    ),
    line: pin.line,
    value: {
      title: pin.prose.text.replaceAll("\n", " "),
      upstream: around.upstream,
      artifact: found.artifact,
      ...(found.commit ? { source: { commit: found.commit } } : {}),
      mutability: found.mutability,
      ...(files.length > 0 ? { written: files } : {}),
      reason: reason && !isDash(reason.prose.text) ? reason.prose.text : NOT_WRITTEN,
      ...(retire && !never && !isDash(retire.prose.text) ? { retire: { when: { manual: { what: retire.prose.text } } } } : {}),
      ...(retired
        ? { retired: { on: day && isDay(day) && day <= around.asOf ? day : around.asOf, because: reason?.prose.text || NOT_WRITTEN } }
        : {}),
      ...(users && !isDash(users.prose.text)
        ? { claim: { on: around.asOf, ...(count ? { users: Number(count) } : {}), note: users.prose.text } }
        : {}),
    },
    cells: [],
    remarks: [
      ...(found.completed ? [`the document abbreviates ${written.artifact.slice(4)}; the tree runs ${found.artifact.slice(4)}`] : []),
      ...(found.abbreviated
        ? [`the tag of ${found.artifact.slice(4)} is abbreviated; write it in full so that the build can be found`]
        : []),
      ...(retired && !day ? ["the document gives no day for the retirement; the day of the document stands for it"] : []),
    ],
  };
  cells.forEach((cell, index) => {
    const role = roles[index];
    const path = role && PATHS[role];
    if (isDash(cell.prose.text)) row.cells.push({ cell, paths: [] });
    else if (role === "reason" && retired) row.cells.push({ cell, paths: [["retired", "because"]] });
    else if (path && !(role === "retire" && never)) row.cells.push({ cell, paths: [path] });
    else noteCell(row, cell, role === "retire" || !cell.head ? cell.prose.text : `${cell.head}: ${cell.prose.text}`);
  });
  return row;
}

const PATHS: Partial<Record<Role, string[]>> = {
  artifact: ["title"],
  users: ["claim", "note"],
  reason: ["reason"],
  retire: ["retire", "when", "manual", "what"],
};
