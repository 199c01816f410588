/**
 * What can be said of a patch, or of one of its targets, at one commit of the source. The worst first: a patch gets the worst
 * verdict of its parts, and "unknown" stands between what is broken for certain and what is fine.
 * "Applies" is necessary, not sufficient: a patch may apply cleanly and break the server (pain D11).
 */
export const SURVIVAL = {
  unusable: { words: "cannot be judged as written", breaks: true },
  "target-gone": { words: "target file is gone", breaks: true },
  conflict: { words: "conflict", breaks: true },
  "anchor-lost": { words: "anchor lost", breaks: true },
  "marker-false-positive": { words: "its marker matches unpatched source", breaks: true },
  "flag-unknown": { words: "environment flag unknown in the source", breaks: true },
  "anchor-ambiguous": { words: "anchor matches more often than it should", breaks: true },
  "target-renamed": { words: "target file was renamed", breaks: true },
  "target-changed": { words: "target changed since the overlay's base", breaks: true },
  "same-target": { words: "two patches on one target", breaks: true },
  unknown: { words: "could not be checked", breaks: false },
  "base-differs": { words: "made for another commit; the target is the same", breaks: false },
  "applies-with-offset": { words: "applies, with an offset", breaks: false },
  "already-upstream": { words: "already upstream", breaks: false },
  applies: { words: "applies", breaks: false },
  "nothing-to-check": { words: "changes no source", breaks: false },
} as const;
export type Survival = keyof typeof SURVIVAL;

const ORDER = Object.keys(SURVIVAL) as Survival[];

/** The worst of some verdicts; "nothing-to-check" for none. */
export const worst = (verdicts: readonly Survival[]): Survival =>
  verdicts.reduce<Survival>((found, next) => (ORDER.indexOf(next) < ORDER.indexOf(found) ? next : found), "nothing-to-check");

/** The patch does not do what it is for on that source, as far as can be told. */
export const breaks = (verdict: Survival): boolean => SURVIVAL[verdict].breaks;
