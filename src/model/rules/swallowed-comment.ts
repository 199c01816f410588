import { isMap, isScalar, isSeq } from "yaml";
import type { Path } from "../problem.ts";
import type { RowRule } from "./rule.ts";

/**
 * `note: see vllm #40361` ends before the number: YAML reads ` #40361` as a comment. A comment that is meant starts with a
 * space after the sign, so only a number right behind it is taken for a part of the value.
 */
export const swallowedComment: RowRule = {
  name: "swallowed-comment",
  description: "A number sign behind a plain value starts a comment, so the value ends before it.",
  level: "warning",
  check: ({ text, doc }) =>
    plainScalars(doc.contents, []).flatMap(({ from, to, path }) => {
      const swallowed = /^[ \t]+#\d[^\r\n]*/.exec(text.slice(to))?.[0].trimEnd();
      if (swallowed === undefined) return [];
      const whole = text.slice(from, to).replaceAll(/\s*\n\s*/g, " ") + swallowed;
      const message = `"${swallowed.trim()}" is read as a comment, and the value ends before it. If it is meant, quote it: ${JSON.stringify(whole)}.`;
      return [{ offset: to + swallowed.indexOf("#"), path, message }];
    }),
};

interface Plain {
  from: number;
  to: number;
  path: Path;
}

/** Unquoted values with the place of each; keys are no values. */
function plainScalars(node: unknown, path: Path): Plain[] {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => plainScalars(value, [...path, isScalar(key) ? String(key.value) : ""]));
  if (isSeq(node)) return node.items.flatMap((item, index) => plainScalars(item, [...path, index]));
  if (!isScalar(node) || node.type !== "PLAIN" || !node.range) return [];
  const [from, to] = node.range;
  return from === to ? [] : [{ from, to, path }];
}
