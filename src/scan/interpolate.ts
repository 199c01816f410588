/** The outcome of compose's interpolation. */
export interface Interpolated {
  text: string;
  /** Variables without a value and without a default: compose puts nothing in their place. */
  unset: string[];
  /** An expression that compose refuses, such as `${list[@]}`. */
  invalid?: string;
}

const EXPRESSION = /^([A-Za-z_]\w*)(?:(:?[-+?])([\s\S]*))?$/;

/**
 * Compose's interpolation: `$NAME`, `${NAME}`, `:-` `-` (default), `:+` `+` (alternative), `:?` `?` (required), nested, `$$` for a dollar.
 * A `$` before anything else stays as it is. (Compose specification, "Interpolation".)
 */
export function interpolate(source: string, lookUp: (name: string) => string | undefined): Interpolated {
  const unset: string[] = [];
  let invalid: string | undefined;
  const run = (text: string): string => {
    if (!text.includes("$")) return text;
    let out = "";
    for (let at = 0; at < text.length; ) {
      if (text[at] !== "$") {
        const next = text.indexOf("$", at);
        const end = next < 0 ? text.length : next;
        out += text.slice(at, end);
        at = end;
      } else if (text[at + 1] === "$") {
        out += "$";
        at += 2;
      } else if (text[at + 1] === "{") {
        const end = closing(text, at + 2);
        out += expression(text.slice(at + 2, end));
        at = end + 1;
      } else {
        const name = /^[A-Za-z_]\w*/.exec(text.slice(at + 1))?.[0];
        out += name === undefined ? "$" : plain(name);
        at += 1 + (name?.length ?? 0);
      }
    }
    return out;
  };
  const plain = (name: string) => {
    const value = lookUp(name);
    if (value === undefined) unset.push(name);
    return value ?? "";
  };
  const expression = (inner: string): string => {
    const match = EXPRESSION.exec(inner);
    if (!match) {
      invalid ??= `\${${inner}}`;
      return "";
    }
    const [, name = "", operator, word = ""] = match;
    if (operator === undefined) return plain(name);
    const value = lookUp(name);
    const has = operator.startsWith(":") ? value !== undefined && value !== "" : value !== undefined;
    if (operator.endsWith("-")) return has ? (value ?? "") : run(word);
    if (operator.endsWith("+")) return has ? run(word) : "";
    if (!has) unset.push(name);
    return value ?? "";
  };
  const text = run(source);
  return { text, unset, ...(invalid === undefined ? {} : { invalid }) };
}

/** The place of the brace that closes an expression; nested expressions are skipped. An unclosed one ends with the text. */
export function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "$" && text[at + 1] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}
