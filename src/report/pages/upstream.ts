import type { BlockContent, PhrasingContent, Root, RootContent } from "mdast";
import { ATTENTION } from "../../derive/attention.ts";
import { inWords } from "../../derive/condition.ts";
import type { Contradiction } from "../../derive/contradictions.ts";
import type { Derived } from "../../derive/derive.ts";
import { clause, day } from "../../derive/proof.ts";
import type { Decision } from "../../derive/status.ts";
import { VERDICT_WORDS } from "../../derive/status.ts";
import { groupBy } from "../../model/group.ts";
import { fileOf } from "../../model/paths.ts";
import type { Item } from "../../model/shapes/item.ts";
import type { Upstream } from "../../model/shapes/upstream.ts";
import { FACETS, LOCALS, STAKES, STATUSES } from "../../model/vocabulary.ts";
import type { Kind, Status } from "../../model/vocabulary.ts";
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
  page,
  paragraph,
  prose,
  refLink,
  strong,
  table,
  text,
} from "../markdown/build.ts";
import { plural, seenText, symbolWords } from "../words.ts";

/** Above so many rows the page splits into one for each upstream. */
const SPLIT_ABOVE = 300;

export interface Page {
  path: string;
  tree: Root;
}

/** Contradicted claims by row. */
type Claims = ReadonlyMap<string, Contradiction>;

/** The tracker as Markdown: one page, or an overview and a page for each upstream when it is large. */
export function upstreamPages(derived: Derived): Page[] {
  const { model } = derived.world;
  const rows = groupBy(Object.entries(model.item), ([, item]) => item.upstream);
  const upstreams = Object.entries(model.upstream).sort(([a, one], [b, two]) => one.order - two.order || (a < b ? -1 : 1));
  const claims: Claims = new Map(derived.contradictions.map((found) => [found.item, found]));
  const split = Object.keys(model.item).length > SPLIT_ABOVE;
  const sections = upstreams.map(([id, upstream]) => ({
    id,
    upstream,
    content: upstreamSection(derived, id, upstream, byStake(rows.get(id) ?? []), claims),
  }));
  const front = [...overview(derived), ...followUps(derived), ...triggers(derived), ...pins(derived), ...retiredPins(derived)];
  const back = [...contradictions(derived), ...disagreements(derived), ...conventions(derived)];
  const title = "Upstream tracker";
  const description = `What ${model.tracker.title} waits for, carries and watches upstream, with the proof for every status.`;
  if (!split)
    return [
      { path: "content/UPSTREAM.md", tree: page(title, description, [...front, ...sections.flatMap(({ content }) => content), ...back]) },
    ];
  const index = [
    heading(2, "Upstreams"),
    list(
      sections.map(({ id, upstream }) => [link(`./upstream/${id}.md`, upstream.title), ` (${plural(rows.get(id)?.length ?? 0, "row")})`]),
    ),
  ];
  return [
    { path: "content/UPSTREAM.md", tree: page(title, description, [...front, ...index, ...back]) },
    ...sections.map(({ id, upstream, content }) => ({
      path: `content/upstream/${id}.md`,
      tree: page(`${upstream.title}: upstream rows`, description, content),
    })),
  ];
}

function overview(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const counts = (Object.keys(STATUSES) as Status[])
    .filter((status) => derived.counts[status] > 0)
    .map((status) => [symbolWords(status), String(derived.counts[status])]);
  return [
    paragraph([
      `Issues, pull requests, releases and assets that ${model.tracker.title} depends on. `,
      ...(model.tracker.summary ? prose(model.tracker.summary) : []),
    ]),
    paragraph([
      "Every status is derived from facts observed as of ",
      strong(day(derived.asOf)),
      ", and the reason stands beside it. “Seen” is the day the deciding fact was seen to hold. Merged does not mean usable: a change has landed only when every pin that needs it is proved to contain it.",
    ]),
    heading(2, "Where things stand"),
    table(["Status", "Rows"], counts),
    ...attention(derived),
    heading(2, "Words used here"),
    table(
      ["Status", "Means"],
      (Object.keys(STATUSES) as Status[]).map((status) => [symbolWords(status), STATUSES[status].means]),
    ),
    paragraph("Remarks beside a status:"),
    list(Object.entries(FACETS).map(([facet, means]) => [code(facet), `: ${means}.`])),
    paragraph(["Stake: ", join(Object.entries(STAKES).map(([stake, means]) => [code(stake), ` (${means})`]))].flat()),
  ];
}

