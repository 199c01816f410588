/** One field of one fact that is not what it was. */
export interface Change {
  /** `owner/repo#12`, `owner/repo@sha`, `owner/repo`, or an artifact such as `oci:image:tag`. */
  ref: string;
  field: string;
  from: unknown;
  to: unknown;
  /** Where the new value was read. */
  proof: string;
}

/** What could not be observed, and why, for the reader. */
export interface Failure {
  ref: string;
  why: string;
}

const PROVENANCE = new Set(["source", "asOf", "since"]);

/** The fields in which two facts differ. When a fact was read or first seen is no part of what it says. */
export function changesBetween(ref: string, before: object | undefined, after: object, proof: string): Change[] {
  const was = (before ?? {}) as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => !PROVENANCE.has(field)).sort();
  return fields.flatMap((field) =>
    same(was[field], is[field]) ? [] : [{ ref, field, from: was[field] ?? null, to: is[field] ?? null, proof }],
  );
}

/** Equal by value; absent, undefined and null are one: not known. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, index) => same(value, b[index]));
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
