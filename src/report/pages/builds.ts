import type { Derived } from "../../derive/derive.ts";
import type { Inline } from "../markdown/build.ts";
import { anchor, code, heading, join, lineBreak, link, list, paragraph, prose, strong, table, text } from "../markdown/build.ts";
import { plural } from "../words.ts";
import { rowLink } from "./page.ts";
import type { BlockContent, RootContent } from "mdast";

export function pins(derived: Derived): RootContent[] {
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

export function retiredPins(derived: Derived): RootContent[] {
  const rows = Object.entries(derived.world.model.pin).flatMap(([id, pin]) =>
    pin.retired
      ? [[rowLink("pin", id), pin.retired.on, prose(pin.retired.because), pin.retired.replaced_by ? code(pin.retired.replaced_by) : ""]]
      : [],
  );
  return [heading(3, "Retired pins"), rows.length > 0 ? table(["Pin", "Retired", "Why", "Replaced by"], rows) : paragraph("None yet.")];
}
