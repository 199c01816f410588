import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { docId } from "./docs.ts";
import { guides } from "./guides.ts";
import type { SiteOptions } from "./options.ts";

type Link = { label: string; link: string };

/** Groups of the sidebar, by the first folder of a page's address. */
const GROUPS = { guides: "Guides", reference: "Reference" } as const;

/**
 * The sidebar of the Markdown pages, written out. It never lists rows: an entry a row on every page makes a large stack
 * unbuildable (field case F08).
 */
export function sidebar(options: SiteOptions): { label: string; items: Link[] }[] {
  const found = new Map<string, Link & { order: number }>();
  for (const root of new Set([options.home, options.root])) {
    for (const name of guides(root)) {
      const front = frontOf(join(root, "content", name));
      const id = docId(name);
      found.set(id, { label: front.label, order: front.order, link: `/${id}/` });
    }
  }
  const groups = Object.entries(GROUPS).map(([folder, label]) => ({
    label,
    items: [...found]
      .filter(([id]) => id === folder || id.startsWith(`${folder}/`))
      .sort(([a, one], [b, two]) => one.order - two.order || (a < b ? -1 : 1))
      .map(([, { label: name, link }]) => ({ label: name, link })),
  }));
  return [...groups.filter(({ items }) => items.length > 0), { label: "Reports", items: REPORTS }];
}

/** Reports that every stack has; a large stack's pages for each upstream are linked from the first. */
const REPORTS: Link[] = [
  { label: "Upstream tracker", link: "/reports/upstream/" },
  { label: "Cliffs", link: "/reports/cliffs/" },
  { label: "Single card", link: "/reports/single-card/" },
  { label: "Pin retirement", link: "/reports/pin-retirement/" },
];

function frontOf(file: string): { label: string; order: number } {
  const front: unknown = existsSync(file) ? parse(/^---\n([\s\S]*?)\n---/.exec(readFileSync(file, "utf8"))?.[1] ?? "") : undefined;
  const { title, sidebar: place } = (front ?? {}) as { title?: string; sidebar?: { label?: string; order?: number } };
  return { label: place?.label ?? title ?? docId(file), order: place?.order ?? 100 };
}
