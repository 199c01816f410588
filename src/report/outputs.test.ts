import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { derive } from "../derive/derive.ts";
import { load } from "../model/load.ts";
import { WEBHOOK_SHAPES } from "../model/shapes/outputs.ts";
import { annotations, jobSummary } from "./github-actions.ts";
import { mailText } from "./mail.ts";
import { hasNews, newsNames, withoutTold } from "./news-text.ts";
import type { News } from "./pull-request/body.ts";
import { commitMessage, pullRequestTitle } from "./pull-request/title.ts";
import { trackingIssueBody } from "./tracking-issue.ts";
import { webhookPayload } from "./webhook.ts";

const { model, observed } = load(fileURLToPath(new URL("../../", import.meta.url)));
const after = derive(model, observed);
const because = "Fix @torvalds <!channel> @everyone **b** <script>alert(1)</script> [x](https://evil.example) & `c`\nfixes #12";
const transition = { item: "vllm-marlin-pad-sub-tile", from: "in-review", to: "landed", at: "2026-08-22", because };
const news: News = { before: undefined, after, transitions: [transition], failed: [] };
const silence: News = { ...news, before: after, transitions: [] };

describe("the other outputs, from the same object", () => {
  it("D08 D11 title and commit message hold numbers and days, and nothing of upstream origin", () => {
    for (const text of [pullRequestTitle(news), commitMessage(news), pullRequestTitle(silence)]) expect(text).not.toMatch(/[#@<]|https?:/);
    expect(pullRequestTitle(news)).toMatch(/^Upstream changes: \d+ to decide, 1 landed$/);
    expect(pullRequestTitle(silence)).toMatch(/^Upstream facts as of \d{4}-\d\d-\d\d$/);
    expect(pullRequestTitle(news).length).toBeLessThan(256);
  });

  it.each(WEBHOOK_SHAPES)("%s: fits, counts what was cut, and cannot mention anybody", (shape) => {
    const payload = webhookPayload(shape, news, "https://github.com/we/stack/pull/1") as Record<string, unknown>;
    const text = String(payload.text ?? payload.content);
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/and \d+ more lines/);
    expect(text.endsWith("https://github.com/we/stack/pull/1")).toBe(true);
  });

  it("escapes by the rules of each chat", () => {
    const only = { ...news, after: { ...after, attention: [] } };
    const slack = webhookPayload("slack", only, undefined) as { text: string };
    expect(slack.text).not.toMatch(/<!?\w/);
    const discord = webhookPayload("discord", only, undefined) as { content: string; allowed_mentions: object };
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    expect(discord.content).not.toMatch(/(?<!\\)\*\*/);
    const matrix = webhookPayload("matrix", only, undefined) as { html: string; text: string };
    expect(matrix.html).not.toMatch(/<(?!br>)/);
    expect(matrix.text).not.toMatch(/@\w/);
  });

  it("a mail has headers of one line each and is empty without news", () => {
    const [head = "", ...body] = mailText(news, undefined).split("\n\n");
    for (const line of head.split("\n")) expect(line).toMatch(/^[A-Z][A-Za-z-]+: [ -~]+$/);
    expect(body.join("\n\n")).toContain("Moved\n-----\n* ");
    expect(mailText(silence, undefined)).toBe("");
  });

  it("annotations stand beside the row's file, ten at most, and keep to their line", () => {
    const lines = annotations(news, "tracker/");
    expect(lines.length).toBe(10);
    for (const line of lines) expect(line).toMatch(/^::warning file=tracker\/data\/[a-z-]+\/[\w.-]+\.yaml,title=[^,:]+::[^\r\n]+$/);
    expect(annotations(silence, "")).toEqual([]);
  });

  it("the summary says what became of the pull request, also when it was refused", () => {
    expect(jobSummary(news, { because: "GitHub Actions may not open pull requests. https://example.org/compare" })).toContain(
      "https://example.org/compare",
    );
  });

  it("the tracking issue shows the present state and reaches no upstream thread", () => {
    const body = trackingIssueBody(after);
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/🔵 [A-Z][\w, ]+: \d+/);
    expect(body).not.toMatch(/https:\/\/(www\.)?github\.com\//);
    expect(trackingIssueBody(derive(model, observed)), "the same state, the same text").toBe(body);
  });

  it("remembers what was told by names", () => {
    const told = new Set(newsNames(news));
    expect(hasNews(withoutTold(news, told))).toBe(false);
    expect(hasNews(withoutTold({ ...news, transitions: [{ ...transition, to: "resolved" }] }, told))).toBe(true);
    expect(hasNews(silence)).toBe(false);
  });
});
