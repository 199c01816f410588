import { createHash } from "node:crypto";
import type { Octokit } from "@octokit/rest";
import { explain } from "./pull-request/refusal.ts";

export interface TrackingIssue {
  owner: string;
  repo: string;
  label: string;
  title: string;
  body: string;
}

export interface IssueOutcome {
  action: "none" | "created" | "updated";
  because: string;
  url?: string;
}

const MARKER = /<!-- landfall:issue ([0-9a-f]+) -->/;

/**
 * Keeps one issue up to date, found by its label and a marker in its body. Same content: no write. Closed by a person: it stays as it is.
 * @throws {Refused} when GitHub refuses for a reason somebody has to mend
 */
export async function keepTrackingIssue(octokit: Octokit, { owner, repo, label, title, body }: TrackingIssue): Promise<IssueOutcome> {
  const at = { owner, repo };
  const hash = createHash("sha256").update(`${title}\0${body}`).digest("hex").slice(0, 24);
  const text = `${body.trimEnd()}\n\n<!-- landfall:issue ${hash} -->\n`;
  try {
    const found = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...at,
      labels: label,
      state: "all",
      per_page: 100,
      direction: "asc",
    });
    const known = found.find((issue) => !issue.pull_request && MARKER.test(issue.body ?? ""));
    if (!known) {
      const { data } = await octokit.rest.issues.create({ ...at, title, body: text, labels: [label] });
      return { action: "created", because: "The tracking issue was opened.", url: data.html_url };
    }
    const url = known.html_url;
    if (MARKER.exec(known.body ?? "")?.[1] === hash) return { action: "none", because: "The tracking issue already says this.", url };
    if (known.state === "closed")
      return { action: "none", because: "The tracking issue was closed; reopen it, and it is kept up to date again.", url };
    await octokit.rest.issues.update({ ...at, issue_number: known.number, title, body: text });
    return { action: "updated", because: "The tracking issue was brought up to date.", url };
  } catch (error) {
    throw explain(error, `${owner}/${repo}`);
  }
}
