import type { Derived } from "../derive/derive.ts";
import type { Status } from "../model/vocabulary.ts";
import { STATUSES } from "../model/vocabulary.ts";
import { list } from "./markdown/build.ts";
import { write } from "./markdown/write.ts";
import { pullRequestBody } from "./pull-request/body.ts";
import { symbolWords } from "./words.ts";

/** The body of the rolling tracking issue: where the stack stands, not what moved. Notifies nobody, as the pull request's. */
export function trackingIssueBody(derived: Derived): string {
  const counts = (Object.keys(STATUSES) as Status[])
    .filter((status) => derived.counts[status] > 0)
    .map((status) => `${symbolWords(status)}: ${derived.counts[status]}`);
  const state = pullRequestBody({ before: undefined, after: derived, transitions: [], failed: [] });
  return `${write({ type: "root", children: [list(counts)] })}\n${state}`;
}
