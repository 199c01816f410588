import { describe, expect, it } from "vitest";
import { stackOf } from "../../../test/world.ts";
import { derive } from "../../derive/derive.ts";
import type { Event } from "../events.ts";
import { itemBadge, pinBadge, stackBadge } from "./badge.ts";
import { calendarOf, daysIn, duesOf } from "./calendar.ts";
import { feedsOf } from "./feed.ts";

const HOSTILE = `<img src=x onerror="alert(1)"> ]]> & "quotes"`;
const event: Event = {
  id: "merged/u/r#1/2026-05-01",
  at: "2026-05-01",
  kind: "merged",
  items: ["one"],
  text: HOSTILE,
  ref: "u/r#1",
  url: "https://github.com/u/r/pull/1",
};
const about = { title: "A & B", path: "changes", site: "https://example.org/base/", asOf: "2026-05-12T00:00:00Z" };
const feeds = () => feedsOf([event], about, () => "https://example.org/base/items/one/");

describe("feeds", () => {
  it("hold upstream text as text, in Atom and in JSON", () => {
    const { atom, json } = feeds();
    expect(atom).not.toContain("<img");
    expect(atom).toContain("&lt;img src=x onerror=");
    const [item] = (JSON.parse(json) as { items: { title: string; content_html: string }[] }).items;
    expect(item?.title).toBe(HOSTILE);
    expect(item?.content_html).not.toContain("<");
  });
  it("are the same for the same facts, and name themselves", () => {
    expect(feeds()).toEqual(feeds());
    expect(feeds().atom).toContain('rel="self" href="https://example.org/base/changes/feed.atom"');
    expect((JSON.parse(feeds().json) as { feed_url: string }).feed_url).toBe("https://example.org/base/changes/feed.json");
  });
  it("name an author, as Atom asks for, and the day of what happened", () => {
    expect(feeds().atom).toContain("<author>\n        <name>A &amp; B</name>");
    const [item] = (JSON.parse(feeds().json) as { items: { date_published: string }[] }).items;
    expect(item?.date_published).toBe("2026-05-01T00:00:00.000Z");
  });
  it("keep the newest hundred", () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ ...event, id: `e${at}` }));
    expect((JSON.parse(feedsOf(many, about, () => "https://example.org/").json) as { items: unknown[] }).items).toHaveLength(100);
  });
});

const derived = (stack: Parameters<typeof stackOf>[0]) => {
  const { model, observed } = stackOf(stack);
  return derive(model, observed);
};

describe("the calendar", () => {
  const stack = derived({
    followUps: {
      dated: { when: { all: [{ after: "2026-06-01" }, { manual: { what: "ask" } }] } },
      done: { when: { after: "2026-06-01" }, done: { on: "2026-05-01", outcome: "Done." } },
      open: {},
    },
    triggers: { fired: { when: { closed: "u/r#1" }, title: "Line one, with; marks" }, waiting: { when: { closed: "u/r#2" } } },
    items: { row: { override: { status: "landed", because: "We saw it.", until: "2026-07-01" } } },
    facts: { threads: { "u/r#1": { state: "closed", closedAt: "2026-05-01" } } },
  });

  it("holds what has a day, what fired and where a hand-set status ends; not what is done or waits without a day", () => {
    expect(duesOf(stack).map(({ id, on }) => [id, on])).toEqual([
      ["fired", "2026-05-12"],
      ["dated", "2026-06-01"],
      ["row", "2026-07-01"],
    ]);
  });
  it("finds days inside nested conditions", () => {
    expect(daysIn({ any: [{ after: "2026-09-01" }, { all: [{ not: { after: "2026-01-01" } }] }] })).toEqual(["2026-01-01", "2026-09-01"]);
    expect(daysIn(undefined)).toEqual([]);
  });
  it("is the same text for the same facts, with whole days and short lines", () => {
    const text = calendarOf(stack, { title: "T", link: ({ id }) => `https://example.org/${id}` });
    expect(calendarOf(stack, { title: "T", link: ({ id }) => `https://example.org/${id}` })).toBe(text);
    expect(text).toContain("DTSTART;VALUE=DATE:20260601");
    expect(text).toContain("DTSTAMP:20260512T000000Z");
    expect(text).toContain("SUMMARY:Line one\\, with\\; marks");
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  });
});

describe("badges", () => {
  const stack = derived({
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }], stake: "blocks" }, bare: {} },
    pins: { clean: { commit: "b" }, other: { commit: "c" } },
    facts: {
      threads: { "u/r#1": { kind: "pull-request", state: "closed", merged: true, mergedAt: "2026-05-01", mergeCommit: "a", base: "main" } },
      contains: { a: { b: "no", c: "yes" } },
    },
  });
  it("say the status and the verdict in words", () => {
    expect(itemBadge(stack, "row")).toContain("<title>r#1: merged, awaiting propagation</title>");
    expect(itemBadge(stack, "bare")).toContain("<title>bare: open, no PR yet</title>");
    expect(pinBadge(stack, "clean")).toContain("<title>clean: lacks 1 change</title>");
    expect(pinBadge(stack, "other")).toContain("<title>other: lacks nothing</title>");
    expect(stackBadge(stack)).toContain("A stack upstream: ");
  });
});
