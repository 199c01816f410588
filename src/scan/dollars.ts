import { closing } from "./interpolate.ts";

/** A text cut into literal parts and the outermost variables that compose would replace; `$$` is a literal dollar. */
export interface Part {
  text: string;
  /** Name of the variable; undefined for a literal part, "" for an expression that compose refuses. */
  variable?: string;
  offset: number;
}

export function dollars(text: string): Part[] {
  const parts: Part[] = [];
  let literal = "";
  let from = 0;
  const flush = (next: number) => {
    if (literal !== "") parts.push({ text: literal, offset: from });
    literal = "";
    from = next;
  };
  for (let at = 0; at < text.length; ) {
    if (text.startsWith("$$", at)) {
      literal += "$";
      at += 2;
      continue;
    }
    const plain = text[at] === "$" ? /^[A-Za-z_]\w*/.exec(text.slice(at + 1, at + 200))?.[0] : undefined;
    if (plain !== undefined) {
      flush(at);
      parts.push({ text: `$${plain}`, variable: plain, offset: at });
      at += 1 + plain.length;
      from = at;
    } else if (text.startsWith("${", at)) {
      flush(at);
      const end = closing(text, at + 2);
      const inner = text.slice(at + 2, end);
      parts.push({ text: text.slice(at, end + 1), variable: /^([A-Za-z_]\w*)(?=$|:?[-+?])/.exec(inner)?.[1] ?? "", offset: at });
      at = end + 1;
      from = at;
    } else {
      const next = text.indexOf("$", at + 1);
      literal += text.slice(at, next < 0 ? text.length : next);
      at = next < 0 ? text.length : next;
    }
  }
  flush(text.length);
  return parts;
}
