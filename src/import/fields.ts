import { DELIVERIES, RESULTS } from "../model/vocabulary.ts";
import { isDay } from "./status.ts";

/** How the text of a cell becomes the value of a field. */
export type Reader = "text" | "list" | "path" | "number" | "tokens" | "day" | "truth" | "refs" | readonly string[];

const SETUP = {
  model: "text",
  engine: "text",
  cards: "number",
  context: "tokens",
  mem_util: "number",
  kv: "text",
  vision: "truth",
  drafter: "text",
} as const satisfies Record<string, Reader>;

const within = (prefix: string, fields: Record<string, Reader>): Record<string, Reader> =>
  Object.fromEntries(Object.entries(fields).map(([name, reader]) => [`${prefix}.${name}`, reader]));

export type FieldKind = "measurement" | "variant" | "patch" | "trigger";

/** The fields a column can be mapped to, with how they are read. A field that is not here is not known. */
export const FIELDS: Record<FieldKind, Record<string, Reader>> = {
  measurement: {
    title: "text",
    on: "day",
    rig: "text",
    pins: "list",
    build: "text",
    variant: "text",
    ...within("config", { ...SETUP, patches: "list", batched_tokens: "tokens", other: "text" }),
    test: "text",
    prompt_tokens: "tokens",
    result: Object.keys(RESULTS),
    allocation_mib: "number",
    free_mib: "number",
    boot_mib: "number",
    vram_gb: "number",
    kv_gib: "number",
    kv_tokens: "tokens",
    concurrency: "number",
    wall_s: "number",
    ...within("tps", { narrative: "number", code: "number", decode: "number", prefill: "number" }),
    acceptance_length: "number",
    outcome: "text",
    "source.what": "text",
    notes: "text",
  },
  variant: {
    title: "text",
    slug: "text",
    compose: "path",
    pin: "text",
    ...SETUP,
    standing: ["recommended", "safe", "available", "diagnostic", "experimental"],
    order: "number",
    workloads: "list",
    avoid_for: "list",
    ...within("tps", { narrative: "number", code: "number" }),
    vram_gb: "number",
    measured: "list",
    patches: "list",
    cliffs: "list",
    summary: "text",
    caveats: "list",
    notes: "text",
  },
  patch: {
    title: "text",
    upstream: "text",
    delivery: Object.keys(DELIVERIES),
    files: "list",
    base: "text",
    env: "list",
    part_of: "text",
    covers: "refs",
    required_by: "list",
    load_bearing: "truth",
    "drop.manual.what": "text",
    "dropped.on": "text",
    "dropped.because": "text",
    notes: "text",
  },
  trigger: {
    title: "text",
    "when.manual.what": "text",
    rerun: "list",
    acceptance: "text",
    why: "text",
    cliffs: "list",
    variants: "list",
    items: "list",
    notes: "text",
  },
};

export interface ReadValue {
  value: unknown;
  /** The part of the text that the value stands for. */
  read: string;
}

/**
 * Reads a cell's text for a field. Numbers keep the unit of their field's name: `22,260 MiB` is 22260, `180K` tokens are
 * 180000. Undefined when the text holds no such value; it then stays text.
 */
export function readValue(text: string, reader: Reader, unit?: RegExp): ReadValue | undefined {
  if (typeof reader !== "string") {
    const low = text.toLowerCase();
    const word = [...reader].sort((a, b) => b.length - a.length).find((one) => new RegExp(`(?<![a-z-])${one}(?![a-z-])`).test(low));
    return word === undefined ? undefined : { value: word, read: word };
  }
  switch (reader) {
    case "text":
      return text.trim() === "" ? undefined : { value: text, read: text };
    case "list":
      return text.trim() === "" ? undefined : { value: splitList(text), read: text };
    case "number": {
      const found = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?/.exec(text)?.[0];
      if (found === undefined) return undefined;
      const after = text.slice(text.indexOf(found) + found.length);
      return {
        value: Number(found.replaceAll(",", "")),
        read: found + ((unit && new RegExp(`^\\s*(?:${unit.source})(?![A-Za-z])`, "i").exec(after)?.[0]) ?? ""),
      };
    }
    case "tokens": {
      const found = /(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*([KkM])?/.exec(text);
      if (!found) return undefined;
      const unit = found[2] === undefined ? 1 : found[2] === "M" ? 1_000_000 : 1000;
      return { value: Math.round(Number((found[1] ?? "").replaceAll(",", "")) * unit), read: found[0] };
    }
    case "day": {
      const found = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
      return found !== undefined && isDay(found) ? { value: found, read: found } : undefined;
    }
    case "truth": {
      const found = /✅|❌|\b(?:yes|no|true|false|on|off|none)\b/i.exec(text)?.[0];
      return found === undefined ? undefined : { value: /✅|yes|true|on/i.test(found) && !/none/i.test(found), read: found };
    }
    case "refs":
    case "path":
      return undefined;
  }
}

/** The unit a number of this field has, so that `623s` in wall_s leaves nothing over. */
export function unitOf(path: string): RegExp | undefined {
  return UNITS.find(([field]) => field.test(path))?.[1];
}

const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/_mib$/, /MiB/],
  [/_gib$/, /GiB/],
  [/_gb$/, /GB/],
  [/_s$/, /s|sec|seconds/],
  [/^tps\./, /TPS|tok\/s|tokens\/s/],
  [/^cards$/, /cards?|GPUs?|×|x/],
];

/** Commas, semicolons and line breaks part a list, outside brackets and code. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let code = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "`") code = !code;
    else if (!code && "([{".includes(char)) depth += 1;
    else if (!code && ")]}".includes(char)) depth = Math.max(0, depth - 1);
    else if (
      !code &&
      depth === 0 &&
      /[,;\n]/.test(char) &&
      !(char === "," && /\d/.test(text[at - 1] ?? "") && /\d/.test(text[at + 1] ?? ""))
    ) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

/** Sets a value at a path with dots, making the maps on the way. Lists are added to. */
export function setField(row: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split(".");
  let at = row;
  for (const part of parts.slice(0, -1)) {
    at[part] ??= {};
    at = at[part] as Record<string, unknown>;
  }
  const last = parts.at(-1) ?? "";
  const before = at[last];
  at[last] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}
