import { shortRef } from "../model/ref.ts";
import type { Derived } from "./derive.ts";
import { expiryOf } from "./expiry.ts";
import type { ItemOnPin } from "./pins.ts";
import type { Never } from "./proof.ts";
import { upper } from "./sentence.ts";

/** Kinds of things that need a person, the most urgent first. */
export const ATTENTION = {
  "reverted-in-pin": "A live pin contains a change that was reverted upstream",
  "image-gone": "A live pin's image is gone",
  "blocks-missing": "A live pin lacks a change that blocks, and nothing carries it",
  "image-expires": "A live pin's image will soon be deleted",
  undelivered: "A load-bearing patch is delivered nowhere",
  "never-true": "A condition can never come true",
  "trigger-fired": "A re-test trigger fired",
  "follow-up-due": "A follow-up is due",
  "pin-retirable": "A pin can be retired",
  "patch-droppable": "A patch can go",
  "wrong-then": "A claim was wrong on its own day",
  "kind-mismatch": "A reference is another thing than the row says",
  reverted: "A change was reverted upstream",
  "blocks-unknown": "Cannot be told whether a live pin has a change that blocks",
  outdated: "A claim was overtaken",
} as const;
export type AttentionKind = keyof typeof ATTENTION;

export interface Attention {
  kind: AttentionKind;
  /** The row it is about, with its kind. */
  about: { kind: "item" | "pin" | "patch" | "trigger" | "followUp"; id: string };
  text: string;
}

/** What needs a human first, in order: by urgency, then by the row's name. */
export function attentionOf(derived: Omit<Derived, "attention">): Attention[] {
  const found = [
    ...pins(derived),
    ...patches(derived),
    ...conditions(derived),
    ...triggers(derived),
    ...claims(derived),
    ...references(derived),
  ];
  const order = Object.keys(ATTENTION) as AttentionKind[];
  return found.sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.about.id < b.about.id ? -1 : a.about.id > b.about.id ? 1 : 0),
  );
}

/** A missing change that stops something from working, with nothing here that stands in for it. */
export const isMissing = (entry: ItemOnPin): boolean =>
  entry.waits &&
  entry.stake === "blocks" &&
  !entry.carried &&
  (entry.verdict === "not-contained" || entry.verdict === "partial") &&
  !entry.reverted;
/** The pin has a change that upstream took back, and a row waits for it. */
export const isTakenBack = (entry: ItemOnPin): boolean => entry.waits && entry.reverted;
export const isUntold = (entry: ItemOnPin): boolean =>
  entry.waits && entry.stake === "blocks" && !entry.carried && entry.verdict === "unknown";

function pins({ pins: rows, world }: Omit<Derived, "attention">): Attention[] {
  return Object.values(rows).flatMap((pin) => {
    const about = { kind: "pin" as const, id: pin.id };
    const found: Attention[] = [];
    if (!pin.live) return pin.retirement.todo.length > 0 ? [{ kind: "pin-retirable", about, text: pin.retirement.because }] : [];
    if (pin.availability.state === "gone")
      found.push({ kind: "image-gone", about, text: `${pin.artifact} is gone: ${pin.availability.because}.` });
    const expiry = pin.availability.state === "gone" ? undefined : expiryOf(world, pin.id);
    if (expiry !== undefined)
      found.push({
        kind: "image-expires",
        about,
        text: `${upper(expiry)}. Keep a copy of the image, or move the pin.`,
      });
    for (const entry of pin.verdicts) {
      if (isTakenBack(entry))
        found.push({ kind: "reverted-in-pin", about, text: `Has ${shortRef(entry.ref)} (${entry.item}), which was reverted upstream.` });
      if (isMissing(entry))
        found.push({ kind: "blocks-missing", about, text: `Lacks ${shortRef(entry.ref)} (${entry.item}), which blocks.` });
      if (isUntold(entry))
        found.push({ kind: "blocks-unknown", about, text: `Whether it has ${shortRef(entry.ref)} (${entry.item}) cannot be told.` });
    }
    if (pin.retirement.ready === "yes") found.push({ kind: "pin-retirable", about, text: pin.retirement.because });
    return found;
  });
}

function patches({ patches: rows }: Omit<Derived, "attention">): Attention[] {
  return Object.values(rows).flatMap((patch) => {
    const about = { kind: "patch" as const, id: patch.id };
    const found: Attention[] = [];
    if (patch.undelivered)
      found.push({ kind: "undelivered", about, text: "It is declared load-bearing, and nothing in the tree mounts, runs or enables it." });
    if (patch.carried && patch.droppable === "yes") found.push({ kind: "patch-droppable", about, text: patch.because });
    return found;
  });
}

function conditions({
  pins: pinRows,
  patches: patchRows,
  triggers: triggerRows,
  followUps,
  world,
}: Omit<Derived, "attention">): Attention[] {
  const never = (about: Attention["about"], why: Never | undefined): Attention[] =>
    why ? [{ kind: "never-true", about, text: `${why.because}.${why.instead ? ` Name ${shortRef(why.instead)} instead.` : ""}` }] : [];
  return [
    ...Object.values(pinRows).flatMap((pin) => (pin.live ? never({ kind: "pin", id: pin.id }, pin.retirement.never) : [])),
    ...Object.values(patchRows).flatMap((patch) => (patch.carried ? never({ kind: "patch", id: patch.id }, patch.never) : [])),
    ...Object.values(triggerRows).flatMap((trigger) => never({ kind: "trigger", id: trigger.id }, trigger.never)),
    ...Object.values(followUps).flatMap((row) => (world.model.followUp[row.id] ? never({ kind: "followUp", id: row.id }, row.never) : [])),
  ];
}

function triggers({ triggers: triggerRows, followUps, world }: Omit<Derived, "attention">): Attention[] {
  return [
    ...Object.values(triggerRows)
      .filter((row) => row.life === "fired")
      .map(
        (row): Attention => ({
          kind: "trigger-fired",
          about: { kind: "trigger", id: row.id },
          text: `${world.model.trigger[row.id]?.title}: ${row.proof.map(({ fact }) => fact).join("; ")}.`,
        }),
      ),
    ...Object.values(followUps)
      .filter((row) => row.life === "fired")
      .map(
        (row): Attention => ({
          kind: "follow-up-due",
          about: { kind: "followUp", id: row.id },
          text: `${world.model.followUp[row.id]?.title}: ${row.proof.map(({ fact }) => fact).join("; ")}.`,
        }),
      ),
  ];
}

function claims({ contradictions }: Omit<Derived, "attention">): Attention[] {
  return contradictions.map((found): Attention => {
    const state = found.fact.state === "not-landed" ? "merged, but not in every pin" : found.fact.state;
    const since = found.fact.since ? ` since ${found.fact.since.slice(0, 10)}` : "";
    return {
      kind: found.kind === "wrong-then" ? "wrong-then" : "outdated",
      about: { kind: "item", id: found.item },
      text: `${shortRef(found.ref)} was claimed ${found.claim.says} on ${found.claim.on}; it is ${state}${since}.`,
    };
  });
}

function references({ items }: Omit<Derived, "attention">): Attention[] {
  return Object.entries(items).flatMap(([id, decision]): Attention[] => {
    const kind = (["kind-mismatch", "reverted"] as const).find((facet) => decision.facets.includes(facet));
    return kind ? [{ kind, about: { kind: "item", id }, text: decision.because }] : [];
  });
}
