import type { Octokit } from "@octokit/rest";
import { explain } from "./refusal.ts";
import { overlayReader, treeIfKnown } from "./trees.ts";
import type { Context, Overlay, Place } from "./types.ts";

/**
 * What was proposed last and is not merged: the files under `data/` at the head of the last pull request that this machine has
 * otherwise. An observer starts from these facts, else it would find every proposed change again, each time on another day, and
 * would not notice when one of them is undone. Empty when there is none.
 * @throws {Refused} when GitHub refuses
 */
export async function proposedFiles(octokit: Octokit, proposal: Place): Promise<Overlay> {
  const { owner, repo, branch } = proposal;
  const context: Context = { octokit, at: { owner, repo }, proposal };
  try {
    const { data } = await octokit.rest.pulls.list({
      ...context.at,
      head: `${owner}:${branch}`,
      state: "all",
      sort: "created",
      direction: "desc",
      per_page: 20,
    });
    const last = data.find(({ state }) => state === "open") ?? data[0];
    const tree = last && last.merged_at === null ? await treeIfKnown(context, last.head.sha) : undefined;
    return tree ? await overlayReader(context)(tree) : new Map();
  } catch (error) {
    throw explain(error, `${owner}/${repo}`);
  }
}
