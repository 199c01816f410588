/** As much of a built page as the link checks need, read by pattern: the pages are our own, and their attributes are escaped. */
export interface Html {
  ids: string[];
  links: string[];
  /** Scripts, styles and images the page loads. */
  loads: string[];
  headings: number;
  title: string;
  description: string;
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = ""]) => decode(found));

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  "#x26": "&",
  "#38": "&",
  "#34": '"',
  "#60": "<",
  "#62": ">",
};
export const decode = (text: string): string => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

export function readHtml(text: string): Html {
  const body = text.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) => script.replace(/>[\s\S]*/, "></script>"));
  return {
    ids: all(body, /<[a-z][^<>]*?\sid="([^"]*)"/gi),
    links: all(body, /<a\b[^<>]*?\shref="([^"]*)"/gi),
    loads: [
      ...all(body, /<(?:script|img)\b[^<>]*?\ssrc="([^"]*)"/gi),
      ...all(body, /<link\b(?![^<>]*rel="canonical")[^<>]*?\shref="([^"]*)"/gi),
    ],
    headings: (body.match(/<h1[\s>]/g) ?? []).length,
    title: all(body, /<title>([^<]*)<\/title>/g)[0] ?? "",
    description: all(body, /<meta name="description" content="([^"]*)"/g)[0] ?? "",
  };
}
