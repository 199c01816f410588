import { writeFileSync } from "node:fs";
import type { Outcome } from "../src/publish/pull-request/types.ts";
import { Postponed, Refused } from "../src/publish/pull-request/types.ts";
import { keepTrackingIssue } from "../src/publish/tracking-issue.ts";
import { sendWebhook } from "../src/publish/webhook.ts";
import { annotations, jobSummary } from "../src/report/github-actions.ts";
import { mailText } from "../src/report/mail.ts";
import { hasNews, newsNames, withoutTold } from "../src/report/news-text.ts";
import type { News } from "../src/report/pull-request/body.ts";
import { trackingIssueBody } from "../src/report/tracking-issue.ts";
import { webhookPayload } from "../src/report/webhook.ts";
import { EXIT, print, progress } from "./cli.ts";
import { addSummary, setOutput } from "./github-actions.ts";
import type { Publication } from "./publication.ts";
import { readTold, writeTold } from "./told.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Delivery {
  root: string;
  env: Env;
  news: News;
  publication: Publication;
  /** Bring the rolling pull request up to date. */
  pullRequest: boolean;
  /** Tell the outputs that data/tracker.yaml configures. */
  outputs: boolean;
  /** Where the mail's text goes: a file, or "-" for stdout. */
  mail: string | undefined;
  /** Takes tokens out of a text. */
  hide: (text: string) => string;
  send?: typeof fetch;
}

export interface Delivered {
  pullRequest?: Outcome | { action: "refused"; because: string };
  said: string[];
  exitCode: number;
}

/** Brings the news of a run to where it is wanted. What one channel refuses holds up no other. */
export async function deliver(delivery: Delivery): Promise<Delivered> {
  const { root, env, news, publication, mail, hide } = delivery;
  const pull = delivery.pullRequest ? await published(publication, root, news) : undefined;
  const url = pull && "url" in pull.outcome ? pull.outcome.url : undefined;
  if (url) setOutput(env, "pull-request", url);
  const told = delivery.outputs ? await tellOutputs(delivery, url) : { said: [], exitCode: EXIT.fine };
  if (mail !== undefined) {
    const text = hide(mailText(news, url));
    if (mail === "-") print(text);
    else writeFileSync(mail, text);
  }
  addSummary(env, hide(jobSummary(news, pull?.outcome)));
  if (env.GITHUB_ACTIONS === "true") for (const line of annotations(news, await publication.folder(root))) progress(hide(line));
  return {
    ...(pull ? { pullRequest: pull.outcome } : {}),
    said: [...(pull ? [sayPull(pull.outcome)] : []), ...told.said].map(hide),
    exitCode: Math.max(pull?.exitCode ?? EXIT.fine, told.exitCode),
  };
}

async function published(publication: Publication, root: string, { failed }: News) {
  try {
    const outcome = await publication.publish(root, failed);
    return { outcome, exitCode: outcome.action === "conflict" ? EXIT.unsure : EXIT.fine };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const because = publication.access?.hide(error.message) ?? error.message;
    return { outcome: { action: "refused" as const, because }, exitCode: error instanceof Postponed ? EXIT.unsure : EXIT.unusable };
  }
}

function sayPull(outcome: NonNullable<Delivered["pullRequest"]>): string {
  const url = "url" in outcome && outcome.url ? ` ${outcome.url}` : "";
  return `Pull request ${outcome.action === "none" ? "unchanged" : outcome.action}: ${outcome.because}${url}`;
}

async function tellOutputs({ root, env, news, send = fetch, publication }: Delivery, url: string | undefined) {
  const { outputs } = news.after.world.model.tracker;
  const said: string[] = [];
  let exitCode: number = EXIT.fine;
  const failedTo = (sentence: string, code: number) => {
    said.push(sentence);
    exitCode = Math.max(exitCode, code);
  };
  if (outputs?.issue) {
    const { access } = publication;
    if (!access)
      failedTo("The tracking issue was not touched: there is no token. Set LANDFALL_TOKEN to one that may write.", EXIT.unusable);
    else {
      try {
        const outcome = await keepTrackingIssue(access.octokit, {
          ...(await publication.repository(root)),
          ...outputs.issue,
          body: trackingIssueBody(news.after),
        });
        said.push(`${outcome.because}${outcome.url ? ` ${outcome.url}` : ""}`);
      } catch (error) {
        const because = access.hide(error instanceof Error ? error.message : String(error));
        failedTo(`The tracking issue was not touched: ${because}`, error instanceof Postponed ? EXIT.unsure : EXIT.unusable);
      }
    }
  }
  const told = readTold(root);
  for (const { shape, url_env: name } of outputs?.webhooks ?? []) {
    const fresh = withoutTold(news, new Set(told[name]));
    if (!hasNews(fresh)) continue;
    const problem = await sendWebhook(send, name, env[name], webhookPayload(shape, fresh, url));
    if (problem) failedTo(problem, env[name] ? EXIT.unsure : EXIT.unusable);
    else {
      told[name] = [...(told[name] ?? []), ...newsNames(fresh)];
      writeTold(root, told);
    }
  }
  return { said, exitCode };
}
