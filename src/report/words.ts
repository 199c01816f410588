import type { Derived } from "../derive/derive.ts";
import { day } from "../derive/proof.ts";
import type { Decision } from "../derive/status.ts";
import type { Status } from "../model/vocabulary.ts";
import { NEVER_OBSERVED, STATUSES } from "../model/vocabulary.ts";

/** `🟢 Landed`: symbol and words always together. */
export const symbolWords = (status: Status): string => `${STATUSES[status].symbol} ${STATUSES[status].words}`;

/** `seen 2026-08-17`, the oldest day among the facts that decide; says so when a day is not known. Empty when no fact decides. */
export function seenText(derived: Derived, decision: Decision): string {
  const threads = decision.deciding.flatMap(({ ref, end }) => {
    const thread = derived.world.facts.thread(end) ?? derived.world.facts.thread(ref.ref);
    return thread ? [thread.asOf] : [];
  });
  const landed = decision.landings.map(({ evidence }) => evidence.asOf);
  const seen = threads.length > 0 ? threads : landed;
  if (seen.length === 0) return "";
  const days = seen
    .filter((at) => at !== null)
    .map(day)
    .sort();
  if (days.length < seen.length) return "seen on an unknown day";
  return `seen ${days[0]}`;
}

/** `As of 2026-08-17`; where nothing was observed yet it says so, and what to do. */
export const asOfText = (asOf: string): string => (asOf === NEVER_OBSERVED ? "Nothing was observed yet: npm run sync" : `As of ${asOf}`);

/** `1 pin`, `2 pins` */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** 180000 -> `180K`; other numbers as they are, with thousands separated. */
export function tokens(count: number): string {
  return count >= 1000 && count % 1000 === 0 ? `${count / 1000}K` : thousands(count);
}

/** 23156 -> `23,156`; never by locale, so that pages are reproducible. */
export function thousands(count: number): string {
  const [whole = "", part] = String(count).split(".");
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : `.${part}`);
}

/** Text as it stands inside HTML. */
export const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
