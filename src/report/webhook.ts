import type { WebhookShape } from "../model/shapes/outputs.ts";
import type { News } from "./pull-request/body.ts";
import { newsText } from "./news-text.ts";
import { pullRequestTitle } from "./pull-request/title.ts";
import { escapeHtml } from "./words.ts";

/** Discord takes 2,000 characters, Slack shows about as much before it folds. */
const LIMIT = 1900;

/** What a chat's webhook is sent: text that mentions nobody and is no markup, whatever an upstream wrote. */
export function webhookPayload(shape: WebhookShape, news: News, link: string | undefined): object {
  return SHAPES[shape](news, link);
}

const SHAPES = {
  // Slack reads <…> and & alone; mentions such as <!channel> need them.
  slack: (news, link) => ({
    text: message(news, link, escapeHtml),
    unfurl_links: false,
    unfurl_media: false,
  }),
  discord: (news, link) => ({
    content: message(news, link, (text) => text.replaceAll(/[\\`*_~|>#[\]()<@-]/g, "\\$&")),
    allowed_mentions: { parse: [] },
    // No previews of links.
    flags: 4,
  }),
  // The generic webhook of matrix-hookshot.
  matrix: (news, link) => {
    const escaped = (text: string) => escapeHtml(text).replaceAll('"', "&quot;").replaceAll("@", "@&#8203;");
    return {
      text: message(news, link, (text) => text.replaceAll("@", "@\u200b")),
      html: message(news, link, escaped).replaceAll("\n", "<br>"),
    };
  },
} satisfies Record<WebhookShape, (news: News, link: string | undefined) => object>;

/** Title, lines by section, and where to read on; lines that do not fit are counted. */
function message(news: News, link: string | undefined, escaped: (text: string) => string): string {
  const lines = newsText(news).flatMap(({ title, lines: rows }) => [`${title}:`, ...rows.map((row) => `• ${row}`)]);
  const head = escaped(pullRequestTitle(news));
  const shown: string[] = [];
  let room = LIMIT - head.length - (link?.length ?? 0);
  for (const line of lines.map(escaped)) {
    room -= line.length + 1;
    if (room < 40) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  return [head, ...shown, ...(rest > 0 ? [`and ${rest} more lines`] : []), ...(link ? [link] : [])].join("\n");
}
