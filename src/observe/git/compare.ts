import type { Failed, Look } from "../look.ts";
import type { Request } from "../net.ts";
import type { Containment, Question } from "./types.ts";

/** What of GitHub's answer decides. The list of commits never does: it is cut off at 250 (field case B02). */
interface Comparison {
  status?: unknown;
  merge_base_commit?: { sha?: unknown };
  base_commit?: { sha?: unknown };
}

/**
 * Containment without git, by the compare API of GitHub. The change is the base and the pin is the head, so `ahead` and
 * `identical` mean that the pin has it; `behind` and `diverged` mean that it lacks it (field case B01). `inside` may be a branch:
 * that a commit can be fetched proves nothing, only that a branch has it does (field case B06).
 *
 * @returns unknown for unrelated histories (field case B04); failed when GitHub did not answer the question
 */
export async function compareCommits(request: Request, repository: string, question: Question): Promise<Look<Containment>> {
  const [owner = "", repo = ""] = repository.split("/");
  const basehead = `${question.commit}...${question.inside}`;
  const source = `GitHub, comparison of ${repository} ${basehead}`;
  try {
    const { data } = await request("GET /repos/{owner}/{repo}/compare/{basehead}", { owner, repo, basehead, per_page: 1 });
    const answer = verdict((data ?? {}) as Comparison);
    if (answer === undefined) return failed(`GitHub's comparison of ${basehead} in ${repository} is not one: it has no usable status.`);
    return { state: "seen", value: { ...question, answer }, source };
  } catch (error) {
    const { status, message, headers } = refusal(error);
    if (status === 404 && /no common ancestor/i.test(message)) {
      const why = `${question.commit} and ${question.inside} have no common ancestor: the history was rewritten, or they belong to different projects`;
      return { state: "seen", value: { ...question, answer: "unknown", why }, source };
    }
    if (status === 404)
      return failed(`GitHub does not know ${question.commit} or ${question.inside} in ${repository}, or hides the repository.`, status);
    const reset = headers["x-ratelimit-remaining"] === "0" ? Number(headers["x-ratelimit-reset"]) : Number.NaN;
    return failed(
      `GitHub did not compare ${basehead} in ${repository}${status === undefined ? `: ${message}` : ` (status ${status})`}.`,
      status,
      Number.isFinite(reset) ? new Date(reset * 1000).toISOString() : undefined,
    );
  }
}

/** Status and merge base must tell the same; an answer that contradicts itself is none. */
function verdict({ status, merge_base_commit, base_commit }: Comparison): "yes" | "no" | undefined {
  const base = base_commit?.sha;
  const shared = merge_base_commit?.sha;
  const inside = typeof base === "string" && typeof shared === "string" ? base === shared : undefined;
  if (status === "ahead" || status === "identical") return inside === false ? undefined : "yes";
  if (status === "behind" || status === "diverged") return inside === true ? undefined : "no";
  return undefined;
}

function refusal(error: unknown): { status: number | undefined; message: string; headers: Record<string, unknown> } {
  const found = (error ?? {}) as {
    status?: unknown;
    message?: unknown;
    response?: { headers?: Record<string, unknown>; data?: { message?: unknown } };
  };
  const message = found.response?.data?.message ?? found.message;
  return {
    status: typeof found.status === "number" ? found.status : undefined,
    message: typeof message === "string" ? message.slice(0, 200) : "no answer",
    headers: found.response?.headers ?? {},
  };
}

const failed = (why: string, status?: number, notBefore?: string): Failed => ({ state: "failed", why, status, notBefore });