function attention(derived: Derived): RootContent[] {
  if (derived.attention.length === 0) return [heading(2, "Needs attention"), paragraph("Nothing.")];
  return [
    heading(2, "Needs attention"),
    table(
      ["What", "Row", "Why"],
      derived.attention.map((entry) => [ATTENTION[entry.kind], rowLink(entry.about.kind, entry.about.id), foreign(entry.text)]),
    ),
  ];
}

const rowLink = (kind: Exclude<Kind, "tracker">, id: string): PhrasingContent => link(`../${fileOf(kind, id)}`, code(id));

function followUps(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const rows = Object.entries(model.followUp).map(([id, row]): Inline[] => {
    const state = derived.followUps[id];
    return [
      [anchor(id), rowLink("followUp", id), lineBreak(), ...prose(row.title)],
      prose(row.why_deferred),
      prose(row.decide),
      row.done
        ? [strong("done"), ` ${row.done.on}: `, ...prose(row.done.outcome)]
        : [strong(state?.life ?? "waiting"), ...(state?.when ? [": ", text(state.when)] : []), ...proofOf(state?.proof)],
    ];
  });
  return [
    heading(2, "Follow-ups"),
    rows.length > 0 ? table(["Follow-up", "Why it was put off", "What to decide", "State"], rows) : paragraph("None."),
  ];
}

function triggers(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const rows = Object.entries(model.trigger).map(([id, row]): Inline[] => {
    const state = derived.triggers[id];
    return [
      [anchor(id), rowLink("trigger", id), lineBreak(), ...prose(row.title)],
      state?.when ?? "",
      [
        ...join(
          row.rerun.map((step) => prose(clause(step))),
          "; ",
        ),
        ". Accepted when: ",
        ...prose(row.acceptance),
      ],
      row.done
        ? [strong("done"), ` ${row.done.on}: `, ...prose(row.done.outcome)]
        : [strong(state?.life ?? "waiting"), ...proofOf(state?.proof)],
    ];
  });
  return [
    heading(2, "Re-test triggers"),
    rows.length > 0 ? table(["Trigger", "Fires when", "Run again", "State"], rows) : paragraph("None."),
  ];
}

function proofOf(evidence: readonly { fact: string; url?: string | undefined }[] | undefined): PhrasingContent[] {
  if (!evidence || evidence.length === 0) return [];
  return [
    lineBreak(),
    ...join(
      evidence.map(({ fact, url }) => (url ? link(url, foreign(fact)) : foreign(fact))),
      "; ",
    ),
  ];
}

function pins(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const rows = Object.values(derived.pins)
    .filter(({ id }) => !model.pin[id]?.retired)
    .map((derivedPin): Inline[] => {
      const { id } = derivedPin;
      const pin = model.pin[id];
      const users = derivedPin.users?.filter((user) => !user.archived);
      const claimed = pin?.claim?.users;
      const counted = users === undefined ? "not known" : plural(users.length, "user");
      return [
        [
          anchor(id),
          rowLink("pin", id),
          lineBreak(),
          code(derivedPin.artifact.replace(/^\w+:/, "")),
          ...(derivedPin.source.commit ? [] : [lineBreak(), text(derivedPin.source.why ?? "")]),
        ],
        [counted, ...(claimed !== undefined && claimed !== users?.length ? [` (a document says ${claimed})`] : [])],
        prose(pin?.reason ?? ""),
        `${derivedPin.availability.state}: ${derivedPin.availability.because}`,
        [
          strong(derivedPin.retirement.ready),
          `: ${derivedPin.retirement.because}`,
          ...(pin?.retire?.note ? [lineBreak(), ...prose(pin.retire.note)] : []),
        ],
      ];
    });
  const users = Object.values(derived.pins).flatMap(({ id, users: found }): BlockContent[][] => {
    const live = found?.filter((user) => !user.archived) ?? [];
    return live.length > 0 ? [[paragraph([code(id), ": ", ...join(live.map((user) => code(`${user.file}:${user.line}`)))])]] : [];
  });
  return [
    heading(2, "Pinned builds"),
    paragraph([
      "Who uses a pin is counted from the tree, never typed. What must be true before a pin can go: ",
      link("./PIN_RETIREMENT.md", "pin retirement"),
      ".",
    ]),
    table(["Pin", "Used by", "Reason", "Can be fetched", "Can it be retired?"], rows),
    heading(3, "Users of each pin"),
    users.length > 0 ? list(users) : paragraph("No inventory of the tree was taken yet."),
  ];
}

