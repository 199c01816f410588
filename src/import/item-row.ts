import { parseRef, shortRef } from "../model/ref.ts";
import type { Stake } from "../model/vocabulary.ts";
import type { Role } from "./columns.ts";
import { slug } from "./ids.ts";
import { numberOf, saysNoMore } from "./links.ts";
import type { Found } from "./prose.ts";
import { rowRefs } from "./roles.ts";
import { NOT_WRITTEN, isDash, noteCell } from "./row.ts";
import type { Around, BuiltRow, Cell } from "./row.ts";
import { readTitle, wordsOf } from "./title.ts";
import { claimOf, firstSymbol, isDay, localOf, readStatus, seenOn } from "./status.ts";

/** A row of a tracker's table as an item. Cells beyond the table's columns, and columns without a field, become notes. */
export function itemRow(cells: readonly Cell[], roles: readonly (Role | undefined)[], around: Around): BuiltRow {
  const at = (role: Role): Cell | undefined => cells[roles.indexOf(role)];
  const title = at("title");
  const status = at("status");
  const read = readTitle(title, around);
  const refsCell = at("refs");
  const unstruck = (one: Found): Found => (read.struck ? { ...one, struck: false } : one);
  const places = cells.flatMap((cell) => {
    const place = cell === title || cell === refsCell ? ("title" as const) : cell === status ? ("status" as const) : ("rest" as const);
    return [...cell.prose.found, ...cell.mentions].sort((a, b) => a.at - b.at).map((one) => ({ place, one: unstruck(one) }));
  });
  places.sort((a, b) => ORDER[a.place] - ORDER[b.place]);
  const refs = rowRefs(places, around, read.leads);
  const said = readStatus(status?.prose.text ?? "");
  const heading = readStatus(read.title);
  const words = `${said.symbol ?? ""} ${said.words}`;
  const what = at("workaround")?.prose.text ?? "";
  const drop = at("drop")?.prose.text ?? "";
  const local = localOf(words, what || drop, read.struck);
  const claim =
    status && !isDash(status.prose.text)
      ? claimFrom(
          said,
          at("seen"),
          around,
          refs.some(({ ref, role }) => role !== "context" && parseRef(ref)?.type === "thread"),
        )
      : headClaim(heading, around);
  const ours = OURS.test(`${title?.prose.text} ${said.words}`);
  const lead = refs.find(({ role }) => role === "fix" || role === "bug");
  if (lead?.role === "bug" && /^\W*(?:tracking|tracker|umbrella|meta)\b/i.test(read.title)) lead.role = "tracking";
  if (lead && ours) lead.ours = true;
  if (lead && read.leads.length === 1 && parseRef(lead.ref)?.type === "thread") lead.title = read.title;
  for (const one of read.leads) {
    const ref = refs.find((found) => found.ref === one.ref);
    if (ref && !saysNoMore(one.label, one)) ref.note = one.label;
  }
  const deciding = refs.some(({ role }) => role !== "context");
  const value: Record<string, unknown> = {
    title: read.title || shortRef(refs[0]?.ref ?? "") || "Row without a title",
    upstream: around.upstream,
    ...(refs.length > 0 ? { refs } : {}),
    stake: stakeOf(at("stake")?.prose.text, local, `${said.words} ${at("why")?.prose.text ?? ""}`),
    why: text(at("why")) ?? NOT_WRITTEN,
    local,
    ...(what && !isDash(what) ? { workaround: { what, ...dropOf(drop) } } : {}),
    ...(!(what && !isDash(what)) && drop && !isDash(drop) ? { workaround: { what: NOT_WRITTEN, ...dropOf(drop) } } : {}),
    ...(firstSymbol(said.symbol) === "⚫" && (local === "vendored" || local === "backported") ? { pursued: false } : {}),
    ...(!deciding || (NOT_FILED.test(words.toLowerCase()) && refs.every(({ role }) => role !== "bug" && role !== "fix"))
      ? { filed: false }
      : {}),
    ...(claim ? { claim } : {}),
  };
  const row: BuiltRow = {
    kind: "item",
    wanted: `${around.upstream}-${slug(wordsOf(read.title), slug(shortRef(refs[0]?.ref ?? ""), "row"))}`,
    ...(numberOf(refs[0]?.ref ?? "") === undefined ? {} : { number: numberOf(refs[0]?.ref ?? "") }),
    line: cells[0]?.line ?? 1,
    value,
    cells: [],
    remarks: [],
  };
  const notes = [...(read.rest ? [read.rest] : []), ...(read.struck ? ["The row was struck through."] : [])].map((text) => ({ text }));
  if (notes.length > 0) row.value.notes = notes;
  cells.forEach((cell, index) => {
    placeCell(row, cell, roles[index], read.rest !== undefined);
  });
  return row;
}

