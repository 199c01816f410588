import type { List, PhrasingContent, Root, RootContent } from "mdast";
import { nextBumps } from "../../derive/bump/next.ts";
import { ATTENTION } from "../../derive/attention.ts";
import type { Attention } from "../../derive/attention.ts";
import { changesDecision } from "../../derive/news.ts";
import type { Derived } from "../../derive/derive.ts";
import { day } from "../../derive/proof.ts";
import { fileOf } from "../../model/paths.ts";
import type { Transition } from "../../model/shapes/observed.ts";
import { STATUSES } from "../../model/vocabulary.ts";
import type { Status } from "../../model/vocabulary.ts";
import { checklist, code, heading, html, list, paragraph, plain, strong, text } from "../markdown/build.ts";
import type { Inline } from "../markdown/build.ts";
import { write } from "../markdown/write.ts";
import { bumpTitle, riskLines } from "../bump.ts";
import { consolidations, survival } from "../pages/survival.ts";
import { escapeHtml, plural, symbolWords } from "../words.ts";
import { quiet, quietBlocks, quietRef } from "./quiet.ts";

/** What a run learned: the derived object before and after, and what it could not observe. */
export interface News {
  before: Derived | undefined;
  after: Derived;
  transitions: readonly Transition[];
  failed: readonly { ref: string; why: string }[];
}

/** GitHub refuses 65,536 characters; some room is left for the stamp and for its own counting (field case D06). */
const LIMIT = 60_000;

interface Section {
  title: string;
  /** Names behind the title, which may come from upstream. */
  about?: string;
  rows: Inline[];
  check?: boolean;
  folded?: boolean;
  /** What else stands in it; goes whole when there is no room. */
  blocks?: RootContent[];
}

/**
 * The body of the rolling pull request: decisions first, then what landed, waits, moved, and what could not be observed.
 * Too long a body loses rows from its least important end, and says how many.
 */
export function pullRequestBody(news: News, limit = LIMIT): string {
  const sections = sectionsOf(news).filter(hasContent);
  const whole = write(tree(news, sections, 0));
  if (whole.length <= limit) return whole;
  // Each row is measured once, because writing the whole again and again takes seconds.
  const frame = write(tree(news, [], 1)).length + sections.length * 120;
  const cut = cutTo(sections, limit - frame);
  const body = write(tree(news, sections, cut));
  return body.length <= limit ? body : `${body.slice(0, limit - 2)}…\n`;
}

const hasContent = ({ rows, blocks = [] }: Section): boolean => rows.length + blocks.length > 0;

/** Takes rows from the end of the last sections until the rest has room; gives how many went. */
function cutTo(sections: Section[], room: number): number {
  const lengths = sections.map(({ rows }) => rows.map((row) => write({ type: "root", children: [list([row])] }).length + 6));
  let over = lengths.flat().reduce((sum, length) => sum + length, 0) - room;
  let cut = 0;
  const sizes = sections.map(({ blocks = [] }) => write({ type: "root", children: blocks }).length);
  over += sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, section] of [...sections.entries()].reverse()) {
    if (over > 0 && section.blocks && section.blocks.length > 0) {
      over -= sizes[index] ?? 0;
      section.blocks = [];
      cut += 1;
    }
    while (over > 0 && section.rows.length > 0) {
      over -= lengths[index]?.[section.rows.length - 1] ?? 0;
      section.rows = section.rows.slice(0, -1);
      cut += 1;
    }
  }
  return cut;
}

function tree({ after, failed }: News, sections: Section[], cut: number): Root {
  const shown = sections.filter(hasContent);
  return {
    type: "root",
    children: [
      paragraph([
        `Facts observed as of ${day(after.asOf)}. Every status below is derived from them, with its reason. `,
        failed.length > 0
          ? `${plural(failed.length, "reference")} could not be observed and ${failed.length > 1 ? "keep their" : "keeps its"} last known state.`
          : "Everything asked for was observed.",
      ]),
      ...(shown.length === 0 ? [paragraph("No status changed; observed facts and pages did.")] : []),
      ...shown.flatMap(sectionBlocks),
      ...(cut > 0 ? [paragraph(`${plural(cut, "more line")} did not fit here: see the generated pages in this pull request.`)] : []),
    ],
  };
}

function sectionBlocks({ title, about, rows, check, folded, blocks = [] }: Section): RootContent[] {
  const lines: List[] = rows.length === 0 ? [] : [check ? checklist(rows.map((row) => ({ done: false, text: row }))) : list(rows)];
  if (!folded) return [heading(3, title), ...lines, ...blocks];
  const count = rows.length > 0 ? ` (${rows.length})` : "";
  // Inside a code element GitHub neither links nor mentions.
  const names = about === undefined ? "" : ` <code>${escapeHtml(plain(about))}</code>`;
  return [html(`<details><summary>${title}${names}${count}</summary>`), ...lines, ...blocks, html("</details>")];
}

/** What needs attention and did not before. */
export function freshAttention({ before, after }: News): Attention[] {
  const known = new Set(before?.attention.map(key));
  return after.attention.filter((entry) => !known.has(key(entry)));
}

function sectionsOf(news: News): Section[] {
  const { after, transitions, failed } = news;
  const fresh = freshAttention(news);
  const old = after.attention.filter((entry) => !fresh.includes(entry));
  const to = (...statuses: Status[]) => transitions.filter((one) => statuses.includes(one.to as Status)).map((one) => moved(after, one));
  return [
    { title: "Decide", rows: fresh.filter(changesDecision).map(decision), check: true },
    { title: "Landed", rows: to("landed") },
    { title: "Merged, awaiting propagation", rows: to("awaiting-propagation") },
    { title: "Moved", rows: to("in-review", "stalled", "open-no-pr", "local-workaround", "resolved", "closed-unfixed", "unknown") },
    { title: "Worth knowing", rows: fresh.filter((entry) => !changesDecision(entry)).map(decision) },
    { title: "Could not be observed", rows: failed.map(({ ref, why }) => [quietRef(ref), ": ", ...quiet(why)]) },
    { title: "Still waiting for a decision", rows: old.map(decision), folded: true },
    ...nextBumps(after).map((bump) => ({
      title: "Before a bump:",
      about: bumpTitle(bump),
      rows: riskLines(bump),
      folded: true,
    })),
    folded("Do the patches still apply?", survival(after)),
    folded("Why the pins are not fewer", consolidations(after)),
  ];
}

/** A chapter of the pages, folded and under a title of its own. */
const folded = (title: string, blocks: RootContent[]): Section => ({
  title,
  rows: [],
  folded: true,
  blocks: quietBlocks(blocks.filter((block) => block.type !== "heading" || block.depth > 2)),
});

const key = ({ kind, about, text: value }: Attention) => `${kind} ${about.kind} ${about.id} ${value}`;

const decision = ({ kind, about, text: value }: Attention): PhrasingContent[] => [
  strong(ATTENTION[kind]),
  text(": "),
  code(fileOf(about.kind, about.id)),
  text(". "),
  ...quiet(value),
];

function moved(after: Derived, { item, from, to, because }: Transition): PhrasingContent[] {
  const row = after.world.model.item[item];
  const name = (status: string | null) => (status !== null && status in STATUSES ? symbolWords(status as Status) : (status ?? "new"));
  const head = after.items[item]?.deciding[0]?.end;
  return [
    strong(quiet(row?.title ?? item)),
    text(` (${name(from)} → ${name(to)}): `),
    ...quiet(because),
    ...(head ? [text(" "), quietRef(head, after.world.facts.thread(head)?.kind)] : []),
  ];
}
