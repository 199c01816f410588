import { makeBadge } from "badge-maker";
import type { Derived } from "../../derive/derive.ts";
import { shortRef } from "../../model/ref.ts";
import type { Status } from "../../model/vocabulary.ts";
import { STATUSES } from "../../model/vocabulary.ts";
import { plural } from "../words.ts";

/** Grounds on which white text has a contrast of at least 4.5:1. */
const COLOURS: Record<Status, string> = {
  landed: "#1b7443",
  "awaiting-propagation": "#1f5fae",
  "in-review": "#7d6100",
  stalled: "#9c4f0c",
  "open-no-pr": "#b02a3a",
  "local-workaround": "#4a5763",
  resolved: "#12716f",
  "closed-unfixed": "#7d377f",
  unknown: "#63676c",
};

/** A row's status: its deciding reference, or its id, and the status in words. */
export function itemBadge(derived: Derived, id: string): string {
  const decision = derived.items[id];
  const status = decision?.status ?? "unknown";
  const ref = decision?.deciding[0]?.ref.ref;
  return makeBadge({
    label: ref === undefined ? id : shortRef(ref),
    message: STATUSES[status].words.replace(/^./, (first) => first.toLowerCase()),
    color: COLOURS[status],
    style: "flat",
  });
}

/** A pin: what it lacks of what is waited for. */
export function pinBadge(derived: Derived, id: string): string {
  const pin = derived.pins[id];
  const waits = pin?.verdicts.filter((entry) => entry.waits) ?? [];
  const lacks = waits.filter(({ verdict }) => verdict === "not-contained" || verdict === "partial").length;
  const untold = waits.filter(({ verdict }) => verdict === "unknown").length;
  const [message, colour]: [string, Status] =
    pin?.availability.state === "gone"
      ? ["gone", "open-no-pr"]
      : lacks > 0
        ? [`lacks ${plural(lacks, "change")}`, "awaiting-propagation"]
        : untold > 0
          ? [`${untold} unknown`, "unknown"]
          : ["lacks nothing", "landed"];
  return makeBadge({ label: id, message, color: COLOURS[colour], style: "flat" });
}

/** The whole stack: how many things need a person. */
export function stackBadge(derived: Derived): string {
  const count = derived.attention.length;
  return makeBadge({
    label: `${derived.world.model.tracker.title} upstream`,
    message: count === 0 ? "nothing to do" : `${plural(count, "thing")} to look at`,
    color: COLOURS[count === 0 ? "landed" : "in-review"],
    style: "flat",
  });
}
