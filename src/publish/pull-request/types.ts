import type { Octokit } from "@octokit/rest";
import type { PlannedFile } from "../files.ts";

/** Files under `data/` that a tree on GitHub has otherwise than this machine, from the stack's folder; undefined where it has none. */
export type Overlay = ReadonlyMap<string, string | undefined>;

/** The stack as GitHub has it, as differences from this machine. */
export interface Stacks {
  /** The branch the pull request goes to. */
  base: Overlay;
  /** The rolling branch with the base merged in; the base itself where there is no branch. */
  head: Overlay;
  /** What was proposed last: the branch, or the head of the pull request that a person closed. */
  proposed: Overlay;
  /** With what this machine learnt. Without: the facts that were proposed already, when news has to wait for the batch. */
  news: boolean;
}

/** What the rolling pull request should hold. */
export interface Plan {
  /** Every observed and generated file, whole. */
  files: PlannedFile[];
  title: string;
  body: string;
  /** What is proposed, for the stamp. What could not be observed this time is in the body and not in it. */
  identity: string;
  /** Subject and text of the commit; cites no thread. */
  message: string;
  /** Names of what cannot wait for the batch. */
  urgent: readonly string[];
  /** Names of what reopens a pull request that was closed with the snooze label. */
  reopens: readonly string[];
}

/** Where the pull request lives, and how it behaves. */
export interface Place {
  owner: string;
  repo: string;
  /** Default: the repository's default branch. */
  base?: string | undefined;
  branch: string;
  /** Where the stack lies in the repository: "" or a folder that ends in a slash. */
  folder: string;
  /** Files under `data/` on this machine: path from the stack's folder -> git's hash of the content. */
  local: ReadonlyMap<string, string>;
  /** Paths that the bot alone writes: in the tree and not in the plan means deleted. */
  owns: (path: string) => boolean;
  /** Days between updates that are not urgent. */
  everyDays: number;
  /** A closed pull request with this label stays closed until something in `reopens` happens. */
  snoozeLabel: string;
  /** ISO instant. */
  now: string;
  /** Asked right before the first write; throws to stop there, on a shutdown for example. */
  beforeWriting?: () => void;
}

export interface Proposal extends Place {
  /** @throws {Refused} when the stack on the branch has errors */
  plan: (stacks: Stacks) => Plan;
}

export interface Outcome {
  action: "none" | "created" | "updated" | "conflict" | "lost" | "cleaned";
  because: string;
  url?: string;
}

/** Stops the publication for a reason somebody has to mend; the message says what and how. */
export class Refused extends Error {}

/** Stops the publication for a reason that passes by itself; the next run carries on. */
export class Postponed extends Refused {}

export interface Context {
  octokit: Octokit;
  at: { owner: string; repo: string };
  proposal: Place;
}
