import { Postponed, Refused } from "./types.ts";

interface ApiError extends Error {
  status: number;
  request?: { method?: string };
  response?: { headers?: Record<string, string | number | undefined> };
}

const isApiError = (error: unknown): error is ApiError => error instanceof Error && "status" in error && typeof error.status === "number";

export const hasStatus = (error: unknown, ...statuses: number[]): boolean => isApiError(error) && statuses.includes(error.status);

export const says = (error: unknown, pattern: RegExp): boolean => error instanceof Error && pattern.test(error.message);

/**
 * What somebody has to do when GitHub refuses, in one sentence with the way out; other errors as they are.
 * Sources: field cases C18 (Actions may not open pull requests), D13 (rulesets), D14 (workflow scope), C17 (token's reach), C06 (limits).
 */
export function explain(error: unknown, repo: string, compareUrl?: string): unknown {
  if (error instanceof Error && error.name === "GraphqlResponseError")
    return new Refused(`GitHub refuses to remove the branch in ${repo}: ${(ruleText(error.message) ?? error.message).slice(0, 200)}`);
  if (!isApiError(error)) return error;
  const rule = ruleText(error.message);
  if (says(error, /not permitted to create or approve pull requests/i)) {
    return new Refused(
      `GitHub Actions may not open pull requests in ${repo}. Allow it under Settings → Actions → General → Workflow permissions (organisation and repository), or give an App or personal token. The branch is pushed${compareUrl ? `: ${compareUrl}` : "."}`,
    );
  }
  if (/workflow` scope|without `workflow`/i.test(error.message)) {
    return new Refused(
      `The token may not touch workflow files in ${repo}. The rolling branch never does; start it afresh from the base branch.`,
    );
  }
  if (rule !== undefined)
    return new Refused(`A rule of ${repo} protects the branch: ${rule}. Allow the bot's branch in the ruleset, or choose another branch.`);
  if (error.status === 401) return new Refused(`The token is not valid for ${repo}. Set LANDFALL_TOKEN (or GITHUB_TOKEN) to one that is.`);
  if (error.status === 403 && /archived/i.test(error.message))
    return new Refused(`${repo} is archived and takes no changes. Unarchive it, or publish elsewhere.`);
  if (isLimit(error)) {
    return new Postponed(
      `GitHub asks for a slower pace (${error.status}). What was written so far stays; the next run carries on from there.`,
    );
  }
  if (error.status >= 500) return new Postponed(`GitHub answered ${error.status} when ${repo} was written to; the next run carries on.`);
  const reads = (error.request?.method ?? "GET") === "GET";
  if (error.status === 404 && reads)
    return new Refused(`${repo} does not exist, or the token may not see it. Check the name and the token.`);
  if (error.status === 403 || error.status === 404) {
    return new Refused(`The token may not write to ${repo}. It needs contents: write and pull-requests: write.`);
  }
  return error;
}

/** Limits on the pace and on the hour; a limit on content creation has no words of its own (C06). */
const isLimit = ({ status, message, response }: ApiError): boolean =>
  status === 429 ||
  (status === 403 &&
    (/rate limit|secondary|abuse|temporarily blocked/i.test(message) ||
      response?.headers?.["retry-after"] !== undefined ||
      String(response?.headers?.["x-ratelimit-remaining"]) === "0"));

/** The rule's own words, when a ruleset or a protected branch refused (GH006, GH013). */
function ruleText(message: string): string | undefined {
  if (!/GH0(06|13)|protected branch|repository rule/i.test(message)) return undefined;
  return message
    .replaceAll(/\s+/g, " ")
    .replace(/ - https?:\S+$/, "")
    .slice(0, 200);
}
