import { describe, expect, it } from "vitest";
import { UnclearTables } from "../../src/import/resolve.ts";
import { NothingToImport } from "../../src/import/import.ts";
import { fixture, importFixture, importText, itemOf } from "./fixture.ts";

const roles = (item: { refs: { ref: string; role: string }[] }) => item.refs.map(({ ref, role }) => `${role} ${ref}`);

describe("cells of a row", () => {
  const result = importFixture("e14-pipes.md");

  it("E14 a pipe inside code does not split a cell, although GitHub splits there", () => {
    const item = itemOf(result, "pipe inside code");
    expect(item.why).toBe("`s→|s|` folds the sign; `q | r` stays whole.");
    expect(item.workaround?.what).toBe("Use `a || b`.");
    expect(result.remarks.some(({ line, text }) => line === 7 && text.includes("inside code"))).toBe(true);
  });

  it("E14 escaped pipes are pipes", () => {
    expect(itemOf(result, "escaped pipes").why).toBe("The `|items` filter and a | b in words.");
  });

  it("E14 a pipe inside brackets is text when the row has a cell too many", () => {
    expect(itemOf(result, "pipe inside brackets").why).toBe("Modes (on | off) are the two.");
  });

  it("E14 backticks that never close do not swallow the row", () => {
    const item = itemOf(result, "backticks that never close");
    expect([item.why, item.workaround?.what]).toEqual(["A 5` rope.", "A 6` rope."]);
  });
});

describe("E21 ragged rows", () => {
  const result = importFixture("e21-ragged.md");

  it("E21 keeps a row with too few cells and says so", () => {
    const item = itemOf(result, "too few cells");
    expect(item.why).toBe("Nothing else is said.");
    expect(item.workaround).toBeUndefined();
    expect(result.remarks).toContainEqual({ line: 5, text: "the row has 3 cells and the table 4 columns" });
  });

  it("E21 keeps every cell of a row with too many", () => {
    const item = itemOf(result, "too many cells");
    expect(item.notes.map(({ text }) => text)).toEqual(["A fifth cell.", "A sixth cell."]);
    expect(result.remarks).toContainEqual({ line: 6, text: "the row has 6 cells and the table 4 columns" });
  });

  it("E21 says where the document says nothing", () => {
    expect(itemOf(result, "only two").why).toBe("Not written down in the document it was imported from.");
  });

  it("E21 reads a row without outer pipes", () => {
    expect(itemOf(result, "without outer pipes").why).toBe("It still is a row.");
  });
});

describe("tables that are broken or hidden", () => {
  const result = importFixture("broken-table.md");

  it("puts rows back that a blank line tore off their table, and says so", () => {
    expect(Object.values(result.items).filter(({ upstream }) => upstream === "alpha")).toHaveLength(4);
    expect(itemOf(result, "torn off by a blank line").refs[0]?.ref).toBe("acme/alpha#301");
    expect(itemOf(result, "torn off once more").why).toBe("And this.");
    expect(result.remarks.some(({ line, text }) => line === 6 && text.includes("breaks the table of line 3"))).toBe(true);
  });

  it("looks through a comment between rows", () => {
    expect(itemOf(result, "after a comment").why).toBe("Comments do not count.");
  });

  it("joins a head with its line when a blank line stands between", () => {
    expect(itemOf(result, "the line under the head").upstream).toBe("beta");
  });

  it("finds a table inside a quote", () => {
    expect(itemOf(result, "inside a quote").refs[0]?.ref).toBe("acme/beta#306");
  });

  it("counts every row", () => {
    expect([result.rows, result.cells.reported]).toEqual([6, 0]);
  });
});

