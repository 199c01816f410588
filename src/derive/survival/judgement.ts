import type { Survival } from "../../model/vocabulary.ts";
import type { HunkOutcome } from "./apply.ts";
import type { Loss } from "./loss.ts";

/** What became of one anchor at one commit. */
export interface AnchorJudgement {
  id: string;
  required: boolean;
  verdict: Survival;
  because: string;
  /** How often it matches; null: not searched for. */
  matches: number | null;
  wanted: number;
  /** 1-based lines where it stands. */
  lines: number[];
  /** Since which change it is absent; null: it is not, or that is not known. */
  lostAt: Loss | null;
}

/** What became of one target of a patch at one commit. */
export interface TargetJudgement {
  /** As the patch names it. */
  path: string;
  verdict: Survival;
  because: string;
  anchors: AnchorJudgement[];
  /** Where the file went, when it is not there any more. */
  followedTo?: string;
  /** The change that took the file away, or changed it first since the base. */
  since?: Loss;
  hunks?: HunkOutcome[];
  /** For an overlay: what changed between its base and this commit. */
  changed?: { base: string; added: number | null; removed: number | null; changes: Loss[] };
}

/** What became of a patch at one commit of its upstream. */
export interface PatchJudgement {
  patch: string;
  /** Pins that stand for the commit. */
  pins: string[];
  repo: string;
  commit: string;
  verdict: Survival;
  because: string;
  targets: TargetJudgement[];
  /** Remarks that are about no single target: flags, and other patches. */
  remarks: Remark[];
  flags: FlagJudgement[];
  /** The remarks about other patches. */
  clashes: Remark[];
  /** Where parts of it come from that could not be looked at in this run: recorded facts. */
  recorded?: { source: string; asOf: string | null };
}

export interface Remark {
  verdict: Survival;
  because: string;
}

export interface FlagJudgement {
  flag: string;
  verdict: "known" | "flag-unknown" | "unknown";
  because: string;
  /** The flag that was probably meant. */
  near?: string;
}

/** `a1b2c3d4e5`, or `a1b2c3d4e5 (#123)`. */
export const changeName = ({ commit, pr }: Pick<Loss, "commit" | "pr">): string =>
  pr === null ? commit.slice(0, 10) : `#${pr} (${commit.slice(0, 10)})`;
