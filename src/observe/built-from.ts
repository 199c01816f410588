import { namedIn } from "../model/versions.ts";
import type { FindCommit } from "./find-commit.ts";
import type { ImageFact } from "./oci/types.ts";

/** The commit an image was built from, as far as that is proved, and a word for the row. */
export interface Built {
  revision?: string | undefined;
  revisionFrom?: string | undefined;
  note?: string | undefined;
}

/** Stands in a note when the history could not be read: the image is to be looked at again. */
const OPEN = "could not be looked up";
export const isOpen = (note: string | undefined): boolean => note?.includes(OPEN) === true;

/**
 * The hash an image names counts when its project's history has it (field case B19), short ones after they were completed there
 * (B23, B30). A build number or a version means the git tag of that name (B24).
 *
 * @param tag of the image, if it was looked up by one
 * @param repos names of the project it may be built from
 * @param before what was found out about the very same image earlier
 * @param findCommit without it a hash counts when it has all its digits
 */
export async function builtFrom(
  { source }: Pick<ImageFact, "source">,
  tag: string | undefined,
  repos: readonly string[],
  before: Built,
  findCommit: FindCommit | undefined,
): Promise<Built> {
  const { sha, from: revisionFrom, note } = source;
  const gitTag = sha === undefined && tag !== undefined ? tagFor(tag) : undefined;
  const wanted = sha ?? gitTag;
  if (wanted === undefined) return { note };
  if (findCommit === undefined || repos.length === 0) {
    return sha?.length === 40
      ? { revision: sha, revisionFrom, note }
      : { note: note ?? `it names ${wanted}, and no history is at hand in which that could be completed` };
  }
  const found = await findCommit(repos, wanted);
  if (found.state === "seen" && sha !== undefined) return { revision: found.value.sha, revisionFrom, note };
  if (found.state === "seen" && found.value.by === "tag") return { revision: found.value.sha, revisionFrom: `git tag ${gitTag}` };
  if (found.state === "failed") return { ...before, note: `the commit it names ${OPEN} in ${repos[0]}` };
  return { note: sha === undefined ? note : `its ${revisionFrom} names ${sha.slice(0, 12)}, which ${repos[0]} does not have` };
}

/** The git tag that an image's tag stands for: `b9246` of `server-cuda-b9246`, or the version itself. */
function tagFor(tag: string): string | undefined {
  const named = namedIn(tag);
  if (named?.kind === "build") return named.tag;
  return /^v?\d+\.\d+/.test(tag) ? tag : undefined;
}
