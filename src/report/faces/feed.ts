import { Feed } from "feed";
import type { Event } from "../events.ts";
import { escapeHtml } from "../words.ts";

export interface FeedAbout {
  title: string;
  /** What the feed is of, such as `changes` or `changes/pin/x`; part of its identity. */
  path: string;
  /** Address of the published site, ending in a slash. */
  site: string;
  /** The moment of the facts: a feed made twice from the same facts is the same. */
  asOf: string;
}

/** Longest feed: readers keep what they have seen. */
const MOST = 100;

const instant = (at: string): Date => new Date(at.length === 10 ? `${at}T00:00:00Z` : at);

/** Events as an Atom feed and as a JSON Feed. @param link where an event is read */
export function feedsOf(events: readonly Event[], about: FeedAbout, link: (event: Event) => string): { atom: string; json: string } {
  const make = (text: (words: string) => string) => {
    const feed = new Feed({
      id: `${about.site}${about.path}`,
      title: about.title,
      link: `${about.site}changes/`,
      updated: instant(about.asOf),
      generator: "Landfall",
      // Atom asks for an author, of the feed or of every entry (RFC 4287, 4.1.1).
      author: { name: about.title },
      feedLinks: { atom: `${about.site}${about.path}/feed.atom`, json: `${about.site}${about.path}/feed.json` },
    });
    for (const event of events.slice(0, MOST)) {
      feed.addItem({
        id: `${about.site}event/${event.id}`,
        title: text(event.text),
        link: link(event),
        date: instant(event.at),
        published: instant(event.at),
        description: escapeHtml(`${event.items.join(", ")}${event.url === undefined ? "" : ` · ${event.url}`}`),
      });
    }
    return feed;
  };
  // Titles of an Atom feed are read as HTML, and upstream text must stay text.
  return { atom: make(escapeHtml).atom1(), json: make((words) => words).json1() };
}
