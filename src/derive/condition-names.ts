import type { Condition } from "../model/shapes/condition.ts";

/** Every reference a condition names, for pages and for the observer. */
export function refsOf(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const own = [
    condition.merged,
    condition.closed,
    condition.contained?.ref,
    condition.built?.ref,
    condition.replied?.ref,
    condition.updated?.ref,
  ].filter((ref) => ref !== undefined);
  return [...own, ...(condition.all ?? []).flatMap(refsOf), ...(condition.any ?? []).flatMap(refsOf), ...refsOf(condition.not)];
}

/** Does a condition, somewhere inside, ask for a pin? */
export function asksFor(condition: Condition | undefined, pin: string): boolean {
  if (!condition) return false;
  return (
    condition.contained?.in === pin ||
    condition.available === pin ||
    [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])].some((inner) => asksFor(inner, pin))
  );
}
