// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose and the shell write their variables so
import { describe, expect, it } from "vitest";
import { dollars } from "./dollars.ts";
import { interpolate } from "./interpolate.ts";

const set: Record<string, string> = { TAG: "v2", EMPTY: "" };
const put = (text: string) => interpolate(text, (name) => set[name]);

describe("compose's interpolation", () => {
  it.each([
    ["plain", "plain", []],
    ["$TAG and ${TAG}", "v2 and v2", []],
    ["${NONE:-x} ${NONE-y} ${EMPTY:-x} ${EMPTY-y}", "x y x ", []],
    ["${TAG:+a} ${EMPTY:+a} ${EMPTY+a} ${NONE+a}", "a  a ", []],
    ["${TAG:?say it}", "v2", []],
    ["${NONE:?say it}", "", ["NONE"]],
    ["o/n:nightly-${SHA}", "o/n:nightly-", ["SHA"]],
    ["${IMAGE:-o/n:nightly-${SHA:-abc}}", "o/n:nightly-abc", []],
    ["${IMAGE:-o/n:nightly-${SHA}}", "o/n:nightly-", ["SHA"]],
    ["${TAG:-o/n:${SHA}}", "v2", []],
    ["$$TAG $${TAG}", "$TAG ${TAG}", []],
    ['exec "$@" $1 $(date) $', 'exec "$@" $1 $(date) $', []],
    ["${UNCLOSED:-x", "x", []],
  ])("%s", (text, expected, unset) => {
    const outcome = put(text);
    expect(outcome.text).toBe(expected);
    expect(outcome.unset).toEqual(unset);
  });
  it.each(["${list[@]}", "${#name}", "${name%x}", "${1}"])("compose refuses %s", (text) => {
    expect(put(text).invalid).toBe(text);
  });
  it("cuts a text into what stays and what is replaced, so that nothing is lost", () => {
    const text = "a $$b ${C:-${D}} $E ${F[0]} $(g) $";
    const parts = dollars(text);
    expect(parts.map(({ variable }) => variable)).toEqual([undefined, "C", undefined, "E", undefined, "", undefined]);
    expect(parts.map((part) => (part.variable === undefined ? part.text : `<${part.text}>`)).join("")).toBe(
      "a $b <${C:-${D}}> <$E> <${F[0]}> $(g) $",
    );
    expect(parts.map(({ offset }) => offset)).toEqual([0, 6, 16, 17, 19, 20, 27]);
  });
});
