import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { STATUSES } from "../../src/model/vocabulary.ts";

const css = readFileSync(new URL("../../site/styles/tokens.css", import.meta.url), "utf8");
const colours = new Map(
  [...css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = "", light = "", dark = ""]) => [
    name,
    { light, dark },
  ]),
);

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["paper", "surface", "sunk"];
const TEXTS = ["ink", "ink-2", "ink-3", "link", "link-2", "alert"];

describe.each(["light", "dark"] as const)("F12 in the %s scheme", (scheme) => {
  const colour = (name: string): string => {
    const found = colours.get(name);
    if (!found) throw new Error(`tokens.css names no colour ${name}`);
    return found[scheme];
  };

  it.each(TEXTS)("%s can be read on every ground", (text) => {
    for (const ground of GROUNDS) expect(contrast(colour(text), colour(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.keys(STATUSES))("F12 the words of %s can be read on every ground and on its own", (status) => {
    for (const ground of [...GROUNDS, `${status}-bg`, "hit"])
      expect(contrast(colour(status), colour(ground)), `${status} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it("ordinary text can be read on the ground of every status", () => {
    for (const status of Object.keys(STATUSES))
      for (const text of ["ink", "ink-2", "link"])
        expect(contrast(colour(text), colour(`${status}-bg`)), `${text} on ${status}`).toBeGreaterThanOrEqual(4.5);
  });
});

it("F10 every status has a shape of its own, so that none is told by colour alone", () => {
  const chrome = readFileSync(new URL("../../site/styles/chrome.css", import.meta.url), "utf8");
  const shapes = Object.keys(STATUSES).map((status) => {
    const rule = [...chrome.matchAll(/([^{}]+)\{([^{}]*)\}/g)].find(
      ([, selector = "", body = ""]) => selector.split(",").some((one) => one.trim() === `.s-${status}`) && body.includes("--shape"),
    );
    return /--shape: (url\([^;]+\));/.exec(rule?.[2] ?? "")?.[1];
  });
  expect(shapes).not.toContain(undefined);
  expect(new Set(shapes).size).toBe(shapes.length);
});
