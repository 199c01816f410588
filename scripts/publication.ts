import { relative, resolve } from "node:path";
import { realpathSync } from "node:fs";
import type { Model } from "../src/model/kinds.ts";
import { load } from "../src/model/load.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { NEVER_OBSERVED } from "../src/model/vocabulary.ts";
import { observedFiles } from "../src/observe/files.ts";
import { mergeObserved } from "../src/observe/merge.ts";
import { writeFiles } from "../src/publish/files.ts";
import { proposedFiles } from "../src/publish/pull-request/proposed.ts";
import { publish } from "../src/publish/pull-request/publish.ts";
import { blobHash } from "../src/publish/pull-request/trees.ts";
import type { Outcome, Place } from "../src/publish/pull-request/types.ts";
import { Refused } from "../src/publish/pull-request/types.ts";
import { isGeneratedPage } from "../src/report/pages/pages.ts";
import type { News } from "../src/report/pull-request/body.ts";
import { gitRunner } from "./git-host.ts";
import type { OwnAccess } from "./own-client.ts";
import { ownClient } from "./own-client.ts";
import { ownRepo } from "./own-repo.ts";
import { planner } from "./pull-request-plan.ts";
import { dataFiles, withCopy } from "./stack-copy.ts";
import { transitionLogs } from "./transition-logs.ts";

type Env = Readonly<Record<string, string | undefined>>;

const owns = (path: string): boolean => path.startsWith("data/observed/") || isGeneratedPage(path);

/** The stack's own repository and how its pull request behaves. In a workflow the repository is the workflow's. */
async function placeOf(root: string, now: string, env: Env, beforeWriting: () => void): Promise<Place> {
  const { tracker }: Model = load(root).model;
  const settings = tracker.pull_request;
  return {
    ...(await repositoryOf(root, env)),
    base: settings?.base,
    branch: settings?.branch ?? "landfall/upstream",
    folder: await folderOf(root),
    local: new Map(dataFiles(root).map(({ path, content }) => [path, blobHash(content)])),
    owns,
    everyDays: settings?.every_days ?? 7,
    snoozeLabel: settings?.snooze_label ?? "landfall:snooze",
    now,
    beforeWriting,
  };
}

/** The repository that holds the stack: the workflow's, the one it was cloned from, or the one that data/tracker.yaml names. */
async function repositoryOf(root: string, env: Env): Promise<{ owner: string; repo: string }> {
  const name = env.GITHUB_REPOSITORY ?? (await ownRepo(root)) ?? load(root).model.tracker.repo;
  const [owner = "", repo = ""] = name.split("/");
  return { owner, repo };
}

/** Where the stack lies in its repository: "" at the top, else a path that ends in a slash. */
async function folderOf(root: string): Promise<string> {
  const { code, stdout } = await gitRunner()(["rev-parse", "--show-toplevel"], { cwd: root });
  if (code !== 0) return "";
  const folder = relative(realpathSync(stdout.trim()), realpathSync(resolve(root))).replaceAll("\\", "/");
  return folder === "" ? "" : `${folder}/`;
}

export interface Publication {
  /** Takes over what was proposed and is not merged, so that the run starts from it. Says why, when that could not be read. */
  takeOver: (root: string) => Promise<string | undefined>;
  /** @throws {Refused} with one sentence */
  publish: (root: string, failed: News["failed"]) => Promise<Outcome>;
  /** Undefined without a token. */
  access: OwnAccess | undefined;
  repository: (root: string) => Promise<{ owner: string; repo: string }>;
  /** Where the stack lies in its repository: "" or a path that ends in a slash. */
  folder: (root: string) => Promise<string>;
}

/**
 * The rolling pull request of a stack.
 * @param signal aborted on shutdown: then nothing more is written to GitHub
 */
export function publication(options: { now: () => Date; env: Env; signal?: AbortSignal | undefined; fetch?: typeof fetch }): Publication {
  const { env, signal } = options;
  const access = ownClient(env, options.fetch);
  const now = () => `${options.now().toISOString().slice(0, 19)}Z`;
  const place = (root: string) =>
    placeOf(root, now(), env, () => {
      if (signal?.aborted) throw new Refused("Stopped before anything was published; the next run carries on.");
    });
  return {
    access,
    repository: (root) => repositoryOf(root, env),
    folder: folderOf,
    takeOver: async (root) => {
      if (!access) return undefined;
      try {
        adopt(root, await proposedFiles(access.octokit, await place(root)));
        return undefined;
      } catch (error) {
        return sentence(error, access);
      }
    },
    publish: async (root, failed) => {
      if (!access)
        throw new Refused("There is no token to open the pull request with. Set LANDFALL_TOKEN (or GITHUB_TOKEN) to one that may write.");
      try {
        const at = await place(root);
        return await publish(access.octokit, { ...at, plan: planner(root, failed) });
      } catch (error) {
        throw error instanceof Refused ? error : new Refused(`The pull request could not be updated: ${sentence(error, access)}`);
      }
    },
  };
}

const sentence = (error: unknown, { hide }: OwnAccess): string =>
  hide(error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");

/** Writes the facts that were proposed into the stack, beside its own: of two that differ the one seen later. */
function adopt(root: string, proposed: ReadonlyMap<string, string | undefined>): void {
  const facts = new Map([...proposed].filter(([path, text]) => path.startsWith("data/observed/") && text !== undefined));
  if (facts.size === 0) return;
  const mine = load(root).observed;
  const theirs = withCopy(root, facts, (copy) => load(copy).observed);
  const none = { ...mine, asOf: NEVER_OBSERVED, github: {}, git: {}, containment: {}, registry: {}, transitions: [] };
  const merged = mergeObserved(none, [mine, theirs]);
  writeFiles(root, [
    ...transitionLogs(mine.transitions, merged.transitions),
    ...observedFiles(mine, merged),
    ...(merged.asOf === mine.asOf ? [] : [{ path: "data/observed/as-of.json", content: sortedJson({ asOf: merged.asOf }) }]),
  ]);
}
