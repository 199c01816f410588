import type { Transition } from "../model/shapes/observed.ts";
import type { Attention, AttentionKind } from "./attention.ts";
import type { Derived } from "./derive.ts";

/** Kinds of attention that ask a maintainer for a decision; the others only inform. */
const DECISIONS: readonly AttentionKind[] = [
  "reverted-in-pin",
  "image-gone",
  "blocks-missing",
  "image-expires",
  "undelivered",
  "never-true",
  "trigger-fired",
  "follow-up-due",
  "pin-retirable",
  "patch-droppable",
  "wrong-then",
  "kind-mismatch",
  "reverted",
];

export const changesDecision = ({ kind }: Attention): boolean => DECISIONS.includes(kind);

/** Kinds that do not wait for the weekly batch. */
const URGENT: readonly AttentionKind[] = ["reverted-in-pin", "image-gone", "image-expires", "blocks-missing", "reverted"];
/** Kinds that open a new pull request although a person snoozed the last one. */
const REOPENS: readonly AttentionKind[] = ["trigger-fired", "blocks-missing"];

/**
 * Names of what is new and must be told at once (a row that blocks changed, something was reverted or is gone), and of what undoes a
 * snooze (a row that blocks changed, a trigger fired). Everything else waits for the batch.
 */
export function pressing(
  before: Derived | undefined,
  after: Derived,
  transitions: readonly Transition[],
): { urgent: string[]; reopens: string[] } {
  const known = new Set(before?.attention.map(name));
  const fresh = after.attention.filter((entry) => !known.has(name(entry)));
  const blocks = transitions.filter(({ item }) => after.world.model.item[item]?.stake === "blocks").map(({ item, to }) => `${item} ${to}`);
  const among = (kinds: readonly AttentionKind[]) => fresh.filter(({ kind }) => kinds.includes(kind)).map(name);
  return { urgent: [...blocks, ...among(URGENT)], reopens: [...blocks, ...among(REOPENS)] };
}

const name = ({ kind, about }: Attention): string => `${kind} ${about.id}`;
