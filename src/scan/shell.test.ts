// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose and the shell write their variables so
import { print } from "sh-syntax";
import { describe, expect, it } from "vitest";
import { commandsOf } from "./shell.ts";

const words = (script: string) => commandsOf(script).map((command) => command.words.map(({ text }) => text).join(" "));
const lines = (script: string) => commandsOf(script).map((command) => command.words[0]?.line ?? command.assigns[0]?.value.line);

const SCRIPT = String.raw`#!/usr/bin/env bash
# pip install comment==1
set -euo pipefail   # trailing comment with a "quote
GENESIS_PIN="\${GENESIS_PIN:-7b9fd3194ee6}"
NAME=plain OTHER='a b' run --it
if [ ! -f /x ]; then echo "# no comment"; exit 1; fi
git clone https://github.com/o/r.git "$DIR" && git -C "$DIR" checkout "$GENESIS_PIN"
x=$(docker run --rm foo/bar:1 sh -c 'echo )')
cat <<'EOF' > out.txt
pip install heredoc==1
EOF
cat <<-TABS
	pip install heredoc==2
	TABS
pip install \
  transformers==5.8.0 \
  "quoted==1"
case "$a" in
  off|OFF) python3 /p/x.py ;;
  *) b ;;
esac
ARGS=(--chat-template /x # why
  "y z")
for f in a b; do bash "$f" >/dev/null 2>&1; done
( cd x; make ) | tee log
echo "$(echo "$(inner --deep)")" ${"`legacy --tick`"}
exec vllm serve ${"$"}{EAGER:+--enforce-eager} "$@"
`;

describe("the shell lexer", () => {
  it("lists commands with their words, and no comments, here-documents or patterns", () => {
    const found = words(SCRIPT);
    expect(found).toContain("git -C $DIR checkout $GENESIS_PIN");
    expect(found).toContain("docker run --rm foo/bar:1 sh -c echo )");
    expect(found).toContain("pip install transformers==5.8.0 quoted==1");
    expect(found).toContain("python3 /p/x.py");
    expect(found).toContain("--chat-template /x y z");
    expect(found).toContain("inner --deep");
    expect(found).toContain("legacy --tick");
    expect(found).toContain("exec vllm serve ${EAGER:+--enforce-eager} $@");
    expect(found.join("\n")).not.toMatch(/heredoc|comment==|trailing|OFF|dev\/null/);
  });
  it("knows the line of every word", () => {
    const all = commandsOf(SCRIPT).flatMap((command) => command.words);
    const lineOf = (text: string) => all.find((word) => word.text === text)?.line;
    expect([
      lineOf("clone"),
      lineOf("docker"),
      lineOf("transformers==5.8.0"),
      lineOf("quoted==1"),
      lineOf("/p/x.py"),
      lineOf("y z"),
      lineOf("exec"),
    ]).toEqual([7, 8, 16, 17, 19, 23, 27]);
    expect(lines("a\n\nb 'x\ny' c\nd")).toEqual([1, 3, 5]);
    expect(commandsOf("b 'x\ny' c")[0]?.words.map(({ line }) => line)).toEqual([1, 1, 2]);
  });
  it("keeps assignments with their values", () => {
    const assigns = commandsOf(SCRIPT).flatMap((command) => command.assigns.map(({ name, value }) => [name, value.text]));
    expect(assigns).toEqual([
      ["GENESIS_PIN", "${GENESIS_PIN:-7b9fd3194ee6}"],
      ["NAME", "plain"],
      ["OTHER", "a b"],
      ["x", "$(docker run --rm foo/bar:1 sh -c 'echo )')"],
      ["ARGS", ""],
    ]);
  });
  it("takes a vertical tab for a folded line end: a space that counts as a line", () => {
    expect(commandsOf("a \v b\nc").map((command) => command.words.map(({ text, line }) => `${text}${line}`))).toEqual([
      ["a1", "b2"],
      ["c3"],
    ]);
  });
  it.each(["'open", '"open $(x', "a $(b", "a ${b", "<<EOF", "x=(", "`", "\\", ";;", ")", "&&", "case x in", "$", "a >", "((", "[[ a"])(
    "ends on the unfinished script %s",
    (script) => {
      expect(() => commandsOf(script)).not.toThrow();
    },
  );
  it("finds the same words as before after a real shell parser printed the script anew", async () => {
    const printed = await print(SCRIPT, { keepComments: false } as Parameters<typeof print>[1]);
    expect(printed).not.toContain("# why");
    expect(words(printed)).toEqual(words(SCRIPT.replace("`legacy --tick`", "$(legacy --tick)")));
  });
});
