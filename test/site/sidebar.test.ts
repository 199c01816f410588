import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { NAV, sectionOf } from "../../site/nav.ts";
import { normaliseBase, siteOptions, stackTitle } from "../../site/options.ts";
import { sidebar } from "../../site/sidebar.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
let root: string | undefined;
afterEach(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
  root = undefined;
});

describe("the sidebar", () => {
  it("F08 lists guides, reference and reports, and never a row", () => {
    const groups = sidebar(siteOptions({}, home));
    expect(groups.map(({ label }) => label)).toEqual(["Guides", "Reference", "Reports"]);
    const links = groups.flatMap(({ items }) => items.map(({ link }) => link));
    expect(links.every((link) => /^\/(guides|reference|reports)\//.test(link))).toBe(true);
    expect(links.length).toBeLessThan(40);
    expect(groups[0]?.items[0]).toEqual({ label: "Overview", link: "/guides/" });
  });

  it("takes the guides of another stack, before those of the same name here", () => {
    root = mkdtempSync(join(tmpdir(), "landfall-guides-"));
    mkdirSync(join(root, "content/guides"), { recursive: true });
    writeFileSync(join(root, "content/guides/add-a-row.md"), '---\ntitle: "Our way: a row"\n---\n\nText.\n');
    writeFileSync(join(root, "content/guides/own.md"), "---\ntitle: Own\nsidebar: { order: 9 }\n---\n\nText.\n");
    const guides = sidebar(siteOptions({ LANDFALL_ROOT: root }, home))[0]?.items ?? [];
    expect(guides).toContainEqual({ label: "Our way: a row", link: "/guides/add-a-row/" });
    expect(guides.filter(({ link }) => link === "/guides/add-a-row/")).toHaveLength(1);
    expect(guides).toContainEqual({ label: "Own", link: "/guides/own/" });
  });
});

describe("options", () => {
  it.each([
    ["", "/"],
    ["/", "/"],
    ["club-3090", "/club-3090/"],
    ["/club-3090", "/club-3090/"],
    ["/a/b/", "/a/b/"],
  ])("F01 base %s is %s", (base, expected) => {
    expect(normaliseBase(base)).toBe(expected);
  });
  it("names a stack by its tracker, and a folder without one by the tool", () => {
    expect(stackTitle(home)).toBe("club-3090");
    expect(stackTitle(join(home, "src"))).toBe("Landfall");
  });
  it("knows for every address which entry of the header it belongs to", () => {
    for (const { path } of NAV) expect(sectionOf(path)).toBe(path);
    expect(sectionOf("items/x/")).toBe("tracker/");
    expect(sectionOf("reports/upstream/")).toBe("guides/");
    expect(sectionOf("404.html")).toBeUndefined();
  });
});
