import { namedIn } from "../../model/versions.ts";
import type { ImageSource } from "./types.ts";

const REVISION = "org.opencontainers.image.revision";
const SOURCE = "org.opencontainers.image.source";

/**
 * The source commit of an image: from its revision label, cross-checked with a hash in its tag.
 * A label counts only if it is a hash and `image.source` names the expected repository, because labels are inherited from base
 * images (field case B19); a hash in the tag that agrees with it is as good. Two that disagree prove nothing.
 *
 * @param expected `owner/name` of the upstream and its former names; empty: nothing is expected, so no label is believed alone
 */
export function sourceOf(labels: Readonly<Record<string, string>>, tag: string | undefined, expected: readonly string[]): ImageSource {
  const label = labels[REVISION]?.trim().toLowerCase();
  const named = tag === undefined ? undefined : namedIn(tag);
  const inTag = named?.kind === "commit" ? named.sha : undefined;
  const fromTag: ImageSource = inTag === undefined ? {} : { sha: inTag, from: "tag" };
  if (label === undefined || label === "") return inTag === undefined ? { note: "no revision label, and no hash in the tag" } : fromTag;
  if (!/^[0-9a-f]{7,40}$/.test(label)) return { ...fromTag, note: `the revision label "${label.slice(0, 60)}" is no commit` };
  const agrees = inTag !== undefined && (label.startsWith(inTag) || inTag.startsWith(label));
  if (agrees) return { sha: label.length > inTag.length ? label : inTag, from: "revision label and tag" };
  const source = labels[SOURCE];
  const repository = repositoryOf(source);
  if (repository === undefined || !expected.some((name) => name.toLowerCase() === repository.toLowerCase())) {
    const why = source === undefined ? "there is no source label" : `the source label names ${source.slice(0, 80)}`;
    return {
      ...fromTag,
      note: `the revision label ${label.slice(0, 10)} is not believed: ${why}, not ${expected.join(" or ") || "a known repository"}`,
    };
  }
  if (inTag !== undefined) return { note: `the revision label says ${label.slice(0, 10)}, the tag says ${inTag.slice(0, 10)}` };
  return { sha: label, from: "revision label" };
}

/** `owner/name` of a source label, whatever it stands in: a URL, with `.git`, a branch or a folder behind it. */
function repositoryOf(source: string | undefined): string | undefined {
  const match = /^(?:(?:https?|ssh|git):\/\/)?(?:[\w.-]+@)?[\w.-]+(?::\d+)?[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/#?].*)?$/.exec(
    source?.trim() ?? "",
  );
  return match?.[1];
}
