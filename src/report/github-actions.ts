import { ATTENTION } from "../derive/attention.ts";
import { changesDecision } from "../derive/news.ts";
import { fileOf } from "../model/paths.ts";
import { plain } from "./markdown/build.ts";
import type { News } from "./pull-request/body.ts";
import { freshAttention, pullRequestBody } from "./pull-request/body.ts";

/** GitHub shows ten warnings of a step; more would push out what matters. */
const MOST = 10;

/**
 * Workflow commands that put what is new and needs a decision beside the file it is about.
 * @param folder where the stack lies in the repository: "" or a path that ends in a slash
 */
export function annotations(news: News, folder: string): string[] {
  return freshAttention(news)
    .filter(changesDecision)
    .slice(0, MOST)
    .map(
      ({ kind, about, text }) =>
        `::warning file=${property(folder + fileOf(about.kind, about.id))},title=${property(ATTENTION[kind])}::${data(plain(text, 300))}`,
    );
}

const data = (value: string): string => value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (value: string): string => data(value).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** The summary of a job: what became of the pull request, then the news as the pull request tells it. */
export function jobSummary(news: News, outcome: { because: string; url?: string | undefined } | undefined): string {
  const said = outcome ? `${outcome.because}${outcome.url ? ` <${outcome.url}>` : ""}\n\n` : "";
  return `## Landfall\n\n${said}${pullRequestBody(news, 200_000)}\n`;
}
