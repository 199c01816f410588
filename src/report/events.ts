import type { Derived } from "../derive/derive.ts";
import { day } from "../derive/proof.ts";
import { parseRef, shortRef, threadOf, urlOf } from "../model/ref.ts";
import type { Thread, Transition } from "../model/shapes/observed.ts";
import type { Status } from "../model/vocabulary.ts";
import { STATUSES } from "../model/vocabulary.ts";

/** Something that happened: a row's status changed, or the thread of one of its references did. */
export interface Event {
  /** Stable across builds: what happened, to what, when. */
  id: string;
  /** An instant, or a day where only that is known. */
  at: string;
  kind: "status" | "opened" | "merged" | "closed" | "reopened";
  /** Rows it concerns, in id order. */
  items: string[];
  /** One sentence. May hold a title of upstream origin: text, never markup. */
  text: string;
  ref?: string | undefined;
  url?: string | undefined;
  from?: Status | undefined;
  to?: Status | undefined;
}

const isStatus = (word: string | null): word is Status => word !== null && word in STATUSES;

/**
 * Everything dated that is known, newest first; nothing after the moment the facts were observed.
 * Context references tell nothing about a row and are left out.
 */
export function eventsOf(derived: Derived, transitions: readonly Transition[]): Event[] {
  const { model } = derived.world;
  const byRef = new Map<string, Set<string>>();
  for (const [id, decision] of Object.entries(derived.items)) {
    const refs = (model.item[id]?.refs ?? []).filter(({ role }) => role !== "context").map(({ ref }) => threadOf(ref));
    for (const ref of [...refs, ...decision.deciding.map(({ end }) => threadOf(end))]) {
      byRef.set(ref, (byRef.get(ref) ?? new Set()).add(id));
    }
  }
  const events = [...byRef].flatMap(([ref, items]) => threadEvents(derived, ref, [...items].sort()));
  return [...transitions.filter(({ item }) => model.item[item]).map(transitionEvent), ...events]
    .filter(({ at }) => at <= derived.asOf || day(at) < day(derived.asOf))
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? -1 : 1));
}

function transitionEvent({ item, from, to, at, because }: Transition): Event {
  const name = (word: string) => (isStatus(word) ? STATUSES[word].words : word);
  const text = from === null ? `First seen as ${name(to)}. ${because}` : `${name(from)} became ${name(to)}. ${because}`;
  return {
    id: `status/${item}/${at}`,
    at,
    kind: "status",
    items: [item],
    text,
    from: isStatus(from) ? from : undefined,
    to: isStatus(to) ? to : undefined,
  };
}

function threadEvents(derived: Derived, ref: string, items: string[]): Event[] {
  const parsed = parseRef(ref);
  const thread = derived.world.facts.thread(ref);
  if (parsed?.type !== "thread" || !thread) return [];
  const event = (kind: Event["kind"], at: string | undefined, what: string): Event[] =>
    at === undefined
      ? []
      : [
          {
            id: `${kind}/${ref}/${at}`,
            at,
            kind,
            items,
            ref,
            url: urlOf(ref, thread.kind),
            text: `${shortRef(ref)} ${what}: ${thread.title}`,
          },
        ];
  return [
    ...event("opened", thread.createdAt, "was opened"),
    ...(thread.merged === true ? event("merged", thread.mergedAt, "was merged") : event("closed", thread.closedAt, closedWords(thread))),
    ...event("reopened", thread.reopenedAt, "was reopened"),
  ];
}

function closedWords(thread: Thread): string {
  if (thread.stateReason === "not-planned") return "was closed as not planned";
  if (thread.stateReason === "duplicate") return "was closed as a duplicate";
  return thread.kind === "pull-request" ? "was closed without merging" : "was closed";
}
