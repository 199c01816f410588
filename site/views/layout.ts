import { instance } from "@viz-js/viz";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** A graph with places, in pixels from the top left. */
export interface Drawing {
  width: number;
  height: number;
  box: { width: number; height: number };
  nodes: (GraphNode & { x: number; y: number; label: string })[];
  edges: (GraphEdge & { path: string })[];
}

/** Wide: the page's own width holds three columns; narrow: so does a column beside a margin. */
const SIZES = {
  wide: { width: 288, height: 24, gap: 137, letters: { item: 42, trigger: 45, patch: 45, pin: 41 } },
  narrow: { width: 236, height: 24, gap: 68, letters: { item: 33, trigger: 36, patch: 36, pin: 32 } },
} as const;
export type Size = keyof typeof SIZES;
const POINTS_PER_INCH = 72;

interface Laid {
  bb: string;
  objects?: { name: string; pos: string }[];
}

let viz: ReturnType<typeof instance> | undefined;

/**
 * Lays a graph out with Graphviz, from left to right, at build time. Only places are taken from it: drawing its lines would take most of the time.
 * @param size how wide its boxes are, and how far its columns stand apart
 */
export async function drawingOf(graph: Graph, size: Size = "wide"): Promise<Drawing> {
  viz ??= instance();
  const { width: across, height: down, gap, letters } = SIZES[size];
  const box = { shape: "box", fixedsize: true, label: "", width: across / POINTS_PER_INCH, height: down / POINTS_PER_INCH };
  const laid = (await viz).renderJSON(
    {
      graphAttributes: { rankdir: "LR", nodesep: 0.09, ranksep: gap / POINTS_PER_INCH, splines: "none" },
      nodes: graph.nodes.map(({ key }) => ({ name: key, attributes: box })),
      edges: graph.edges.map(({ from, to }) => ({ tail: from, head: to })),
    },
    { engine: "dot" },
  ) as Laid;
  const [, , width = 0, height = 0] = laid.bb.split(",").map(Number);
  const places = new Map((laid.objects ?? []).map(({ name, pos }) => [name, pos.split(",").map(Number)]));
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    box: { width: across, height: down },
    nodes: graph.nodes.map((node) => {
      const [x = 0, y = 0] = places.get(node.key) ?? [];
      return {
        ...node,
        x: round(x - across / 2),
        y: round(height - y - down / 2),
        label: shorten(node.title, letters[node.kind]),
      };
    }),
    edges: graph.edges.flatMap((edge) => {
      const [from, to] = [places.get(edge.from), places.get(edge.to)];
      return from && to ? [{ ...edge, path: pathOf(from, to, height, across / 2) }] : [];
    }),
  };
}

/** A curve from the right side of a node to the left side of another; the y axis of a layout points up. */
function pathOf([fromX = 0, fromY = 0]: number[], [toX = 0, toY = 0]: number[], height: number, half: number): string {
  const start = { x: round(fromX + half), y: round(height - fromY) };
  const end = { x: round(toX - half), y: round(height - toY) };
  const bend = round(Math.max(40, (end.x - start.x) / 2));
  return `M${start.x} ${start.y}C${round(start.x + bend)} ${start.y} ${round(end.x - bend)} ${end.y} ${end.x} ${end.y}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Cut at a whole character, so that no half of one is shown. */
export function shorten(title: string, most: number): string {
  const parts = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(title)].map(({ segment }) => segment);
  return parts.length <= most
    ? title
    : `${parts
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
