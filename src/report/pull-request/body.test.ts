import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { derive } from "../../derive/derive.ts";
import { load } from "../../model/load.ts";
import { pullRequestBody } from "./body.ts";
import type { News } from "./body.ts";
import { quiet, quietBlocks, quietUrl } from "./quiet.ts";
import { write } from "../markdown/write.ts";
import { stackOf } from "../../../test/world.ts";
import { link, list, paragraph, table } from "../markdown/build.ts";

const { model, observed } = load(fileURLToPath(new URL("../../../", import.meta.url)));
const after = derive(model, observed);
const item = "vllm-marlin-pad-sub-tile";
const transition = { item, from: "in-review", to: "awaiting-propagation", at: "2026-08-22", because: after.items[item]?.because ?? "" };
const news = (more: Partial<News> = {}): News => ({ before: undefined, after, transitions: [transition], failed: [], ...more });

/** Code spans and link addresses taken out: what GitHub would look at for references and mentions. */
const audible = (markdown: string) => markdown.replaceAll(/`[^`]*`/g, "").replaceAll(/\]\([^)]*\)/g, "]");

describe("the body of the pull request", () => {
  it("puts decisions before movements, and names what was not observed", () => {
    const body = pullRequestBody(news({ failed: [{ ref: "vllm-project/vllm#1", why: "GitHub answered 502" }] }));
    expect(body.indexOf("### Decide")).toBeGreaterThan(0);
    expect(body.indexOf("### Decide")).toBeLessThan(body.indexOf("### Merged, awaiting propagation"));
    expect(body).toContain("1 reference could not be observed");
    expect(body).toContain("GitHub answered 502");
  });

  it("folds what was waiting before this run", () => {
    const body = pullRequestBody(news({ before: after, transitions: [] }));
    expect(body).not.toContain("### Decide");
    expect(body).toContain("<details><summary>Still waiting for a decision");
  });

  it("D06 stays under the limit and says how much was cut, worst first", () => {
    const many = Array.from({ length: 500 }, () => ({ ...transition, because: "x".repeat(200) }));
    const body = pullRequestBody(news({ transitions: many }));
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/\d+ more lines did not fit here/);
    expect(body).toContain("### Decide");
  });

  it("D08 leaves no cross reference: links go through the redirect, and no bare reference stands in it", () => {
    const body = pullRequestBody(news());
    expect(body).not.toMatch(/https:\/\/(www\.)?github\.com\//);
    expect(body).toContain("https://redirect.github.com/vllm-project/vllm/pull/45295");
    expect(audible(body)).not.toMatch(/[\w.-]*#\d+/);
  });

  it("D11 mentions nobody, whatever a title says", () => {
    const hostile =
      "Fix @torvalds and @org/team, fixes #12, closes owner/repo#3, see https://github.com/a/b/issues/1 ![i](u) <img src=x onerror=y> | a | b";
    const body = pullRequestBody(news({ transitions: [{ ...transition, because: hostile }] }));
    expect(audible(body)).not.toMatch(/@[a-z]/i);
    expect(audible(body)).not.toMatch(/#\d/);
    expect(body).not.toMatch(/(?<!\\)<img/);
    expect(body).not.toContain("](u)");
  });

  it("tells, folded and last, what the newest known builds would change, whether patches still apply, and why pins are not fewer", () => {
    const body = pullRequestBody(news({ before: after, transitions: [] }));
    const titles = [...body.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, title]) => title);
    expect(titles.at(-2)).toBe("Do the patches still apply?");
    expect(titles.at(-1)).toBe("Why the pins are not fewer");
    expect(titles.some((title) => title?.startsWith("Before a bump: <code>vllm-nightly-clean"))).toBe(true);
    expect(body).toMatch(/\| `genesis-pn54` \| ✖ environment flag unknown/);
    expect(audible(body)).not.toMatch(/[\w.-]*#\d+/);
    const short = pullRequestBody(news({ before: after, transitions: [] }), 6000);
    expect(short.length).toBeLessThanOrEqual(6000);
    expect(short).not.toContain("Why the pins are not fewer");
  });

  it("D11 takes the name of a tag for a name, whatever it spells", () => {
    const { model: rows, observed: facts } = stackOf({
      pins: { p: { artifact: "git:u/r@v1", commit: "a" } },
      patches: { it: { targets: [{ path: "x.py" }] } },
      facts: { tags: { v1: "a", "v2-<b>&@torvalds": "b" }, contains: { a: { b: "yes" } } },
    });
    for (const [tag, day] of [
      ["v1", 1],
      ["v2-<b>&@torvalds", 2],
    ] as const) {
      const fact = facts.git["u/r"]?.tags[tag];
      if (fact) fact.date = `2026-05-0${day}`;
    }
    const body = pullRequestBody({ before: undefined, after: derive(rows, facts), transitions: [], failed: [] });
    expect(body).toContain("<summary>Before a bump: <code>p to v2-&lt;b&gt;&amp;@torvalds</code>");
    expect(audible(body).replaceAll(/<code>.*?<\/code>/g, "")).not.toContain("@torvalds");
  });

  it("hushes whole blocks: text, link addresses, and what stands in cells", () => {
    const cells = table(["Since #12"], [[[link("https://github.com/a/b/pull/1", "a/b#1"), " by @someone"]]]);
    const written = write({ type: "root", children: quietBlocks([cells, list(["see #3"])]) });
    expect(written).toBe("| Since `#12` |\n| - |\n| [`a/b#1`](https://redirect.github.com/a/b/pull/1) by `@someone` |\n\n- see `#3`\n");
  });

  it("takes hostile text as text", () => {
    const written = write({ type: "root", children: [paragraph(quiet("line\nbreak \u202E rtl [x](y) **b** `c` <b>"))] });
    expect(written.trim()).toBe("line break rtl \\[x]\\(y) \\*\\*b\\*\\* \\`c\\` \\<b>");
  });

  it("rewrites only addresses of GitHub", () => {
    expect(quietUrl("https://github.com/a/b/pull/1")).toBe("https://redirect.github.com/a/b/pull/1");
    expect(quietUrl("https://example.org/github.com/")).toBe("https://example.org/github.com/");
  });
});
