import { instance } from "@viz-js/viz";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** A graph with places, in pixels from the top left. */
export interface Drawing {
  width: number;
  height: number;
  nodes: (GraphNode & { x: number; y: number; label: string })[];
  edges: (GraphEdge & { path: string })[];
}

export const NODE = { width: 244, height: 24 } as const;
const POINTS_PER_INCH = 72;
/** Characters that fit into a node at its type size. */
const LABEL = 37;

interface Laid {
  bb: string;
  objects?: { name: string; pos: string }[];
  edges?: { tail: number; head: number; pos: string }[];
}

let viz: ReturnType<typeof instance> | undefined;

/** Lays a graph out with Graphviz, from left to right, at build time. Only places are taken from it; what is drawn is ours. */
export async function drawingOf(graph: Graph): Promise<Drawing> {
  viz ??= instance();
  const size = { shape: "box", fixedsize: true, label: "", width: NODE.width / POINTS_PER_INCH, height: NODE.height / POINTS_PER_INCH };
  const laid = (await viz).renderJSON(
    {
      graphAttributes: { rankdir: "LR", nodesep: 0.09, ranksep: 1.9, splines: "spline" },
      nodes: graph.nodes.map(({ key }) => ({ name: key, attributes: size })),
      edges: graph.edges.map(({ from, to }) => ({ tail: from, head: to, attributes: { arrowhead: "none", tailport: "e", headport: "w" } })),
    },
    { engine: "dot" },
  ) as Laid;
  const [, , width = 0, height = 0] = laid.bb.split(",").map(Number);
  const places = new Map((laid.objects ?? []).map(({ name, pos }) => [name, pos.split(",").map(Number)]));
  const names = (laid.objects ?? []).map(({ name }) => name);
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: graph.nodes.map((node) => {
      const [x = 0, y = 0] = places.get(node.key) ?? [];
      return { ...node, x: round(x - NODE.width / 2), y: round(height - y - NODE.height / 2), label: shorten(node.title) };
    }),
    edges: (laid.edges ?? []).flatMap(({ tail, head, pos }) => {
      const edge = graph.edges.find(({ from, to }) => from === names[tail] && to === names[head]);
      return edge ? [{ ...edge, path: pathOf(pos, height) }] : [];
    }),
  };
}

/** `x,y x,y …`, the control points of Bézier curves -> an SVG path, with the y axis turned over. */
function pathOf(pos: string, height: number): string {
  const points = pos
    .split(" ")
    .filter((part) => /^-?[\d.]+,/.test(part))
    .map((part) => part.split(",").map(Number))
    .map(([x = 0, y = 0]) => `${round(x)} ${round(height - y)}`);
  const [first, ...rest] = points;
  return `M${first}C${rest.join(" ")}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Cut at a whole character, so that no half of one is shown. */
export function shorten(title: string, most = LABEL): string {
  const parts = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(title)].map(({ segment }) => segment);
  return parts.length <= most
    ? title
    : `${parts
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