describe("A45 rows of real trackers", () => {
  const result = importFixture("a45-rows.md");

  it("A45 keeps two rows about one thread apart: a reference is not a key", () => {
    expect(itemOf(result, "the kernel cliff").refs[0]?.ref).toBe("acme/alpha#15");
    expect(itemOf(result, "the persistent buffer").refs[0]?.ref).toBe("acme/alpha#15");
  });

  it("A45 takes PR from the label and the address", () => {
    expect(itemOf(result, "anchor drift").refs[0]).toMatchObject({ ref: "acme/alpha#12", role: "fix", kind: "pull-request" });
  });

  it("A45 keeps a row without a link, as not filed", () => {
    expect(itemOf(result, "No issue filed yet")).toMatchObject({ refs: [], filed: false, claim: { says: "open", symbol: "🔴" } });
  });

  it("A45 reads several references in one cell with their roles", () => {
    expect(roles(itemOf(result, "Two threads"))).toEqual(["bug acme/alpha#20", "fix acme/alpha#21"]);
    expect(itemOf(result, "Two threads").title).toBe("Two threads (#20, PR #21)");
  });

  it("A45 keeps the anchor of a discussion's comment", () => {
    expect(itemOf(result, "what a maintainer said").refs[0]).toMatchObject({
      ref: "acme/alpha#22#discussioncomment-16785590",
      kind: "discussion",
    });
  });

  it("A45 a struck row is retired, keeps its words and its thread", () => {
    const item = itemOf(result, "a bug that went away");
    expect([item.local, item.refs[0]?.role, item.title]).toEqual(["retired", "bug", "a bug that went away"]);
    expect(item.notes.map(({ text }) => text)).toContain("The row was struck through.");
  });

  it("A45 takes a model's page for an asset and its trigger for a condition", () => {
    const item = itemOf(result, "corrected templates");
    expect(item.refs[0]).toEqual({ ref: "hf:maker/Chat-Templates", role: "fix" });
    expect(item.claim).toMatchObject({ on: "2026-02-03", symbol: "🟡" });
    expect(item.workaround?.drop).toEqual({ manual: { what: "When the official template does." } });
    expect(result.upstreams[item.upstream]).toMatchObject({ kind: "assets", title: "Assets (Hugging Face)" });
  });

  it("A45 knows its own repository from what no row is about", () => {
    expect(result.tracker.repo).toBe("home/stack");
  });
});

describe("references", () => {
  const result = importFixture("refs.md");

  it("reads the references that lead a row, in order", () => {
    expect(roles(itemOf(result, "two that lead"))).toEqual([
      "bug acme/alpha#1489",
      "fix acme/alpha#1491",
      "context acme/alpha#1500",
      "context acme/alpha@abc1234def",
    ]);
  });

  it("resolves bare numbers by section, by what is linked, and leaves counts alone", () => {
    expect(roles(itemOf(result, "a bare number"))).toEqual([
      "bug acme/alpha#1502",
      "context acme/alpha#1489",
      "context acme/alpha#1491",
      "context home/stack#7",
    ]);
  });

  it("reads releases and pages", () => {
    expect(roles(itemOf(result, "written in full"))).toEqual([
      "bug acme/alpha#1503",
      "context acme/alpha@v2.0.0",
      "context page:https://blog.example.org/fast?x=1",
    ]);
  });

  it("remembers a former owner, and says that it guessed", () => {
    expect(itemOf(result, "the owner was renamed").refs[0]?.ref).toBe("old-acme/alpha#1504");
    expect(result.upstreams.alpha).toMatchObject({ repo: "acme/alpha", former: ["old-acme/alpha"] });
    expect(result.remarks.some(({ text }) => text.startsWith("old-acme/alpha is taken for a former name"))).toBe(true);
  });

  it("keeps a comment's anchor as background, and who filed it", () => {
    const item = itemOf(result, "A leak we filed");
    expect(roles(item)).toEqual(["context acme/alpha#1505#issuecomment-4359541875", "bug other/genesis#19"]);
    expect(item.refs[1]?.ours).toBe(true);
  });

  it("takes the successor that a status names for a fix", () => {
    expect(roles(itemOf(result, "superseded"))).toEqual(["fix acme/alpha#1506", "fix acme/alpha#1507"]);
  });

  it("reads links by reference, bare addresses and paths of the stack", () => {
    const item = itemOf(result, "a link by reference");
    expect(item.refs.map(({ ref }) => ref)).toEqual(["acme/alpha#1508", "acme/alpha#1509"]);
    expect([item.why, item.workaround?.what]).toEqual(["acme/alpha#1509 stands bare.", "`docs/x.md`"]);
  });
});

