/**
 * The closed vocabularies of Landfall, as plain constants.
 * Nothing here imports zod or yaml, so derive, report and the site can use them for free.
 */

/** What a row's status can be. Symbol and words are always shown together. */
export const STATUSES = {
  landed: { symbol: "🟢", words: "Landed", means: "merged upstream, and every pin that needs it is proved to contain it" },
  "awaiting-propagation": {
    symbol: "🔵",
    words: "Merged, awaiting propagation",
    means: "merged upstream, but at least one pin that needs it lacks it or cannot be proved to have it",
  },
  "in-review": { symbol: "🟡", words: "Open, in review", means: "a fix is open upstream and moving, or its activity is not known" },
  stalled: {
    symbol: "🟠",
    words: "Open, stalled",
    means: "a fix is open upstream but draft, conflicting, refused in review, quiet, or its repository is archived",
  },
  "open-no-pr": { symbol: "🔴", words: "Open, no PR yet", means: "the problem is acknowledged or known here, and nobody has a fix open" },
  "local-workaround": { symbol: "⚫", words: "Local workaround", means: "carried by this stack; upstream does not pursue it or closed it" },
  resolved: { symbol: "✅", words: "Resolved", means: "nothing waits for it any more" },
  "closed-unfixed": { symbol: "❌", words: "Closed without fix", means: "closed upstream, with no landing found" },
  unknown: { symbol: "❔", words: "Unknown", means: "not observed, or the reference is another thing than the row says" },
} as const;
export type Status = keyof typeof STATUSES;

/** Remarks that stand beside a status and never replace it. */
export const FACETS = {
  superseded: "a deciding reference was replaced by another one, which is followed",
  moved: "the reference moved to another repository or number",
  "kind-mismatch": "the reference is another kind of thing, or about another thing, than the row says",
  "title-drift": "the upstream title changed since the row was written",
  reverted: "landed upstream and was reverted there",
  "does-not-help": "landed, but does not resolve the problem here",
  partly: "landed, but resolves the problem here only in part",
  "no-pin-waits": "landed, and no active pin of this stack needs it",
  "not-filed": "nothing is filed upstream",
  "activity-unknown": "open, and the last human activity is not known",
  "merged-elsewhere": "merged into a branch where landing does not count",
  "no-fix-evidence": "closed, and no commit, pull request or reason says that it was fixed",
  "stale-observation": "the last known fact is old or could not be verified",
  "image-gone": "a pinned image this row reaches is gone from its registry",
  floating: "a pin this row reaches floats, so nothing can be proved about it",
  "contradicts-claim": "the recorded claim and the observed fact disagree",
  overridden: "the status was set by hand, with a reason and an end",
} as const;
export type Facet = keyof typeof FACETS;

/** Rows of the decision table (design, section 4) that can decide a status, in order; the first that fits decides. 5a only adds a facet. */
export const RULES = ["0", "1", "2", "3", "4", "5b", "5c", "5d", "5e", "5f", "6", "7", "8"] as const;
export type Rule = (typeof RULES)[number];

/** What a reference is to its row. */
export const ROLES = {
  fix: "a change that resolves the row",
  bug: "the report of the problem",
  tracking: "an umbrella over several changes",
  context: "background; never decides the status",
} as const;
export type Role = keyof typeof ROLES;

/** How much depends on a row. */
export const STAKES = {
  blocks: "a configuration does not work without it",
  degrades: "works, but slower, smaller or with a caveat",
  watch: "worth knowing; nothing depends on it today",
} as const;
export type Stake = keyof typeof STAKES;

/** What this stack does about a row locally. */
export const LOCALS = {
  none: "nothing",
  vendored: "the changed files are carried in this repository",
  backported: "a patch layer applies the change at start-up",
  workaround: "a flag, a setting or another path avoids the problem",
  "do-not-vendor": "decided against carrying it",
  "negative-result": "tried here, and it does not help",
  retired: "was carried, and is carried no longer",
} as const;
export type Local = keyof typeof LOCALS;

