import type { Delivered, Result, Status, Survival, Truth, Verdict } from "../../src/model/vocabulary.ts";
import { DELIVERED, STATUSES, type SURVIVAL } from "../../src/model/vocabulary.ts";
import { shortRef } from "../../src/model/ref.ts";

/** `2026-08-22T00:00:00Z` -> `2026-08-22 00:00 UTC`; a day stays a day. Never by the reader's clock or locale. */
export function instantText(at: string): string {
  const [, date = at, time, zone] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})[\d:.]*(Z|[+-]\d{2}:\d{2})$/.exec(at) ?? [];
  return time === undefined ? date : `${date} ${time} ${zone === "Z" ? "UTC" : zone}`;
}

/** Where a fact was read. A thread is named as everywhere else: its address would be longer than the fact. */
export const sourceText = (source: string): string =>
  source.replaceAll(/https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull|discussions)\/(\d+)/g, (_, repo: string, number: string) =>
    shortRef(`${repo}#${number}`),
  );

export const statusWords = (status: Status): string => STATUSES[status].words;

/** Whether a build has a change. */
export const VERDICT_WORDS: Record<Verdict, string> = {
  contained: "Has it",
  "not-contained": "Lacks it",
  partial: "Has part of it",
  unknown: "Cannot be told",
};

export const TRUTH_WORDS: Record<Truth, string> = { yes: "Yes", no: "Not yet", unknown: "Cannot be told" };

/** 0 -> `today`, 1 -> `1 day`, 75 -> `2 months`: how long a row has been as it is. */
export function ageText(days: number | undefined): string {
  if (days === undefined) return "not known";
  if (days === 0) return "today";
  if (days < 60) return `${days} ${days === 1 ? "day" : "days"}`;
  if (days < 730) return `${Math.floor(days / 30.44)} months`;
  return `${Math.floor(days / 365.25)} years`;
}

/** Tone of a judgement about a patch. */
export const SURVIVAL_TONE: Record<(typeof SURVIVAL)[Survival]["level"], string> = {
  broken: "v-not-contained",
  risky: "v-partial",
  unknown: "v-unknown",
  fine: "v-contained",
};
export const deliveryTone = (verdict: Delivered): string =>
  DELIVERED[verdict].fails ? "v-not-contained" : verdict === "delivered" ? "v-contained" : "v-unknown";

export const RESULT_WORDS: Record<Result, string> = {
  pass: "Passed",
  fail: "Failed",
  "boot-fail": "Did not start",
  refused: "Refused",
  indeterminate: "Not decided in time",
  untested: "Not run",
};

export const YES_NO: Record<"yes" | "no" | "partly" | "unknown" | "untested" | "borderline" | "other-cliff", string> = {
  yes: "Yes",
  no: "No",
  partly: "In part",
  unknown: "Not known",
  untested: "Untested",
  borderline: "Sometimes",
  "other-cliff": "Another cliff does",
};