describe("statuses", () => {
  const result = importFixture("statuses.md");
  const claim = (start: string) => itemOf(result, start).claim;

  it.each([
    ["several symbols", { says: "open", symbol: "🟡🔴", note: "Open, no PR" }],
    ["a symbol later", { says: "open", symbol: "🟡", note: "Open, ❌ negative on our stack" }],
    ["words beat the symbol", { on: "2026-05-08", says: "open", symbol: "🟢", note: "OUR FIX PR OPEN (filed 2026-05-08)" }],
    ["merged, not there", { says: "merged", symbol: "✅", note: "Merged 2026-06-15 / NOT in v0.23.0" }],
    ["merged and there", { says: "landed", symbol: "✅" }],
    ["only words", { says: "closed", note: "won't fix" }],
    ["a shortcode", { says: "closed", symbol: ":white_check_mark:", note: "done" }],
    ["the document's own symbol", { says: "closed", symbol: "🧊" }],
    ["a negative result", { says: "local", symbol: "❌", note: "Negative result" }],
    ["Ten without a thread", { says: "local", symbol: "🔴" }],
    ["seen on a day", { on: "2026-03-04", says: "open" }],
    ["a local one", { says: "local", symbol: "⚫" }],
  ])("reads %s", (start, expected) => {
    expect(claim(start)).toMatchObject(expected);
  });

  it("keeps the words of every status and derives none", () => {
    expect(itemOf(result, "a negative result").local).toBe("negative-result");
    expect(itemOf(result, "a local one")).toMatchObject({ local: "backported", pursued: false });
    expect(Object.values(result.items).every(({ override }) => override === undefined)).toBe(true);
  });

  it("a mapping can say what a symbol means", () => {
    expect(itemOf(importFixture("statuses.md", { statuses: { "🧊": "merged" } }), "the document's own symbol").claim?.says).toBe("merged");
  });
});

describe("tables of other columns", () => {
  const result = importFixture("flat.md");

  it("maps columns by heading words and upstreams by their column", () => {
    expect(itemOf(result, "Crash at start")).toMatchObject({
      upstream: "alpha",
      why: "Nothing runs.",
      workaround: { what: "Pin the old one." },
      claim: { on: "2026-04-05", says: "open" },
    });
    expect(itemOf(result, "Faster loading")).toMatchObject({
      upstream: "beta",
      refs: [{ ref: "acme/beta#2", role: "fix" }],
      claim: { says: "merged" },
    });
    expect(itemOf(result, "Wrong colours")).toMatchObject({ upstream: "gamma", refs: [] });
  });

  it("keeps columns that have no field as notes, with their heading", () => {
    expect(itemOf(result, "Crash at start").notes).toEqual([{ text: "Owner: ann" }]);
  });
});

