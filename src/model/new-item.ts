import { parseRef, shortRef, threadOf } from "./ref.ts";
import type { Thread } from "./shapes/observed.ts";
import { scalarText } from "./edit.ts";
import { WHY_TO_WRITE } from "./vocabulary.ts";

export interface NewItem {
  id: string;
  text: string;
}

/**
 * The text of a new row for a reference, with what is known of it filled in and the rest marked to be written.
 * @param title the upstream's name
 * @param known the observed thread, when there is one
 * @param schemas where the schemas lie, seen from a row; undefined when the stack has none
 */
export function newItem(ref: string, upstream: string, title: string, known: Thread | undefined, schemas: string | undefined): NewItem {
  const parsed = parseRef(ref);
  const kind = known?.kind;
  const role = kind === "issue" || (parsed?.type === "thread" && kind === undefined) ? "bug" : "fix";
  const entry = [`ref: ${JSON.stringify(ref)}`, `role: ${role}`, ...(kind ? [`kind: ${kind}`] : [])].join(", ");
  const text = [
    ...(schemas === undefined ? [] : [`# yaml-language-server: $schema=${schemas}item.schema.json`]),
    `title: ${scalarText(known?.title ?? `${shortRef(threadOf(ref))} of ${title}`)}`,
    `upstream: ${upstream}`,
    "refs:",
    `  - { ${entry} }`,
    "stake: watch                     # blocks | degrades | watch",
    "why: >",
    `  ${WHY_TO_WRITE}`,
    "local: none                      # none | vendored | backported | workaround | do-not-vendor | negative-result | retired",
    "",
  ].join("\n");
  return { id: slug(`${upstream}-${known ? known.title.replace(/^(\[[^\]]*\]\s*)+/, "") : idPart(ref)}`), text };
}

const idPart = (ref: string) => threadOf(ref).split("/").at(-1) ?? ref;

/** A file name that is an id: lower case, dashes, at most eight words. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.slice(0, 8).join("-") || "row";
}
