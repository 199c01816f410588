import type { Octokit } from "@octokit/rest";
import type { PlannedFile } from "../files.ts";

/** What the rolling pull request should hold, given what people changed on its branch. */
export interface Plan {
  /** Every generated and observed file, whole. */
  files: PlannedFile[];
  title: string;
  body: string;
  /** Subject and text of the commit; cites no thread. */
  message: string;
}

export interface Proposal {
  owner: string;
  repo: string;
  /** Default: the repository's default branch. */
  base?: string | undefined;
  branch: string;
  /**
   * Renders the stack as it is on the branch.
   * @param authored files people changed on the branch against the base: text, or undefined where they deleted one
   */
  plan: (authored: ReadonlyMap<string, string | undefined>) => Plan;
  /** Paths that are generated: in the tree and not in the plan means deleted. */
  owns: (path: string) => boolean;
  /** Told at once, and reopens what was snoozed. */
  urgent: boolean;
  /** Days between updates that are not urgent. */
  everyDays: number;
  /** A closed pull request with this label stays closed until something urgent happens. */
  snoozeLabel: string;
  /** ISO instant. */
  now: string;
}

export interface Outcome {
  action: "none" | "created" | "updated" | "conflict" | "lost" | "cleaned";
  because: string;
  url?: string;
}

/** Stops the publication for a reason somebody has to mend; the message says what and how. */
export class Refused extends Error {}

export interface Context {
  octokit: Octokit;
  at: { owner: string; repo: string };
  proposal: Proposal;
}