describe("pins, follow-ups and prose", () => {
  const result = importFixture("pins-and-queue.md");

  it("reads a queue: what waits, what is done and since when", () => {
    const all = Object.values(result.followUps);
    expect(all.find(({ title }) => title.includes("waits for a review"))).toMatchObject({
      title: "🟡 acme/alpha#1 — waits for a review. Filed 2026-05-05.",
      refs: [{ ref: "acme/alpha#1", role: "bug", kind: "issue" }],
      why_deferred: "They are slow.",
      when: { manual: { what: "They answer." } },
      items: ["alpha-slow-reviews"],
    });
    expect(all.find(({ title }) => title.startsWith("Bump the pin"))?.done).toEqual({
      on: "2026-05-05",
      outcome: "✅ Done 2026-05-05 — bumped.",
    });
    expect(all.find(({ title }) => title.startsWith("Rebase acme/alpha#2"))?.done).toMatchObject({
      on: "2026-07-01",
      outcome: "Superseded.",
    });
    expect(all.find(({ title }) => title.includes("BUMPED 2026-06-01"))?.done).toMatchObject({
      on: "2026-06-01",
      outcome: "Took a while.",
    });
    expect(all.find(({ title }) => title.startsWith("Half ~~struck~~"))?.done).toBeUndefined();
  });

  it("reads pins: artifact, mutability, claimed users, retirement", () => {
    const first = result.pins["alpha-server-nightly-01d4d1ad"];
    expect(first).toMatchObject({
      artifact: "oci:docker.io/alpha/alpha-server:nightly-01d4d1ad",
      mutability: "immutable",
      source: { commit: "01d4d1ad" },
      claim: { users: 19, note: "19 (all models)" },
      retire: { when: { manual: { what: "When acme/alpha#1 merges." } } },
      upstream: "alpha",
    });
    expect(result.pins["beta-cuda"]).toMatchObject({ mutability: "floating" });
    expect(result.pins["gamma-0123456789abcdef"]).toMatchObject({ artifact: "git:acme/gamma@0123456789abcdef", mutability: "immutable" });
    const purged = Object.values(result.pins).find(({ title }) => title.includes("PURGED"));
    expect(purged).toMatchObject({ written: [{ file: "engines/mtp.yml" }], notes: [{ text: "Not a candidate." }] });
    expect(purged?.retire).toBeUndefined();
    expect(result.remarks.some(({ text }) => text.includes("is abbreviated"))).toBe(true);
  });

  it("completes an abbreviated tag when the tree runs exactly one such build", () => {
    const full = "docker.io/alpha/alpha-server:nightly-01d4d1ad3df424a9f9e33f2bffed5ce5be6c8d95";
    const of = (images: string[]) => importText(fixture("pins-and-queue.md"), {}, new Map(), images).pins["alpha-server-nightly-01d4d1ad"];
    expect(of([full, "docker.io/alpha/other:nightly-01d4d1ad3"])).toMatchObject({
      artifact: `oci:${full}`,
      source: { commit: full.slice(-40) },
    });
    expect(of([full, `${full.slice(0, -8)}00000000`])?.artifact).toBe("oci:docker.io/alpha/alpha-server:nightly-01d4d1ad");
    expect(of([])?.artifact).toBe("oci:docker.io/alpha/alpha-server:nightly-01d4d1ad");
  });

  it("reads retired pins with their day", () => {
    expect(Object.values(result.pins).find(({ retired }) => retired)?.retired).toEqual({
      on: "2026-04-01",
      because: "Retired 2026-04-01 for good.",
    });
  });

  it("keeps a row of pins without an artifact as a note, and says so", () => {
    expect(result.tracker.notes.some(({ text }) => text.includes("just some words"))).toBe(true);
    expect(result.remarks.some(({ text }) => text.includes("names no image"))).toBe(true);
  });

  it("keeps prose between tables with the upstream it stands under", () => {
    expect(result.upstreams.alpha?.notes.map(({ text }) => text)).toEqual([
      "Alpha runs everything.",
      "First remark.",
      "Second remark with a link (acme/alpha#77).",
      "Text below the table.",
    ]);
    expect(result.upstreams.alpha?.see).toEqual(["acme/alpha#77"]);
  });

  it("keeps numbered rules as conventions", () => {
    expect(result.tracker.conventions).toEqual(["Add a row.", "Keep it."]);
  });

  it("a dash is reported, because nothing of it is in a row", () => {
    expect(result.unplaced.map(({ text, why }) => [text, why.startsWith("a dash")])).toEqual([
      ["—", true],
      ["—", true],
      ["—", true],
      ["—", true],
    ]);
    expect(result.cells.placed + result.cells.reported).toBe(result.cells.total);
  });
});

