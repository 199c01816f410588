import { describe, expect, it } from "vitest";
import { claimOf, isDay, localOf, readStatus, seenOn } from "./status.ts";

describe("claimOf", () => {
  it.each([
    ["🟡 Open, mergeable", "open"],
    ["🟠 Open, no fix in progress", "open"],
    ["🔴 Not filed; same fix applies", "local"],
    ["🔴 No issue filed; tweet drafted", "local"],
    ["⚫ Local workaround", "local"],
    ["🔵 Merged into v0.20.0", "merged"],
    ["🔵 Merged upstream, NOT propagated to the pin", "merged"],
    ["🟢 Merged 2026-05-06, overlay dropped", "landed"],
    ["🟢 OUR FIX PR OPEN: #42102", "open"],
    ["🟢 Filed by us / local fix vendored", "open"],
    ["🟢 Closed by us — not a bug", "closed"],
    ["✅ Merged 2025-09-24", "merged"],
    ["✅ Merged 2026-03-12 (in image SHA 7a1eb8ac)", "landed"],
    ["✅ Fixed upstream AND present in our pin", "landed"],
    ["✅ Closed upstream issue, but not solved", "closed"],
    ["✅ Same root-cause as #40361", "closed"],
    ["❌ Negative result", "local"],
    ["❌ Closed without fix", "closed"],
    ["🟣 Closed 2026-06-12 — superseded", "closed"],
    ["🟡 Sander shipped d92bcb3; both fail", "open"],
    ["open", "open"],
    ["won't fix", "closed"],
    ["🦄 magic", undefined],
    ["", undefined],
  ])("%s", (text, claim) => {
    expect(claimOf(readStatus(text))).toBe(claim);
  });

  it("a document's legend gives meaning to a symbol that nobody else knows, and never beats a word", () => {
    const legend = { "🦄": "merged", "🟢": "closed" } as const;
    expect(claimOf(readStatus("🦄"), { legend })).toBe("merged");
    expect(claimOf(readStatus("🦄 open"), { legend })).toBe("open");
    expect(claimOf(readStatus("🟢"), { legend })).toBe("landed");
  });

  it("the mapping file beats everything", () => {
    expect(claimOf(readStatus("🟢 open"), { told: { "🟢": "closed" } })).toBe("closed");
    expect(claimOf(readStatus("shipped to users"), { told: { shipped: "landed" } })).toBe("landed");
  });
});

it.each([
  ["🟡🔴 Open", "🟡🔴", "Open"],
  ["⏸️ Waiting", "⏸️", "Waiting"],
  [":x: no", ":x:", "no"],
  ["Open 🟡", undefined, "Open 🟡"],
  ["1. first", undefined, "1. first"],
  ["#12", undefined, "#12"],
])("readStatus parts %s", (text, symbol, words) => {
  expect(readStatus(text)).toEqual({ symbol, words });
});

it.each([
  ["Validated 2026-05-08 and again verified 2026-05-09", "2026-05-09"],
  ["Merged 2025-09-24", undefined],
  ["Filed 2026-13-45", undefined],
  ["Verified 2030-01-01", undefined],
])("seenOn %s", (words, day) => {
  expect(seenOn(words, "2026-07-01")).toBe(day);
});

it.each([
  ["🟡 Open / local overlay active", "Vendored overlay", "vendored"],
  ["🟡 Open / Genesis backport active", "Genesis PN8", "backported"],
  ["❌ Negative result", "n/a", "negative-result"],
  ["🔴 DO NOT VENDOR on v0.25.1", "Wait.", "do-not-vendor"],
  ["✅ Closed", "n/a — fixed", "none"],
  ["✅ Dropped during migration", "n/a", "retired"],
  ["🟡 Open", "Set a flag.", "workaround"],
  ["🟡 Open", "", "none"],
])("localOf %s, %s", (status, workaround, local) => {
  expect(localOf(status, workaround, false)).toBe(local);
});

it("isDay knows the calendar", () => {
  expect(["2026-02-28", "2026-02-29", "2024-02-29", "26-02-01"].map(isDay)).toEqual([true, false, true, false]);
});
