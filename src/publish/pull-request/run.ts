import type { Octokit } from "@octokit/rest";
import type { Tree, overlayReader } from "./trees.ts";
import { difference, isEmpty } from "./trees.ts";
import type { Context, Outcome, Place, Plan, Proposal } from "./types.ts";

export type Pull = Awaited<ReturnType<Octokit["rest"]["pulls"]["list"]>>["data"][number];

/** What both ways of a run need: the context, the base, and how files of a tree are read. */
export interface Run extends Context {
  proposal: Proposal;
  repository: string;
  base: string;
  baseHead: string;
  overlay: ReturnType<typeof overlayReader>;
}

/** With the plan carried out, the branch would hold nothing that the base lacks. */
export function holdsAll(base: Tree, head: Tree, plan: Plan, proposal: Place): boolean {
  if (!isEmpty(difference(base, plan.files, proposal.owns))) return false;
  return [...new Set([...base.files.keys(), ...head.files.keys()])].every(
    (path) => proposal.owns(path) || base.files.get(path) === head.files.get(path),
  );
}

export const lost = (url?: string): Outcome => ({
  action: "lost",
  because: "The branch moved meanwhile; the next run adds on top.",
  ...(url === undefined ? {} : { url }),
});

export const conflictText = ({ base, proposal }: Run, files: readonly string[]): string =>
  `${base} and ${proposal.branch} conflict in ${files.map((path) => `\`${path}\``).join(", ")}. Merge ${base} into the branch by hand, or close the pull request; the next run starts afresh.`;

export function isDue({ everyDays, now }: Place, last: string | undefined): boolean {
  return last === undefined || Date.parse(now) - Date.parse(last) >= everyDays * 86_400_000;
}

export const waits = ({ everyDays }: Place) => `Nothing urgent; it waits for the batch of every ${everyDays} days.`;
