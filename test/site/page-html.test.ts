import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { docId, resolveFrom, rowOfFile } from "../../site/docs.ts";
import { pageHtml } from "../../site/page-html.ts";

let before: string | undefined;
beforeEach(() => {
  before = process.env.LANDFALL_BASE;
  process.env.LANDFALL_BASE = "/club-3090/";
});
afterEach(() => {
  if (before === undefined) delete process.env.LANDFALL_BASE;
  else process.env.LANDFALL_BASE = before;
});

const html = (text: string, file = "content/UPSTREAM.md") => pageHtml(text, [], file).html;
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

describe("F01 links of Markdown files", () => {
  it.each([
    ["./CLIFFS.md#cliff-1", "content/UPSTREAM.md", "/club-3090/reports/cliffs/#cliff-1"],
    ["upstream/vllm.md", "content/UPSTREAM.md", "/club-3090/reports/upstream/vllm/"],
    ["../PIN_RETIREMENT.md", "content/guides/bump-a-pin.md", "/club-3090/reports/pin-retirement/"],
    ["../reference/words.md#statuses", "content/guides/read-a-verdict.md", "/club-3090/reference/words/#statuses"],
    ["index.md", "content/guides/add-a-row.md", "/club-3090/guides/"],
    ["../data/items/a-row.yaml", "content/UPSTREAM.md", "/club-3090/items/a-row/"],
    ["../data/follow-ups/later.yaml", "content/UPSTREAM.md", "/club-3090/triggers/#later"],
    ["/tracker/", "content/guides/getting-started.md", "/club-3090/tracker/"],
    ["#here", "content/UPSTREAM.md", "#here"],
    ["https://example.org/a?b&amp;c#d", "content/UPSTREAM.md", "https://example.org/a?b&amp;c#d"],
  ])("%s in %s leads to %s", (target, file, expected) => {
    expect(html(`<p><a href="${target}">x</a></p>`, file)).toContain(`href="${expected}"`);
  });
});

describe("anchors of headings", () => {
  it("F03 a heading that starts with an emoji has an id without what is left of it", () => {
    expect(pageHtml('<h2 id="-landed">🟢 Landed</h2>', [{ depth: 2, slug: "-landed", text: "🟢 Landed" }], "content/a.md")).toMatchObject({
      html: expect.stringContaining('<h2 id="landed">'),
      headings: [{ depth: 2, slug: "landed", text: "🟢 Landed" }],
    });
  });
  it("F03 a heading that is an emoji only has an id", () => {
    expect(idsOf(html('<h2 id="">🟢</h2>\n<h2 id="-1">🔵</h2>\n'))).toEqual(["section", "section-1"]);
  });
  it("F05 a row's own anchor stays its own, whatever headings come before it", () => {
    const page = (more: string) =>
      html(`${more}<h2 id="foo">Foo</h2>\n<p><a id="foo-row"></a>Text.</p>\n<h2 id="foo-1">Foo</h2>\n<h2 id="foo-1-1">Foo 1</h2>\n`);
    expect(page("")).toContain('<h2 id="foo-row">Foo</h2>\n<p>Text.</p>');
    expect(page('<h2 id="x">Foo</h2>\n<p>Other.</p>\n')).toContain('<h2 id="foo-row">');
  });
  it("F05 no id is given twice, not even to a heading that is named like a row", () => {
    const ids = idsOf(
      html(
        '<h2 id="genesis">Genesis</h2>\n<table><tr><td><a id="genesis"></a>x</td><td><a id="genesis"></a>y</td></tr></table>\n<h2 id="genesis-1">Genesis</h2>',
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("genesis");
  });
  it("keeps Starlight's link to a heading on the heading", () => {
    const page = html(
      '<div class="sl-heading-wrapper level-h2"><h2 id="cliff-1">Cliff 1</h2><a class="sl-anchor-link" href="#cliff-1"><span aria-hidden="true"></span></a></div>\n<p><a id="cliff-1a"></a>Text.</p>',
    );
    expect(page).toContain('<h2 id="cliff-1a">');
    expect(page).toContain('<a class="sl-anchor-link" href="#cliff-1a">');
  });
});

describe("tables, code and signs", () => {
  it("F07 a table stands in a region of its own that the keyboard reaches; two under one heading have two names", () => {
    const page = html('<h2 id="p">Pins "a"</h2><table><tr><th></th><th>b</th></tr></table><table></table>');
    expect(page).toContain(
      '<div class="scroll" role="region" tabindex="0" aria-label="Pins &quot;a&quot;, table"><table><tr><td></td><th>b</th></tr></table></div>',
    );
    expect(page).toContain('aria-label="Pins &quot;a&quot;, table 2"');
  });
  it("F07 code can be scrolled by keyboard", () => {
    expect(html('<pre><code class="language-sh">npm start\n</code></pre>')).toBe(
      '<pre tabindex="0"><code class="language-sh">npm start\n</code></pre>',
    );
  });
  it("F10 a status is a sign that is not read out, and its words", () => {
    expect(html("<td>🔵 Merged, awaiting propagation</td>")).toBe(
      '<td><span class="st s-awaiting-propagation st--sign"><i class="g" aria-hidden="true"></i></span>Merged, awaiting propagation</td>',
    );
  });
  it("F10 a task says in words whether it is done, and leaves a box to tick on paper", () => {
    expect(html('<ul><li><input type="checkbox" disabled> One</li><li><input type="checkbox" checked disabled> Two</li></ul>')).toBe(
      '<ul><li><span class="box" aria-hidden="true"></span><span class="vh">To do: </span> One</li><li><span class="box box--done" aria-hidden="true"></span><span class="vh">Done: </span> Two</li></ul>',
    );
  });
  it("leaves code, comments and everything else as it is written", () => {
    for (const text of ["<code>🟢 Landed</code>", "<!-- 🟢 <a href='x'> -->", '<p title="a > b">1 &lt; 2 and "so" on</p>', "a < b"])
      expect(html(text)).toBe(text);
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
