import { href } from "./links.ts";
import { stack } from "./stack.ts";

/** Full address of the site, with its base: feeds, calendars and other programs need whole addresses. */
export const siteUrl = (): string => `${stack().options.origin ?? "http://localhost:4321"}${href("")}`;

/** `items/x/` -> `https://example.org/club-3090/items/x/` */
export const fullUrl = (path: string): string => siteUrl() + path;

export const answer = (body: string, type: string): Response => new Response(body, { headers: { "content-type": type } });
