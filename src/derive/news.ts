import type { Transition } from "../model/shapes/observed.ts";
import type { Attention, AttentionKind } from "./attention.ts";
import type { Derived } from "./derive.ts";

/** Kinds of attention that ask a maintainer for a decision; the others only inform. */
const DECISIONS: readonly AttentionKind[] = [
  "reverted-in-pin",
  "image-gone",
  "blocks-missing",
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
const URGENT: readonly AttentionKind[] = ["reverted-in-pin", "image-gone", "blocks-missing", "reverted"];

/**
 * Must this be told at once? A fired trigger, a change to a row that blocks, something reverted or gone.
 * Everything else waits for the batch, and does not reopen what a person snoozed.
 */
export function isUrgent(before: Derived | undefined, after: Derived, transitions: readonly Transition[]): boolean {
  const known = new Set(before?.attention.map(({ kind, about }) => `${kind} ${about.id}`));
  const fresh = after.attention.filter(({ kind, about }) => !known.has(`${kind} ${about.id}`));
  if (fresh.some(({ kind }) => URGENT.includes(kind) || kind === "trigger-fired")) return true;
  return transitions.some(({ item }) => after.world.model.item[item]?.stake === "blocks");
}
