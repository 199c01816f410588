import type { News } from "./pull-request/body.ts";
import { hasNews, newsText } from "./news-text.ts";
import { pullRequestTitle } from "./pull-request/title.ts";

/**
 * News as a mail without sender and receiver, ready for `sendmail -t` behind a `To:` line. Empty when there is no news,
 * so that a job can test for it.
 */
export function mailText(news: News, link: string | undefined): string {
  if (!hasNews(news)) return "";
  const body = newsText(news).flatMap(({ title, lines }) => [
    `${title}`,
    "-".repeat(title.length),
    ...lines.map((line) => `* ${line}`),
    "",
  ]);
  return [
    `Subject: ${pullRequestTitle(news)}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "Auto-Submitted: auto-generated",
    "",
    `Observed as of ${news.after.asOf}.`,
    ...(link ? [link] : []),
    "",
    ...body,
  ].join("\n");
}
