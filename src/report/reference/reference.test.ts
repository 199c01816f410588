import { describe, expect, it } from "vitest";
import { SHAPES } from "../../model/kinds.ts";
import { FACETS, STATUSES } from "../../model/vocabulary.ts";
import { cliReference } from "./cli.ts";
import { fieldReference } from "./fields.ts";
import { vocabularyReference } from "./vocabulary.ts";

describe("the reference", () => {
  it("explains every status and every remark", () => {
    const { content } = vocabularyReference();
    for (const { symbol, words, means } of Object.values(STATUSES))
      expect(content).toMatch(new RegExp(`${symbol} ${words} \\| \`[a-z-]+\` \\| ${means}`));
    for (const [facet, means] of Object.entries(FACETS)) expect(content).toContain(`| \`${facet}\` | ${means} |`);
  });

  it("has every field of every kind, whether it is needed, and what it means", () => {
    const { content } = fieldReference();
    for (const shape of Object.values(SHAPES))
      for (const name of Object.keys("shape" in shape ? shape.shape : {})) expect(content).toContain(`| \`${name}`);
    expect(content).toContain("| `why` | text, needed | Why it matters to this stack. |");
    expect(content).toContain("| `refs[].role` | fix · bug · tracking · context, needed | What the reference is to the row. |");
    expect(content).toContain("| `workaround.drop` | condition | When the workaround can go. |");
    expect(content).toContain("## A condition");
    expect(content.match(/^## item$/m)?.index).toBeLessThan(content.match(/^## tracker$/m)?.index ?? 0);
  });

  it("shows a command as its help does", () => {
    const { content } = cliReference([
      {
        name: "explain",
        description: "Says why.",
        args: [{ usage: "<ref>", description: "a reference | or an id" }],
        options: [
          { flags: "--root <dir>", description: "the folder", fallback: "." },
          { flags: "--json", description: "print JSON", fallback: undefined },
        ],
      },
    ]);
    expect(content).toContain("`npm run explain -- <ref> [options]`");
    expect(content).toContain("| `<ref>` | a reference \\| or an id |");
    expect(content).toContain("| `--root <dir>` | the folder; default `.` |");
    expect(content).toContain("| `--json` | print JSON |");
  });
});
