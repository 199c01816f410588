import { ATTENTION } from "../../src/derive/attention.ts";
import type { Derived } from "../../src/derive/derive.ts";
import { day as dayOf } from "../../src/derive/proof.ts";
import { shortRef } from "../../src/model/ref.ts";
import type { Status } from "../../src/model/vocabulary.ts";
import type { Paint } from "../../src/report/paint.ts";
import { freshAttention } from "../../src/report/pull-request/body.ts";
import { symbolWords } from "../../src/report/words.ts";
import type { PlayedDay } from "./play.ts";

/** One day for the reader: its date, what happened, every status that changed with its proof, and what now needs a person. */
export function dayText({ at, says, news }: PlayedDay, paint: Paint): string {
  const { after, transitions, failed } = news;
  const lines = [`${paint.bold(dayOf(at))}  ${says}`];
  if (transitions.length === 0) lines.push(`  ${paint.dim("No status changes.")}`);
  for (const { item, from, to, because } of transitions) {
    lines.push(`  ${item}  ${from === null ? "new" : symbolWords(from as Status)} → ${symbolWords(to as Status)}`);
    for (const reason of [because, ...proofsOf(after, item)]) lines.push(`      ${paint.dim(reason)}`);
  }
  for (const { kind, about, text } of freshAttention(news)) lines.push(`  ${paint.yellow(`${ATTENTION[kind]}: ${about.id}.`)} ${text}`);
  for (const { ref, why } of failed) lines.push(`  ${paint.red(`Could not be observed: ${ref}.`)} ${why}`);
  return lines.join("\n");
}

/** What was followed to another thread, in the words that say so, and what each pin has. */
function proofsOf({ items, world }: Derived, item: string): string[] {
  const steps = items[item]?.deciding.flatMap((deciding) => deciding.steps) ?? [];
  const followed = steps.map(({ from, to, because }) => {
    const said = world.facts.thread(from)?.supersededBy?.evidence ?? because;
    return `${shortRef(from)} leads to ${shortRef(to)}: ${said}.`;
  });
  return [...followed, ...(items[item]?.pins.flatMap(({ proof }) => proof.evidence.map(({ fact }) => `${fact}.`)) ?? [])];
}
