import { fileOf } from "../../model/paths.ts";
import type { Kind } from "../../model/vocabulary.ts";
import { code, link, prose, refLink, strong, text } from "../markdown/build.ts";
import type { PhrasingContent, Root } from "mdast";

export interface Page {
  path: string;
  tree: Root;
}

export const rowLink = (kind: Exclude<Kind, "tracker">, id: string): PhrasingContent => link(`../${fileOf(kind, id)}`, code(id));

export function noteText(note: {
  on?: string | undefined;
  by?: string | undefined;
  text: string;
  ref?: string | undefined;
}): PhrasingContent[] {
  const head = [note.on, note.by].filter((part) => part !== undefined).join(", ");
  return [
    ...(head ? [strong(head), text(": ")] : []),
    ...prose(note.text),
    ...(note.ref ? [text(" ("), refLink(note.ref), text(")")] : []),
  ];
}