function retiredPins(derived: Derived): RootContent[] {
  const rows = Object.entries(derived.world.model.pin).flatMap(([id, pin]) =>
    pin.retired
      ? [[rowLink("pin", id), pin.retired.on, prose(pin.retired.because), pin.retired.replaced_by ? code(pin.retired.replaced_by) : ""]]
      : [],
  );
  return [heading(3, "Retired pins"), rows.length > 0 ? table(["Pin", "Retired", "Why", "Replaced by"], rows) : paragraph("None yet.")];
}

/** What blocks stands first; then by id. */
function byStake(rows: [string, Item][]): [string, Item][] {
  const order = Object.keys(STAKES);
  return [...rows].sort(([a, one], [b, two]) => order.indexOf(one.stake) - order.indexOf(two.stake) || (a < b ? -1 : 1));
}

function upstreamSection(derived: Derived, id: string, upstream: Upstream, rows: [string, Item][], claims: Claims): RootContent[] {
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

export function noteText(note: {
  on?: string | undefined;
  by?: string | undefined;
  text: string;
  ref?: string | undefined;
}): PhrasingContent[] {
  const head = [note.on, note.by].filter((part) => part !== undefined).join(", ");
  return [
    ...(head ? [strong(head), text(": ")] : []),
    ...prose(note.text),
    ...(note.ref ? [text(" ("), refLink(note.ref), text(")")] : []),
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

function contradictions(derived: Derived): RootContent[] {
  const rows = derived.contradictions.map(({ item, ref, claim, fact, kind }): Inline[] => [
    rowLink("item", item),
    refLink(ref, derived.world.facts.thread(ref)?.kind),
    `${claim.says}, ${claim.on}`,
    `${fact.state}${fact.since ? ` since ${day(fact.since)}` : ""}`,
    kind,
    [foreign(fact.source), ...(fact.asOf ? [`, seen ${day(fact.asOf)}`] : [", seen on an unknown day"])],
  ]);
  return [
    heading(2, "Claims that the facts contradict"),
    paragraph([
      code("wrong-then"),
      ": not so on the day of the claim. ",
      code("outdated"),
      ": overtaken on a known day. ",
      code("undated"),
      ": does not hold, since when is not known.",
    ]),
    rows.length > 0 ? table(["Row", "Reference", "Claimed", "Observed", "Kind", "Source"], rows) : paragraph("None."),
  ];
}

function disagreements(derived: Derived): RootContent[] {
  const { disagreements: rows } = derived.world.model.tracker;
  if (rows.length === 0) return [];
  return [
    heading(2, "Documents that disagree"),
    paragraph("Both sides stand until somebody settles them."),
    list(
      rows.map((row) => [
        strong(prose(row.about)),
        ": ",
        ...join(
          row.says.map((side) => [...prose(side.where), ": ", ...prose(clause(side.text))]),
          " · ",
        ),
        ...(row.note ? [" ", ...prose(row.note)] : []),
      ]),
    ),
  ];
}

function conventions(derived: Derived): RootContent[] {
  const { conventions: rows, notes } = derived.world.model.tracker;
  return [
    ...(rows.length > 0
      ? [
          heading(2, "Filing conventions"),
          list(
            rows.map((row) => prose(row)),
            true,
          ),
        ]
      : []),
    ...(notes.length > 0 ? [heading(2, "Notes"), list(notes.map((note) => noteText(note)))] : []),
  ];
}
