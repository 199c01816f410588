import type { Octokit } from "@octokit/rest";
import { refOf } from "./branch.ts";
import { propose } from "./propose.ts";
import { explain } from "./refusal.ts";
import type { Run } from "./run.ts";
import { overlayReader } from "./trees.ts";
import type { Outcome, Proposal } from "./types.ts";
import { Refused } from "./types.ts";
import { update } from "./update.ts";

/**
 * Keeps one pull request on one branch up to date with a plan.
 *
 * - Same content as proposed before: no write at all. The content's hash is the stamp in the body.
 * - The base moved: it is merged into the branch; a conflict is said in the pull request, and nothing else is done.
 * - People's commits on the branch stay; the bot adds on top, never by force (field case D03).
 * - News waits for the batch unless it is urgent. Pages follow people's changes and the base at once, with the facts proposed before.
 * - Closed by hand: the same content stays closed (D17); with the snooze label only what `reopens` opens a new one.
 * - Two runs at once: the one that moves the branch first wins, the other notices (D02).
 * - Merged or closed: the branch goes, unless it has commits that no pull request and not the base has.
 *
 * @throws {Refused} when GitHub refuses for a reason somebody has to mend
 */
export async function publish(octokit: Octokit, proposal: Proposal): Promise<Outcome> {
  const { owner, repo } = proposal;
  const name = `${owner}/${repo}`;
  let page = `https://github.com/${name}`;
  try {
    const { data: info } = await octokit.rest.repos.get({ owner, repo });
    page = info.html_url;
    if (info.archived) throw new Refused(`${name} is archived and takes no changes. Unarchive it, or publish elsewhere.`);
    const { data: pulls } = await octokit.rest.pulls.list({
      owner,
      repo,
      head: `${owner}:${proposal.branch}`,
      state: "all",
      sort: "created",
      direction: "desc",
      per_page: 20,
    });
    const open = pulls.find(({ state }) => state === "open");
    const context = { octokit, at: { owner, repo }, proposal: inRepository(proposal) };
    // A person may have pointed the open pull request at another branch.
    const base = open?.base.ref ?? proposal.base ?? info.default_branch;
    const baseHead = await refOf(context, base);
    if (baseHead === undefined) throw new Refused(`${name} has no branch ${base}. Create it, or name another base in data/tracker.yaml.`);
    const run: Run = { ...context, repository: info.node_id, base, baseHead, overlay: overlayReader(context) };
    return open ? await update(run, open) : await propose(run, pulls[0]);
  } catch (error) {
    throw explain(error, name, `${page}/compare/${encodeURIComponent(proposal.branch)}?expand=1`);
  }
}

/** The same proposal with paths from the repository's root. */
function inRepository(proposal: Proposal): Proposal {
  const { folder, owns, plan } = proposal;
  if (folder === "") return proposal;
  return {
    ...proposal,
    owns: (path) => path.startsWith(folder) && owns(path.slice(folder.length)),
    plan: (stacks) => {
      const planned = plan(stacks);
      return { ...planned, files: planned.files.map(({ path, content }) => ({ path: folder + path, content })) };
    },
  };
}
