import type { Path } from "../../model/problem.ts";
import type { Truth } from "../../model/vocabulary.ts";

/** One thing to do, in the order in which it is to be done. */
export interface Todo {
  text: string;
  /** Nothing is left to do about it. */
  done: boolean;
  /** `--apply` does it. */
  applied: boolean;
}

/** One change of an authored file that keeps every other byte. */
export type RowEdit = { file: string; path: Path } & (
  | { do: "set"; value: string }
  | { do: "add"; key: string; value: unknown }
  | { do: "remove" }
);

export interface Retirement {
  kind: "pin" | "patch";
  id: string;
  /** Nothing stands against it. */
  ready: Truth;
  because: string;
  todo: Todo[];
  edits: RowEdit[];
}

export interface RetireOptions {
  /** Day of the stack's zone. */
  on: string;
  /** The reason to be written down; default: what was derived. */
  because?: string | undefined;
  /** The pin that takes over. */
  to?: string | undefined;
}

export const todo = (text: string, done = false): Todo => ({ text, done, applied: false });

export const applied = (text: string): Todo => ({ text, done: false, applied: true });
