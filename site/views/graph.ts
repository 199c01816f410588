import type { Derived } from "../../src/derive/derive.ts";
import { reachedPins } from "../../src/derive/users.ts";
import type { Kind, Status, Verdict } from "../../src/model/vocabulary.ts";
import { asksFor } from "../../src/derive/condition-names.ts";
import { urgency } from "./tracker.ts";

/** What hangs on what: triggers and patches point at rows, rows point at the pins that have to contain them. */
export interface GraphNode {
  key: string;
  kind: Extract<Kind, "trigger" | "patch" | "item" | "pin">;
  id: string;
  title: string;
  /** How the node is drawn. */
  state: Status | "fired" | "waiting" | "carried" | "can-go" | "live" | "idle";
}
export interface GraphEdge {
  from: string;
  to: string;
  /** What the line says, for the text beside the picture. */
  says: string;
  verdict: Verdict | "waits" | "none";
}
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Rows that were left out to keep the picture readable. */
  leftOut: number;
}

/** Rows a picture may show; more cannot be read, and laying them out would take minutes. */
export const MOST_ROWS = 60;

/** Settled rows are left out of the whole picture, and shown in the picture of one pin. */
const SETTLED = new Set<Status>(["landed", "resolved"]);

export const EDGE_WORDS: Record<GraphEdge["verdict"], string> = {
  contained: "is in",
  "not-contained": "is missing in",
  partial: "is partly in",
  unknown: "cannot be told for",
  waits: "will be waited for in",
  none: "",
};

/** The whole stack's unsettled work, or everything that hangs on one pin. */
export function graphOf(derived: Derived, only?: string): Graph {
  const { model, facts } = derived.world;
  const relevant = Object.keys(derived.items).filter((id) => {
    const item = model.item[id];
    const status = derived.items[id]?.status;
    if (!item || status === undefined) return false;
    const pins = reachedPins(model, facts.inventory, item);
    return only === undefined ? !SETTLED.has(status) : pins.includes(only) && status !== "resolved";
  });
  const shown = relevant
    .sort((a, b) => urgency(derived.items[a]?.status ?? "unknown") - urgency(derived.items[b]?.status ?? "unknown") || (a < b ? -1 : 1))
    .slice(0, MOST_ROWS);
  const edges = [...rowEdges(derived, shown, only), ...patchEdges(derived, shown, only), ...triggerEdges(derived, shown, only)];
  const keys = new Set([
    ...shown.map((id) => `item:${id}`),
    ...(only === undefined ? [] : [`pin:${only}`]),
    ...edges.flatMap(({ from, to }) => [from, to]),
  ]);
  return { nodes: [...keys].flatMap((key) => nodeOf(derived, key)), edges, leftOut: relevant.length - shown.length };
}

function rowEdges(derived: Derived, items: string[], only: string | undefined): GraphEdge[] {
  const { model, facts } = derived.world;
  return items.flatMap((id) => {
    const item = model.item[id];
    if (!item) return [];
    return reachedPins(model, facts.inventory, item)
      .filter((pin) => only === undefined || pin === only)
      .map((pin) => {
        const verdict = derived.items[id]?.pins.find((entry) => entry.pin === pin)?.verdict ?? "waits";
        return { from: `item:${id}`, to: `pin:${pin}`, verdict, says: EDGE_WORDS[verdict] };
      });
  });
}

/** A carried patch stands in for rows; one that names the pin in its end, or is shipped by it, hangs on the pin as well. */
function patchEdges(derived: Derived, items: string[], only: string | undefined): GraphEdge[] {
  const { model } = derived.world;
  return Object.values(derived.patches)
    .filter(({ carried }) => carried)
    .flatMap(({ id }) => {
      const patch = model.patch[id];
      const rows = items.filter(
        (item) =>
          model.item[item]?.workaround?.patches.includes(id) ||
          patch?.covers.some((ref) => model.item[item]?.refs.some((own) => own.ref === ref && own.role !== "context")),
      );
      const toRows = rows.map((item): GraphEdge => ({ from: `patch:${id}`, to: `item:${item}`, verdict: "none", says: "stands in for" }));
      const ends = Object.keys(model.pin)
        .filter((pin) => (only === undefined || pin === only) && rows.length === 0 && (patch?.part_of === pin || asksFor(patch?.drop, pin)))
        .map(
          (pin): GraphEdge => ({
            from: `patch:${id}`,
            to: `pin:${pin}`,
            verdict: "none",
            says: patch?.part_of === pin ? "is shipped by" : "can go with a bump of",
          }),
        );
      return [...toRows, ...ends];
    });
}

function triggerEdges(derived: Derived, items: string[], only: string | undefined): GraphEdge[] {
  const { model } = derived.world;
  return Object.values(derived.triggers)
    .filter(({ life }) => life !== "done")
    .flatMap(({ id }) => {
      const trigger = model.trigger[id];
      const rows = items
        .filter((item) => trigger?.items.includes(item))
        .map((item): GraphEdge => ({ from: `trigger:${id}`, to: `item:${item}`, verdict: "none", says: "asks for a re-test of" }));
      if (rows.length > 0) return rows;
      return Object.keys(model.pin)
        .filter((pin) => (only === undefined || pin === only) && asksFor(trigger?.when, pin))
        .map((pin): GraphEdge => ({ from: `trigger:${id}`, to: `pin:${pin}`, verdict: "none", says: "looks at" }));
    });
}

function nodeOf(derived: Derived, key: string): GraphNode[] {
  const [kind = "", id = ""] = key.split(":", 2);
  const { model } = derived.world;
  switch (kind) {
    case "item": {
      const status = derived.items[id]?.status;
      return status === undefined ? [] : [{ key, kind, id, title: model.item[id]?.title ?? id, state: status }];
    }
    case "pin":
      return model.pin[id] ? [{ key, kind, id, title: model.pin[id].title, state: derived.pins[id]?.live ? "live" : "idle" }] : [];
    case "patch":
      return model.patch[id]
        ? [{ key, kind, id, title: model.patch[id].title, state: derived.patches[id]?.droppable === "yes" ? "can-go" : "carried" }]
        : [];
    case "trigger":
      return model.trigger[id]
        ? [{ key, kind, id, title: model.trigger[id].title, state: derived.triggers[id]?.life === "fired" ? "fired" : "waiting" }]
        : [];
    default:
      return [];
  }
}
