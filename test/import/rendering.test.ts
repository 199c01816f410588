import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, it } from "vitest";
import { words } from "../../src/import/audit.ts";
import { parseRef, urlOf } from "../../src/model/ref.ts";
import { fixture, importText } from "./fixture.ts";
import { folder, run } from "./run.ts";

const SHARED = new URL("../../../shared/club-3090/", import.meta.url);
const DOCUMENTS = [
  ["a45-rows.md", fixture("a45-rows.md")],
  ["pins-and-queue.md", fixture("pins-and-queue.md")],
  ...["2026-05-12", "2026-08-22"].map((day) => {
    const file = new URL(`${day}/docs/UPSTREAM.md`, SHARED);
    return [day, existsSync(file) ? readFileSync(file, "utf8") : undefined] as const;
  }),
] as const;

describe.each(DOCUMENTS)("rendering the import of %s", (_, text) => {
  it.skipIf(text === undefined)("gives a page with every row, every reference and every claim", async () => {
    const root = folder({ "TRACKER.md": text ?? "" });
    expect((await run("import", join(root, "TRACKER.md"), "--out", root)).code).toBe(0);
    expect((await run("render", "--root", root)).code).toBe(0);
    const page = readFileSync(join(root, "content/UPSTREAM.md"), "utf8");
    const tree = unified().use(remarkParse).use(remarkGfm).parse(page);
    const urls = new Set<string>();
    visit(tree, "link", ({ url }) => {
      urls.add(url);
    });
    const said = ` ${words(page).join(" ")} `;
    const { items, followUps, pins } = importText(text ?? "");
    for (const [id, item] of Object.entries(items)) {
      expect(urls, id).toContain(`../data/items/${id}.yaml`);
      for (const { ref } of item.refs) {
        const parsed = parseRef(ref);
        const kinds = parsed?.type === "thread" ? ["issue", "pull-request", "discussion"] : [undefined];
        expect(
          kinds.some((kind) => urls.has(urlOf(ref, kind) ?? "")),
          `${id}: ${ref}`,
        ).toBe(true);
      }
      if (item.claim?.symbol) expect(page).toContain(item.claim.symbol);
      const note = words(item.claim?.note?.split(/[\w.-]+\/[\w.-]+#\d+/)[0] ?? "").join(" ");
      expect(said.includes(` ${note}`), `${id}: ${note}`).toBe(true);
    }
    for (const id of Object.keys(followUps)) expect(urls, id).toContain(`../data/follow-ups/${id}.yaml`);
    for (const id of Object.keys(pins)) expect(urls, id).toContain(`../data/pins/${id}.yaml`);
  });
});
