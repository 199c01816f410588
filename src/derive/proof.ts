import { shortRef, urlOf } from "../model/ref.ts";
import type { Truth, Verdict } from "../model/vocabulary.ts";

/** One fact that a derived answer rests on, with where it was read. */
export interface Evidence {
  source: string;
  url?: string | undefined;
  fact: string;
  /** When the fact was seen to hold; null when that is not known. */
  asOf: string | null;
}

export type Method =
  | "same commit"
  | "ancestor"
  | "tag"
  | "cherry-pick"
  | "rebase"
  | "version range"
  | "reverted"
  | "named by hand"
  | "none";

/** How a containment verdict was reached. */
export interface Proof {
  verdict: Verdict;
  method: Method;
  evidence: Evidence[];
}

/** Why a condition can never become yes, and what to name instead. */
export interface Never {
  because: string;
  instead?: string;
}

/** A three-valued answer with what it rests on. */
export interface Answer {
  truth: Truth;
  evidence: Evidence[];
  never?: Never;
}

export const day = (instant: string): string => instant.slice(0, 10);

/** Days between two instants or days, rounded down. */
export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** An answer that rests on one fact. */
export const answer = (truth: Truth, source: string, fact: string, more: Partial<Evidence> = {}): Answer => ({
  truth,
  evidence: [{ source, fact, asOf: null, ...more }],
});

/** The answer about a reference that was never observed. */
export const notObserved = (ref: string): Answer =>
  answer("unknown", "not observed", `${shortRef(ref)} was never observed`, { url: urlOf(ref) });

/** The day of an instant in a zone; a day stays as it is. */
export function dayInZone(instant: string, zone: string): string {
  if (instant.length === 10) return instant;
  if (zone === "UTC" && instant.endsWith("Z")) return instant.slice(0, 10);
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date(instant));
}

/** A sentence without its full stop, to be joined with others. */
export const clause = (sentence: string): string => sentence.trim().replace(/\.$/, "");
