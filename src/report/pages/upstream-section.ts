import { inWords } from "../../derive/condition.ts";
import type { Contradiction } from "../../derive/contradictions.ts";
import type { Derived } from "../../derive/derive.ts";
import type { Decision } from "../../derive/status.ts";
import { VERDICT_WORDS } from "../../derive/status.ts";
import { fileOf } from "../../model/paths.ts";
import type { Item } from "../../model/shapes/item.ts";
import type { Upstream } from "../../model/shapes/upstream.ts";
import { LOCALS, STAKES } from "../../model/vocabulary.ts";
import { refState } from "../json.ts";
import type { Inline } from "../markdown/build.ts";
import {
  anchor,
  code,
  foreign,
  heading,
  join,
  lineBreak,
  link,
  list,
  paragraph,
  prose,
  refLink,
  strong,
  table,
  text,
} from "../markdown/build.ts";
import { plural, seenText, symbolWords } from "../words.ts";
import { noteText, rowLink } from "./page.ts";
import type { PhrasingContent, RootContent } from "mdast";

/** Contradicted claims by row. */
export type Claims = ReadonlyMap<string, Contradiction>;

/** What blocks stands first; then by id. */
export function byStake(rows: [string, Item][]): [string, Item][] {
  const order = Object.keys(STAKES);
  return [...rows].sort(([a, one], [b, two]) => order.indexOf(one.stake) - order.indexOf(two.stake) || (a < b ? -1 : 1));
}

export function upstreamSection(derived: Derived, id: string, upstream: Upstream, rows: [string, Item][], claims: Claims): RootContent[] {
  if (rows.length === 0 && upstream.notes.length === 0) return [];
  return [
    heading(2, upstream.title),
    paragraph([
      anchor(`upstream-${id}`),
      ...(upstream.repo ? ["Repository: ", link(`https://github.com/${upstream.repo}`, upstream.repo), "."] : [`Kind: ${upstream.kind}.`]),
    ]),
    ...(upstream.notes.length > 0 ? [list(upstream.notes.map((note) => noteText(note)))] : []),
    ...(upstream.see.length > 0 ? [paragraph(["See also: ", ...join(upstream.see.map((ref) => refLink(ref))), "."])] : []),
    ...(rows.length > 0
      ? [
          table(
            ["Row", "Status", "Why it matters", "Locally", "Why that status"],
            rows.map(([row, item]) => itemRow(derived, row, item, claims)),
          ),
        ]
      : []),
  ];
}

function itemRow(derived: Derived, id: string, item: Item, claims: Claims): Inline[] {
  const decision = derived.items[id];
  if (!decision) return [];
  return [
    [anchor(id), link(`../${fileOf("item", id)}`, [strong(prose(item.title))]), ...headRefs(derived, item)],
    statusCell(derived, decision),
    [strong(item.stake), ": ", ...prose(item.why)],
    localCell(derived, item),
    [...becauseCell(decision, claims.get(id)), ...lastClaim(derived, item, decision)],
  ];
}

/** What the maintainers believed, where no observed fact speaks: a belief is more than nothing, and never more than a fact. */
function lastClaim(derived: Derived, item: Item, decision: Decision): PhrasingContent[] {
  const { claim } = item;
  if (!claim || seenText(derived, decision) !== "") return [];
  const said = [claim.symbol, claim.note?.trim()].filter((part) => part !== undefined).join(" ");
  return [lineBreak(), text(`Last claimed ${claim.says}, ${claim.on}${said === "" ? "" : ": "}`), ...prose(said)];
}

function headRefs(derived: Derived, item: Item): PhrasingContent[] {
  return item.refs.flatMap((ref) => [
    lineBreak(),
    text(`${ref.role} `),
    refLink(ref.ref, derived.world.facts.thread(ref.ref)?.kind ?? ref.kind),
    text(` ${refState(derived, ref.ref)}${ref.ours ? ", ours" : ""}`),
  ]);
}

function statusCell(derived: Derived, decision: Decision): Inline {
  const seen = seenText(derived, decision);
  return [
    strong(symbolWords(decision.status)),
    ...(seen ? [lineBreak(), text(seen)] : []),
    ...(decision.facets.length > 0 ? [lineBreak(), ...join(decision.facets.map((facet) => code(facet)))] : []),
  ];
}

function localCell(derived: Derived, item: Item): Inline {
  const { workaround } = item;
  const patches = workaround?.patches.map((patch) => rowLink("patch", patch)) ?? [];
  return [
    strong(item.local),
    text(` (${LOCALS[item.local]})`),
    ...(workaround ? [lineBreak(), ...prose(workaround.what)] : []),
    ...(patches.length > 0 ? [lineBreak(), text("Patches: "), ...join(patches)] : []),
    ...(workaround?.drop ? [lineBreak(), text(`Drop when ${inWords(workaround.drop)}.`)] : []),
    ...(item.notes.length > 0 ? [lineBreak(), text(`${plural(item.notes.length, "note")} in the row.`)] : []),
    ...droppable(derived, workaround?.patches ?? []),
  ];
}

function droppable(derived: Derived, patches: readonly string[]): PhrasingContent[] {
  const ready = patches.filter((id) => derived.patches[id]?.carried && derived.patches[id]?.droppable === "yes");
  return ready.length > 0 ? [lineBreak(), strong(`Can go now: ${ready.join(", ")}.`)] : [];
}

function becauseCell(decision: Decision, found: Contradiction | undefined): PhrasingContent[] {
  const verdicts = decision.pins.map(({ pin, verdict }) => [code(pin), ` ${VERDICT_WORDS[verdict]}`]);
  const followed = decision.deciding
    .flatMap(({ steps }) => steps)
    .map(({ from, to, because }) => [refLink(from), ` ${because}: see `, refLink(to)]);
  return [
    foreign(decision.because),
    ...(followed.length > 0 ? [lineBreak(), ...join(followed, "; ")] : []),
    ...(verdicts.length > 0 ? [lineBreak(), ...join(verdicts, "; ")] : []),
    ...(found ? [lineBreak(), text(`Claimed ${found.claim.says} on ${found.claim.on}: ${found.kind.replace("-", " ")}.`)] : []),
  ];
}
