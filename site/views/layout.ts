import { instance } from "@viz-js/viz";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** A graph with places, in pixels from the top left. */
export interface Drawing {
  width: number;
  height: number;
  nodes: (GraphNode & { x: number; y: number; label: string })[];
  edges: (GraphEdge & { path: string })[];
}

export const NODE = { width: 288, height: 24 } as const;
const POINTS_PER_INCH = 72;
/** Characters that fit into a node at its type size; a row has its status' sign before them. */
const LABEL = { item: 42, trigger: 45, patch: 45, pin: 41 } as const;

interface Laid {
  bb: string;
  objects?: { name: string; pos: string }[];
}

let viz: ReturnType<typeof instance> | undefined;

/** Lays a graph out with Graphviz, from left to right, at build time. Only places are taken from it: drawing its lines would take most of the time. */
export async function drawingOf(graph: Graph): Promise<Drawing> {
  viz ??= instance();
  const size = { shape: "box", fixedsize: true, label: "", width: NODE.width / POINTS_PER_INCH, height: NODE.height / POINTS_PER_INCH };
  const laid = (await viz).renderJSON(
    {
      graphAttributes: { rankdir: "LR", nodesep: 0.09, ranksep: 1.9, splines: "none" },
      nodes: graph.nodes.map(({ key }) => ({ name: key, attributes: size })),
      edges: graph.edges.map(({ from, to }) => ({ tail: from, head: to })),
    },
    { engine: "dot" },
  ) as Laid;
  const [, , width = 0, height = 0] = laid.bb.split(",").map(Number);
  const places = new Map((laid.objects ?? []).map(({ name, pos }) => [name, pos.split(",").map(Number)]));
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: graph.nodes.map((node) => {
      const [x = 0, y = 0] = places.get(node.key) ?? [];
      return {
        ...node,
        x: round(x - NODE.width / 2),
        y: round(height - y - NODE.height / 2),
        label: shorten(node.title, LABEL[node.kind]),
      };
    }),
    edges: graph.edges.flatMap((edge) => {
      const [from, to] = [places.get(edge.from), places.get(edge.to)];
      return from && to ? [{ ...edge, path: pathOf(from, to, height) }] : [];
    }),
  };
}

/** A curve from the right side of a node to the left side of another; the y axis of a layout points up. */
function pathOf([fromX = 0, fromY = 0]: number[], [toX = 0, toY = 0]: number[], height: number): string {
  const start = { x: round(fromX + NODE.width / 2), y: round(height - fromY) };
  const end = { x: round(toX - NODE.width / 2), y: round(height - toY) };
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
