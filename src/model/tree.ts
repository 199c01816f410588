import type { InventoryFile } from "./shapes/observed.ts";
import type { Level } from "./vocabulary.ts";

/** What a scan of a tree can find, in the order it is told. The one place these rules are named. */
export const TREE_RULES = {
  "nothing-found": { level: "error", means: "no pin, image, mount or reference was found, so nothing was checked" },
  "too-large": { level: "error", means: "a file that could pin something is larger than the limit and was not read" },
  unreadable: { level: "error", means: "a file could not be read" },
  syntax: { level: "error", means: "a file that pins something cannot be parsed" },
  "untracked-pin": { level: "error", means: "something pinned in the tree has no row in data/pins/" },
  "retired-in-use": { level: "error", means: "a pin is marked retired, and something live still uses it" },
  "patch-without-row": { level: "error", means: "a patch is mounted or run, and no row in data/patches/ names it" },
  "duplicate-target": { level: "error", means: "one service mounts two files on the same path" },
  "unescaped-dollar": { level: "error", means: "compose replaces a shell variable before the script runs" },
  "closed-reference": { level: "error", means: "a comment or document cites a reference that is closed upstream" },
  "landed-reference": { level: "error", means: "a comment or document cites a change that every pin contains" },
  "untracked-reference": { level: "warning", means: "a reference is cited, and no row has it" },
  "unused-pin": { level: "warning", means: "a pin has a row, and nothing in the tree uses it" },
  "missing-source": { level: "warning", means: "a service mounts a patch that the tree does not have" },
  "missing-file": { level: "warning", means: "a row cites a file that the tree does not have" },
  "cites-missing-file": { level: "warning", means: "a document or comment cites a file that the tree does not have" },
  "unused-patch-folder": { level: "warning", means: "a folder of patches is delivered nowhere" },
  "shared-target": { level: "warning", means: "two patches change one upstream file in the same service" },
  undelivered: { level: "error", means: "a load-bearing patch is mounted, run or enabled nowhere" },
  "floating-tag": { level: "warning", means: "an image tag moves under its users" },
  "local-tag": { level: "warning", means: "an image exists on one machine only" },
  "unresolved-image": { level: "warning", means: "which image is meant cannot be told" },
  "count-differs": { level: "warning", means: "a typed number of users is not the real one" },
  "profile-differs": { level: "warning", means: "a compose file falls back to another image than its engine profile pins" },
  "unknown-profile": { level: "warning", means: "a compose file names an engine profile that does not exist" },
  "pin-differs": { level: "warning", means: "a document states another value for a pin than its row" },
  "needless-exception": { level: "warning", means: "an exception of the scan settings is expired or not needed" },
  encoding: { level: "warning", means: "a file is not valid UTF-8" },
  "not-scanned": { level: "warning", means: "a file is known by name only, because its text is not in this tree" },
  "unclear-reference": { level: "notice", means: "a bare #n whose repository cannot be told" },
  "uncited-row": { level: "notice", means: "no comment or document cites the row's references" },
} as const satisfies Record<string, { level: Level; means: string }>;
export type TreeRule = keyof typeof TREE_RULES;

/** Did the scan see all that could pin something? After one of these the inventory is not whole and must not replace another. */
export const leavesHole = ({ rule }: TreeFinding): boolean =>
  rule === "nothing-found" || rule === "too-large" || rule === "unreadable" || rule === "syntax";

/** One finding of a scan: what is wrong at a line of the tree, or of `data/`. */
export interface TreeFinding {
  rule: TreeRule;
  level: Level;
  file: string;
  line: number;
  message: string;
}

/** A finding at its rule's own level, unless another is given. */
export const finding = (rule: TreeRule, at: { file: string; line: number }, message: string, level?: Level): TreeFinding => ({
  rule,
  level: level ?? TREE_RULES[rule].level,
  file: at.file,
  line: at.line,
  message,
});

/** ` (and 2 more users)`; nothing when there are none. */
export const andMore = (count: number, one = "", where = ""): string =>
  count > 0 ? ` (and ${where}${count} more${one === "" ? "" : ` ${one}${count === 1 ? "" : "s"}`})` : "";

const ORDER: Level[] = ["error", "warning", "notice"];
export const byLevelAndPlace = (a: TreeFinding, b: TreeFinding): number =>
  ORDER.indexOf(a.level) - ORDER.indexOf(b.level) ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));

/** What a scan knows about a tree. */
export interface TreeScan {
  inventory: InventoryFile;
  /** Every path of the tree, those included that an exported tree only lists. */
  paths: ReadonlySet<string>;
  findings: TreeFinding[];
}
