import { createMarkdownProcessor } from "@astrojs/markdown-remark";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { docId, resolveFrom, rowOfFile } from "../../site/docs.ts";
import { rehypeSite } from "../../site/rehype-site.ts";

const processor = await createMarkdownProcessor({ rehypePlugins: [rehypeSite], syntaxHighlight: false, smartypants: false });
const html = async (text: string, file = "UPSTREAM.md") =>
  (await processor.render(text, { fileURL: new URL(`file:///stack/content/${file}`) })).code;

let before: string | undefined;
beforeEach(() => {
  before = process.env.LANDFALL_BASE;
  process.env.LANDFALL_BASE = "/club-3090/";
});
afterEach(() => {
  if (before === undefined) delete process.env.LANDFALL_BASE;
  else process.env.LANDFALL_BASE = before;
});

describe("F01 links of Markdown files", () => {
  it.each([
    ["[x](./CLIFFS.md#cliff-1)", "UPSTREAM.md", "/club-3090/reports/cliffs/#cliff-1"],
    ["[x](upstream/vllm.md)", "UPSTREAM.md", "/club-3090/reports/upstream/vllm/"],
    ["[x](../PIN_RETIREMENT.md)", "guides/bump-a-pin.md", "/club-3090/reports/pin-retirement/"],
    ["[x](../reference/words.md#statuses)", "guides/read-a-verdict.md", "/club-3090/reference/words/#statuses"],
    ["[x](index.md)", "guides/add-a-row.md", "/club-3090/guides/"],
    ["[x](../data/items/a-row.yaml)", "UPSTREAM.md", "/club-3090/items/a-row/"],
    ["[x](../data/follow-ups/later.yaml)", "UPSTREAM.md", "/club-3090/triggers/#later"],
    ["[x](/tracker/)", "guides/getting-started.md", "/club-3090/tracker/"],
    ["[x](#here)", "UPSTREAM.md", "#here"],
    ["[x](https://example.org/a?b#c)", "UPSTREAM.md", "https://example.org/a?b#c"],
  ])("%s in %s leads to %s", async (text, file, expected) => {
    expect(await html(text, file)).toContain(`href="${expected}"`);
  });
});

describe("anchors of headings", () => {
  it("F03 a heading that starts with an emoji has an id without what is left of it", async () => {
    expect(await html("## 🟢 Landed")).toContain('<h2 id="landed">');
  });
  it("F03 a heading that is an emoji only has an id", async () => {
    const ids = [...(await html("## 🟢\n\n## 🔵\n")).matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
    expect(ids).toEqual(["section", "section-1"]);
  });
  it("F05 a row's own anchor stays its own, whatever headings come before it", async () => {
    const page = (more: string) => html(`${more}## Foo\n\n<a id="foo-row"></a>Text.\n\n## Foo\n\n## Foo 1\n`);
    expect(await page("")).toContain('<h2 id="foo-row">');
    expect(await page("## Foo\n\n")).toContain('<h2 id="foo-row">');
  });
  it("F05 no id is given twice, not even to a heading that is named like a row", async () => {
    const page = await html('## Genesis\n\n| a |\n| - |\n| <a id="genesis"></a>x |\n| <a id="genesis"></a>y |\n\n## Genesis\n');
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("genesis");
  });
});

describe("tables and signs", () => {
  it("F07 a table stands in a region of its own that the keyboard reaches", async () => {
    expect(await html("## Pins\n\n| a |\n| - |\n| b |\n")).toContain(
      '<div class="scroll" role="region" tabindex="0" aria-label="Pins, table"><table>',
    );
  });
  it("F10 a status is a sign that is not read out, and its words", async () => {
    expect(await html("| a |\n| - |\n| 🔵 Merged, awaiting propagation |\n")).toContain(
      '<span class="st s-awaiting-propagation st--sign"><i class="g" aria-hidden="true"></i></span>Merged, awaiting propagation',
    );
  });
  it("leaves code as it is written", async () => {
    expect(await html("`🟢 Landed`")).toContain("<code>🟢 Landed</code>");
  });
});

describe("addresses of files", () => {
  it("names pages after their files", () => {
    expect(["UPSTREAM.md", "PIN_RETIREMENT.md", "upstream/vllm.md", "guides/index.md", "guides/add-a-row.md"].map(docId)).toEqual([
      "reports/upstream",
      "reports/pin-retirement",
      "reports/upstream/vllm",
      "guides",
      "guides/add-a-row",
    ]);
  });
  it("does not follow a link out of the stack", () => {
    expect(resolveFrom("content/a.md", "../../etc/passwd")).toBeUndefined();
    expect(rowOfFile("data/nothing/x.yaml")).toBeUndefined();
    expect(rowOfFile("data/observed/as-of.json")).toBeUndefined();
  });
});
