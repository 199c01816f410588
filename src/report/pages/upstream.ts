import type { RootContent } from "mdast";
import { ATTENTION } from "../../derive/attention.ts";
import type { Derived } from "../../derive/derive.ts";
import { day } from "../../derive/proof.ts";
import { groupBy } from "../../model/group.ts";
import type { Status } from "../../model/vocabulary.ts";
import { FACETS, NEVER_OBSERVED, STAKES, STATUSES } from "../../model/vocabulary.ts";
import { code, foreign, heading, join, link, list, page, paragraph, prose, strong, table } from "../markdown/build.ts";
import { plural, symbolWords } from "../words.ts";
import { contradictions, conventions, disagreements } from "./beliefs.ts";
import { pins, retiredPins } from "./builds.ts";
import type { Page } from "./page.ts";
import { rowLink } from "./page.ts";
import { followUps, triggers } from "./queue.ts";
import type { Claims } from "./upstream-section.ts";
import { byStake, upstreamSection } from "./upstream-section.ts";

/** Above so many rows the page splits into one for each upstream. */
const SPLIT_ABOVE = 300;

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
      ...(derived.asOf === NEVER_OBSERVED
        ? [strong("Nothing was observed yet"), ". Every status is derived from observed facts"]
        : ["Every status is derived from facts observed as of ", strong(day(derived.asOf))]),
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
