import type { Kind } from "../src/model/vocabulary.ts";
import { normaliseBase } from "./options.ts";

/**
 * Addresses of the site's pages, with the base in front of each (field case F01: Astro prefixes no authored link).
 * Rows are addressed by their id, never by title or position (F03, F05).
 */
const base = () => normaliseBase(process.env.LANDFALL_BASE ?? "/");

/** `tracker/` -> `/club-3090/tracker/` */
export const href = (path: string): string => base() + path.replace(/^\//, "");

/** Kinds that have a page for each row; the others share a page and are reached by an anchor. */
const PLACES = {
  item: (id) => `items/${id}/`,
  pin: (id) => `pins/${id}/`,
  patch: (id) => `patches/${id}/`,
  variant: (id) => `variants/${id}/`,
  cliff: (id) => `cliffs/${id}/`,
  measurement: (id) => `measurements/${id}/`,
  trigger: (id) => `triggers/#${id}`,
  followUp: (id) => `triggers/#${id}`,
  upstream: (id) => `upstreams/${id}/`,
  tracker: () => "",
} satisfies Record<Kind, (id: string) => string>;

/** Where a row is shown. */
export const rowHref = (kind: Kind, id: string): string => href(PLACES[kind](id));

/** Where a row is shown, without the base; for other programs. */
export const rowPath = (kind: Kind, id: string): string => PLACES[kind](id);

/** The tracker, narrowed down; the keys are those of its filter form. */
export function trackerHref(filter: Record<string, string>): string {
  const query = new URLSearchParams(filter).toString();
  return href(`tracker/${query ? `?${query}` : ""}`);
}
