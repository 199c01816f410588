import { createHash } from "node:crypto";
import type { Thread } from "../model/shapes/observed.ts";
import { sortedJson } from "../model/sorted-json.ts";

/**
 * What the observer remembers between runs beside the facts: when a thread last moved, when it was last looked at, validators of
 * answers. It only saves requests: without it (a fresh clone) the same facts come out. Kept in the git-ignored `.landfall/sync.json`.
 */
export interface Memory {
  /** ISO instant of the last run. */
  lastRun: string | undefined;
  threads: Record<string, ThreadMemory>;
  artifacts: Record<string, { etag?: string; verifiedAt: string }>;
}

export interface ThreadMemory {
  verifiedAt: string;
  updatedAt?: string;
  etag?: string;
  /** Digest of the fact it belongs to. A fact that was changed by other hands makes the memory void. */
  of: string;
}

export const noMemory = (): Memory => ({ lastRun: undefined, threads: {}, artifacts: {} });

/** Reads the stored memory. One that cannot be read is none. */
export function parseMemory(text: string | undefined): Memory {
  if (text === undefined) return noMemory();
  try {
    const value = JSON.parse(text) as Partial<Memory>;
    if (typeof value.threads !== "object" || typeof value.artifacts !== "object") return noMemory();
    return { lastRun: value.lastRun, threads: value.threads, artifacts: value.artifacts };
  } catch {
    return noMemory();
  }
}

export const digestOf = (thread: Thread): string => createHash("sha256").update(sortedJson(thread)).digest("base64url").slice(0, 16);

/** The memory of a thread, if it still belongs to the fact that is stored. */
export function recall(memory: Memory, ref: string, known: Thread | undefined): ThreadMemory | undefined {
  const found = memory.threads[ref];
  return found && known && found.of === digestOf(known) ? found : undefined;
}