describe("what the headings do not tell", () => {
  it("asks about unknown columns and tables, and shows the mapping that settles it", () => {
    let error: unknown;
    try {
      importFixture("unclear.md");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UnclearTables);
    const { questions, message } = error as UnclearTables;
    expect(questions).toEqual([
      {
        line: 3,
        section: "alpha",
        heads: ["Issue / PR", "Status", "Why it matters", "Moon phase"],
        unknown: ["Moon phase"],
        kind: "items",
      },
      { line: 7, section: "alpha", heads: ["Ingredient", "Grams"], unknown: [], kind: undefined },
    ]);
    expect(message).toContain("TRACKER.md:3");
    expect(message).toContain('columns: { "Moon phase": notes }');
  });

  it("does as the mapping says", () => {
    const result = importFixture("unclear.md", {
      tables: [
        { headings: ["Moon phase"], as: "items", columns: { "Moon phase": "notes" } },
        { headings: ["Ingredient"], as: "notes" },
      ],
    });
    expect(itemOf(result, "a").notes).toEqual([{ text: "Moon phase: full" }]);
    expect(result.upstreams.alpha?.notes).toEqual([{ text: "Ingredient: Flour; Grams: 500" }]);
  });

  it("reports the cells of a table that the mapping leaves out", () => {
    const result = importFixture("unclear.md", {
      tables: [{ headings: ["Moon phase"], as: "items", columns: { "Moon phase": "notes" } }],
      other_tables: "leave",
    });
    expect(result.cells).toEqual({ total: 6, placed: 4, reported: 2 });
    expect(result.unplaced.map(({ text }) => text)).toEqual(["Flour", "500"]);
  });

  it("refuses a document without tables", () => {
    expect(() => importText("# Nothing\n\nOnly words.\n")).toThrow(NothingToImport);
  });

  it("refuses an empty document", () => {
    expect(() => importText("")).toThrow(NothingToImport);
  });
});

describe("a second import", () => {
  it("changes nothing", () => {
    const first = importFixture("a45-rows.md");
    const existing = new Map(first.files.map(({ path, content }) => [path, content]));
    const second = importText(fixture("a45-rows.md"), {}, existing);
    expect(second.files.every(({ state }) => state === "same")).toBe(true);
    expect(second.files.map(({ content }) => content)).toEqual(first.files.map(({ content }) => content));
  });

  it("takes a row with comments, or with an earlier claim, for the same row", () => {
    const first = importFixture("a45-rows.md");
    const existing = new Map(
      first.files.map(({ path, content }) => [path, `# kept by hand\n${content.replace("on: 2026-07-01", "on: 2026-06-01")}`]),
    );
    const second = importText(fixture("a45-rows.md"), {}, existing);
    expect(second.files.filter(({ state }) => state === "differs")).toEqual([]);
    expect(second.files.every(({ content, path }) => content !== existing.get(path) || content.startsWith("# kept by hand"))).toBe(true);
  });

  it("sees a row that says something else, and never changes lists that people keep", () => {
    const first = importFixture("a45-rows.md");
    const existing = new Map(first.files.map(({ path, content }) => [path, content]));
    existing.set(
      "data/items/alpha-anchor-drift.yaml",
      (existing.get("data/items/alpha-anchor-drift.yaml") ?? "").replace("stake: watch", "stake: blocks"),
    );
    existing.set(
      "data/tracker.yaml",
      "title: mine\nrepo: home/stack\nzone: UTC\nthresholds: { stalled_after_days: 9, claim_stale_after_days: 9 }\nnotes:\n  - text: my own\n",
    );
    const second = importText(fixture("a45-rows.md"), {}, existing);
    expect(second.files.filter(({ state }) => state === "differs").map(({ path }) => path)).toEqual(["data/items/alpha-anchor-drift.yaml"]);
    expect(second.files.find(({ path }) => path === "data/tracker.yaml")).toMatchObject({
      state: "same",
      content: existing.get("data/tracker.yaml"),
    });
    expect(second.unplaced.some(({ text, why }) => text.startsWith("The stack lives at") && why.includes("has notes of its own"))).toBe(
      true,
    );
    expect(second.prose.placed + second.prose.reported).toBe(second.prose.total);
  });

  it("adds notes to an upstream that has none yet, and keeps every other byte", () => {
    const before = "# made by init\ntitle: alpha\nrepo: acme/alpha   # the engine\n";
    const result = importText(fixture("pins-and-queue.md"), {}, new Map([["data/upstreams/the-engine.yaml", before]]));
    const file = result.files.find(({ path }) => path === "data/upstreams/the-engine.yaml");
    expect(file?.state).toBe("extended");
    expect(file?.content.startsWith(before)).toBe(true);
    expect(Object.values(result.items).every(({ upstream }) => upstream === "the-engine")).toBe(true);
  });
});