const ORDER = { title: 0, status: 1, rest: 2 };
const OURS = /\bwe filed\b|\bfiled (?:\S+ ){0,3}by us\b|\bour (?:fix )?PR\b/i;
const NOT_FILED = /\bnot filed\b|\bno (?:upstream )?(?:issue|pr|bug)(?: is)? filed\b|\bto file\b|\bnot yet filed\b|\bunfiled\b/;

const text = (cell: Cell | undefined): string | undefined => (cell && !isDash(cell.prose.text) ? cell.prose.text : undefined);
const dropOf = (drop: string) => (drop && !isDash(drop) ? { drop: { manual: { what: drop } } } : {});

function claimFrom(said: ReturnType<typeof readStatus>, seen: Cell | undefined, around: Around, linked: boolean): Record<string, unknown> {
  const day = seen && isDay(seen.prose.text) ? seen.prose.text : seenOn(said.words, around.asOf);
  const says = claimOf(said, around.statuses) ?? "local";
  return {
    on: day ?? around.asOf,
    says: says === "open" && !linked && !/\bopen\b/i.test(said.words) ? "local" : says,
    ...(said.symbol ? { symbol: said.symbol } : {}),
    ...(said.words ? { note: said.words } : {}),
  };
}

/** A table without a status column may still carry the symbol in front of its title. */
function headClaim(heading: ReturnType<typeof readStatus>, around: Around): Record<string, unknown> | undefined {
  const says = heading.symbol === undefined ? undefined : claimOf({ symbol: heading.symbol, words: "" }, around.statuses);
  return says && { on: around.asOf, says, symbol: heading.symbol };
}

const STAKES: readonly (readonly [RegExp, Stake])[] = [
  [/\b(?:blocks|blocker|blocking|critical|p0|highest)\b/i, "blocks"],
  [/\b(?:degrades|high|medium|major|p1|p2)\b/i, "degrades"],
  [/\b(?:watch|low|minor|info|p3|p4|trivial)\b/i, "watch"],
];

/** How much depends on the row. A column for it decides; else words of the row, with care, because blocks fails checks. */
function stakeOf(column: string | undefined, local: string, words: string): Stake {
  const told = column === undefined ? undefined : STAKES.find(([pattern]) => pattern.test(column))?.[1];
  if (told) return told;
  const carried = local === "vendored" || local === "backported" || local === "workaround";
  if (!carried) return "watch";
  return /\b(?:blocks|blocked|blocker|critical|load-bearing|cannot boot|unservable)\b/i.test(words) ? "blocks" : "degrades";
}

function placeCell(row: BuiltRow, cell: Cell, role: Role | undefined, longTitle: boolean): void {
  const { value } = row;
  const put = (...paths: (string | number)[][]) => row.cells.push({ cell, paths });
  if (isDash(cell.prose.text)) {
    row.cells.push({ cell, paths: [] });
    return;
  }
  switch (role) {
    case "title":
      put(["refs"], ["title"], ...(longTitle ? [["notes", 0, "text"]] : []));
      return;
    case "refs":
      if (cell.prose.found.length + cell.mentions.length > 0) return void put(["refs"]);
      break;
    case "status":
      return void put(["claim", "symbol"], ["claim", "note"]);
    case "why":
      return void put(["why"]);
    case "workaround":
      return void put(["workaround", "what"]);
    case "drop":
      return void put(["workaround", "drop", "manual", "what"]);
    case "upstream":
      return void put(["upstream"], ["refs"]);
    case "seen":
      if ((value.claim as { on?: string } | undefined)?.on === cell.prose.text) return void put(["claim", "on"]);
      break;
    case "stake":
      break;
    default:
      break;
  }
  noteCell(row, cell, cell.head ? `${cell.head}: ${cell.prose.text}` : cell.prose.text);
}
