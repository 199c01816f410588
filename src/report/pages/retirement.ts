import type { RootContent } from "mdast";
import { inWords } from "../../derive/condition.ts";
import type { Derived } from "../../derive/derive.ts";
import type { DerivedPatch } from "../../derive/patches.ts";
import type { DerivedPin } from "../../derive/pins.ts";
import type { Evidence } from "../../derive/proof.ts";
import { fileOf } from "../../model/paths.ts";
import { shortRef } from "../../model/ref.ts";
import type { Inline } from "../markdown/build.ts";
import {
  anchor,
  checklist,
  code,
  foreign,
  heading,
  join,
  label,
  link,
  list,
  page,
  paragraph,
  prose,
  strong,
  table,
} from "../markdown/build.ts";
import { plural } from "../words.ts";
import { nextBuilds } from "./next-builds.ts";
import { consolidations, survival } from "./survival.ts";
import type { Page } from "./page.ts";

/** What must be true before a pin or a patch can go, what is, and what to do, in order. */
export function retirementPage(derived: Derived): Page {
  const { model } = derived.world;
  const order = (ready: string) => ["yes", "unknown", "no"].indexOf(ready);
  const pins = Object.values(derived.pins)
    .filter(({ id }) => !model.pin[id]?.retired)
    .sort((a, b) => order(a.retirement.ready) - order(b.retirement.ready) || (a.id < b.id ? -1 : 1));
  const patches = Object.values(derived.patches)
    .filter((patch) => patch.carried)
    .sort((a, b) => order(a.droppable) - order(b.droppable) || (a.id < b.id ? -1 : 1));
  const dropped = Object.entries(model.patch).filter(([, patch]) => patch.dropped);
  const children: RootContent[] = [
    paragraph(
      "For every pin and every carried patch: what must be true before it can go, what is true, and what to do then, in order. Ready ones come first.",
    ),
    heading(2, "At a glance"),
    table(
      ["Kind", "Row", "Ready?", "Because"],
      [
        ...pins.map((pin): Inline[] => ["pin", link(`#${pin.id}`, code(pin.id)), strong(pin.retirement.ready), pin.retirement.because]),
        ...patches.map((patch): Inline[] => ["patch", link(`#${patch.id}`, code(patch.id)), strong(patch.droppable), patch.because]),
      ],
    ),
    ...survival(derived),
    ...consolidations(derived),
    ...nextBuilds(derived),
    heading(2, "Pins"),
    ...pins.flatMap((pin) => pinSection(derived, pin)),
    heading(2, "Patches"),
    ...patches.flatMap((patch) => patchSection(derived, patch)),
    ...(dropped.length > 0
      ? [
          heading(2, "Patches no longer carried"),
          table(
            ["Patch", "Dropped", "Why"],
            dropped.map(([id, patch]) => [
              link(`../${fileOf("patch", id)}`, code(id)),
              prose(patch.dropped?.on ?? ""),
              prose(patch.dropped?.because ?? ""),
            ]),
          ),
        ]
      : []),
  ];
  return {
    path: "content/PIN_RETIREMENT.md",
    tree: page("Pin retirement", "What must be true before each pin and patch can go, and what to do then.", children),
  };
}

const proofList = (evidence: readonly Evidence[]): RootContent[] =>
  evidence.length > 0
    ? [
        list(
          evidence.map(({ fact, url, asOf }) => [
            url ? link(url, foreign(fact)) : foreign(fact),
            ...(asOf ? [` (seen ${asOf.slice(0, 10)})`] : []),
          ]),
        ),
      ]
    : [];

function pinSection(derived: Derived, pin: DerivedPin): RootContent[] {
  const row = derived.world.model.pin[pin.id];
  const { retirement } = pin;
  const waiting = pin.verdicts.filter((entry) => entry.waits && entry.verdict !== "contained");
  const live = pin.users?.filter((user) => !user.archived);
  return [
    heading(3, pin.id),
    paragraph([
      anchor(pin.id),
      link(`../${fileOf("pin", pin.id)}`, code(pin.artifact.replace(/^\w+:/, ""))),
      `. ${live === undefined ? "Its users are not known." : `Used by ${plural(live.length, "place")}.`} Can be fetched: ${pin.availability.state} (${pin.availability.because}).`,
    ]),
    paragraph([...label("Must be true"), row?.retire ? inWords(row.retire.when) : "nothing is written down", "."]),
    paragraph([...label("Is"), retirement.because]),
    ...proofList(retirement.evidence),
    ...(retirement.never
      ? [
          paragraph([
            ...label("It can never come true"),
            foreign(retirement.never.because),
            retirement.never.instead ? `. Name ${shortRef(retirement.never.instead)} instead.` : ".",
          ]),
        ]
      : []),
    ...(waiting.length > 0
      ? [
          paragraph([
            ...label("Still missing from it"),
            ...join(waiting.map((entry) => [link(`./UPSTREAM.md#${entry.item}`, code(entry.item)), ` (${entry.verdict}, ${entry.stake})`])),
            ".",
          ]),
        ]
      : []),
    ...(row?.retire?.note ? [paragraph(prose(row.retire.note))] : []),
    ...(retirement.todo.length > 0
      ? [paragraph([strong("To do, in order:")]), checklist(retirement.todo.map((step) => ({ done: false, text: step })))]
      : []),
  ];
}

function patchSection(derived: Derived, patch: DerivedPatch): RootContent[] {
  const row = derived.world.model.patch[patch.id];
  if (!row) return [];
  const places = [...new Set(patch.delivered?.map((where) => where.file) ?? [])];
  const todo = [
    ...places.map((file) => `Remove it from ${file}.`),
    ...row.files.map((file) => `Delete ${file}.`),
    ...row.env.map((flag) => `Remove the flag ${flag}.`),
    `Mark it dropped in ${fileOf("patch", patch.id)}, with the date and the reason.`,
  ];
  return [
    heading(3, patch.id),
    paragraph([
      anchor(patch.id),
      link(`../${fileOf("patch", patch.id)}`, prose(row.title)),
      `. Delivered as ${row.delivery}${patch.delivered === undefined ? "" : `, in ${plural(places.length, "file")} of the tree`}.`,
    ]),
    paragraph([...label("Must be true"), row.drop ? inWords(row.drop) : "nothing is written down", "."]),
    paragraph([...label("Is"), patch.because]),
    ...proofList(patch.evidence),
    ...(patch.never
      ? [
          paragraph([
            ...label("It can never come true"),
            foreign(patch.never.because),
            patch.never.instead ? `. Name ${shortRef(patch.never.instead)} instead.` : ".",
          ]),
        ]
      : []),
    ...(patch.droppable === "yes"
      ? [paragraph([strong("To do, in order:")]), checklist(todo.map((step) => ({ done: false, text: step })))]
      : []),
  ];
}
