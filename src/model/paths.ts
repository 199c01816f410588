import type { Kind } from "./vocabulary.ts";
import { KINDS } from "./vocabulary.ts";

/** The file of a row, from the stack's root. */
export const fileOf = (kind: Kind, id: string): string => (kind === "tracker" ? `data/${KINDS.tracker}` : `data/${KINDS[kind]}/${id}.yaml`);
