import { shortRef, threadOf } from "../../model/ref.ts";
import { evaluate, inWords } from "../condition.ts";
import type { Derived } from "../derive.ts";
import { variantsOf } from "../survival/together.ts";

/** Something carried here that the candidate makes needless. */
export interface Droppable {
  pin: string;
  /** A patch, or an item whose workaround can go. */
  patch?: string;
  item?: string;
  because: string;
  /** "condition": its own condition holds. "covered": everything it stands in for is in the candidate, though its condition does not say so. */
  by: "condition" | "covered";
  /** It could go today already. */
  today: boolean;
}

export function droppableOn(before: Derived, after: Derived, pin: string): Droppable[] {
  return [...patches(before, after, pin), ...workarounds(before, after, pin)];
}

function patches(before: Derived, after: Derived, pin: string): Droppable[] {
  const { model } = before.world;
  return Object.entries(model.patch).flatMap(([id, patch]): Droppable[] => {
    if (patch.dropped || patch.upstream !== model.pin[pin]?.upstream || !isOn(before, id, pin)) return [];
    const today = before.patches[id]?.droppable === "yes";
    if (after.patches[id]?.droppable === "yes") {
      return [{ pin, patch: id, because: after.patches[id]?.because ?? "", by: "condition", today }];
    }
    const covered = coveredBy(after, patch.covers, pin);
    return covered === undefined ? [] : [{ pin, patch: id, because: covered, by: "covered", today: false }];
  });
}

/** The patch is needed by a variant on the pin, or by no variant at all. */
function isOn({ world: { model } }: Derived, id: string, pin: string): boolean {
  const variants = variantsOf(model, id);
  return variants.length === 0 || variants.some((name) => model.variant[name]?.pin === pin);
}

/** Every reference the patch stands in for landed in the candidate, itself or through what took its place. */
function coveredBy(after: Derived, covers: readonly string[], pin: string): string | undefined {
  const { model } = after.world;
  const entries = after.pins[pin]?.verdicts ?? [];
  const upstream = model.upstream[model.pin[pin]?.upstream ?? ""]?.repo;
  const relevant = covers.filter((ref) => upstream !== undefined && threadOf(ref).startsWith(`${upstream}#`));
  if (relevant.length === 0) return undefined;
  const found = relevant.map((ref) =>
    entries.find(
      ({ item }) =>
        model.item[item]?.resolves_us === "yes" && model.item[item]?.refs.some((known) => known.ref === ref && known.role !== "context"),
    ),
  );
  if (!found.every((entry) => entry?.verdict === "contained" && !entry.reverted)) return undefined;
  const names = found.flatMap((entry, index) => {
    const ref = relevant[index] ?? "";
    return entry && entry.landing !== ref ? [`${shortRef(ref)} as ${shortRef(entry.landing)}`] : [shortRef(ref)];
  });
  return `The candidate has what it stands in for: ${[...new Set(names)].join(", ")}.`;
}

function workarounds(before: Derived, after: Derived, pin: string): Droppable[] {
  const { model } = before.world;
  return Object.entries(model.item).flatMap(([id, item]): Droppable[] => {
    const drop = item.workaround?.drop;
    if (!drop || item.local === "retired" || item.upstream !== model.pin[pin]?.upstream) return [];
    if (evaluate(after.world, drop).truth !== "yes") return [];
    const today = evaluate(before.world, drop).truth === "yes";
    return [{ pin, item: id, because: `The workaround can go: ${inWords(drop)}.`, by: "condition", today }];
  });
}
