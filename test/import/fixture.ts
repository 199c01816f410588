import { readFileSync } from "node:fs";
import type { Imported } from "../../src/import/account.ts";
import { importMarkdown } from "../../src/import/import.ts";
import type { Mapping } from "../../src/import/mapping.ts";
import { parseRow } from "../../src/model/parse.ts";
import type { FollowUp } from "../../src/model/shapes/trigger.ts";
import type { Item } from "../../src/model/shapes/item.ts";
import type { Pin } from "../../src/model/shapes/pin.ts";
import type { Tracker } from "../../src/model/shapes/tracker.ts";
import type { Upstream } from "../../src/model/shapes/upstream.ts";
import type { Kind } from "../../src/model/vocabulary.ts";
import { KINDS } from "../../src/model/vocabulary.ts";

export const fixture = (name: string): string => readFileSync(new URL(`../fixtures/import/${name}`, import.meta.url), "utf8");

export interface Result extends Imported {
  items: Record<string, Item>;
  pins: Record<string, Pin>;
  followUps: Record<string, FollowUp>;
  upstreams: Record<string, Upstream>;
  tracker: Tracker;
}

/** Imports a text and reads every file back, by kind and id. */
export function importText(
  text: string,
  mapping: Mapping = {},
  existing: ReadonlyMap<string, string> = new Map(),
  images: readonly string[] = [],
): Result {
  const result = importMarkdown({
    name: "TRACKER.md",
    text,
    mapping,
    asOf: "2026-07-01",
    own: undefined,
    existing,
    schemas: undefined,
    images,
  });
  const of = (kind: Kind) =>
    Object.fromEntries(
      result.files
        .filter(({ path }) => path.startsWith(`data/${KINDS[kind]}`))
        .map(({ path, content }) => [path.replace(/^.*\//, "").replace(".yaml", ""), parseRow(kind, path, content).value]),
    );
  return {
    ...result,
    items: of("item") as Result["items"],
    pins: of("pin") as Result["pins"],
    followUps: of("followUp") as Result["followUps"],
    upstreams: of("upstream") as Result["upstreams"],
    tracker: of("tracker").tracker as Tracker,
  };
}

export const importFixture = (name: string, mapping: Mapping = {}): Result => importText(fixture(name), mapping);

/** The item whose title starts with some words. */
export function itemOf(result: Result, start: string): Item {
  const found = Object.values(result.items).find(({ title }) => title.startsWith(start));
  if (!found)
    throw new Error(
      `no item starts with "${start}": ${Object.values(result.items)
        .map(({ title }) => title)
        .join(" / ")}`,
    );
  return found;
}