export const VERDICTS = ["contained", "not-contained", "partial", "unknown"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const TRUTHS = ["yes", "no", "unknown"] as const;
/** Three-valued answer to a CONDITION. */
export type Truth = (typeof TRUTHS)[number];

export const MUTABILITIES = {
  immutable: "a digest, commit or versioned release that cannot change",
  floating: "a tag that moves under its users",
  local: "an artifact that exists only on one machine",
} as const;

export const DELIVERIES = {
  overlay: "whole files mounted over the installed ones",
  sidecar: "a script run before the server starts",
  "install-script": "applied when the stack is set up",
  template: "a chat or prompt template handed to the server",
  "env-flag": "switched on by an environment variable of a patch layer",
  pip: "a package installed at start-up",
} as const;

/**
 * What can be said of a patch, or of one of its targets, at one commit of the source. The worst first: a patch gets the worst
 * verdict of its parts, and "unknown" stands between what is broken for certain and what is fine.
 * "Applies" is necessary, not sufficient: a patch may apply cleanly and break the server (pain D11).
 */
export const SURVIVAL = {
  unusable: { words: "cannot be judged as written", level: "broken" },
  "target-gone": { words: "target file is gone", level: "broken" },
  conflict: { words: "conflict", level: "broken" },
  "anchor-lost": { words: "anchor lost", level: "broken" },
  "marker-false-positive": { words: "marker matches unpatched source", level: "broken" },
  "flag-unknown": { words: "environment flag unknown in the source", level: "broken" },
  "target-renamed": { words: "target file was renamed", level: "broken" },
  "target-locked": { words: "another patch mounts its target read-only", level: "broken" },
  "anchor-ambiguous": { words: "anchor matches too often", level: "risky" },
  "target-changed": { words: "target changed since the overlay's base", level: "risky" },
  "same-target": { words: "two patches on one target", level: "risky" },
  unknown: { words: "could not be checked", level: "unknown" },
  "base-differs": { words: "made for another commit; the target is the same", level: "fine" },
  "applies-with-offset": { words: "applies, with an offset", level: "fine" },
  "already-upstream": { words: "already upstream", level: "fine" },
  applies: { words: "applies", level: "fine" },
  "nothing-to-check": { words: "changes no source", level: "fine" },
} as const;
export type Survival = keyof typeof SURVIVAL;

/** What can be said of a patch's way into a variant that needs it. The worst first. */
export const DELIVERED = {
  "file-missing": { words: "its file is not in the tree", fails: true },
  "not-mounted": { words: "not mounted where it is used", fails: true },
  overwritten: { words: "something else takes its place", fails: true },
  "target-locked": { words: "its target is mounted read-only", fails: true },
  "not-invoked": { words: "never run", fails: true },
  "too-late": { words: "run after the server starts", fails: true },
  "flag-off": { words: "its flag is not set", fails: true },
  "flag-unknown": { words: "its flag is set and unknown", fails: true },
  "not-installed": { words: "not installed", fails: true },
  unknown: { words: "could not be told", fails: false },
  delivered: { words: "delivered", fails: false },
} as const;
export type Delivered = keyof typeof DELIVERED;

/** What a claim says about its reference, by state class. */
export const CLAIMS = {
  open: "believed open upstream",
  closed: "believed closed upstream",
  merged: "believed merged upstream",
  landed: "believed merged and contained in the pins",
  local: "only a local state was claimed",
} as const;
export type ClaimClass = keyof typeof CLAIMS;

export const RESULTS = {
  pass: "completed correctly",
  fail: "failed while running",
  "boot-fail": "did not start",
  refused: "the engine refused the configuration before starting",
  indeterminate: "did not complete within the time allowed, without an error",
  untested: "not run",
} as const;
export type Result = keyof typeof RESULTS;

export const REF_KINDS = {
  issue: "GitHub issue",
  "pull-request": "GitHub pull request",
  discussion: "GitHub discussion",
} as const;
export type RefKind = keyof typeof REF_KINDS;

/** Kinds of authored rows, by folder of `data/`. `tracker` is the single file `data/tracker.yaml`. */
export const KINDS = {
  tracker: "tracker.yaml",
  upstream: "upstreams",
  item: "items",
  pin: "pins",
  patch: "patches",
  variant: "variants",
  cliff: "cliffs",
  measurement: "measurements",
  trigger: "triggers",
  followUp: "follow-ups",
} as const;
export type Kind = keyof typeof KINDS;

/** Stands in a new row until somebody says why it matters; no row is done with it. */
export const WHY_TO_WRITE = "Write here why it matters to this stack.";

/** With nothing observed yet, everything is derived as of the beginning of time: nothing has passed, nothing is known. */
export const NEVER_OBSERVED = "1970-01-01";

export const LEVELS = ["error", "warning", "notice"] as const;
export type Level = (typeof LEVELS)[number];
