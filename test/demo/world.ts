import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addKey, setValue } from "../../src/model/edit.ts";
import { writeFiles } from "../../src/publish/files.ts";
import { createGit, type Git, openGit } from "../stand/git-repository.ts";
import { type Github, startGithub } from "../stand/github.ts";
import { type Images, startImages } from "../stand/images.ts";
import { mergePull, moveRef } from "../stand/merging.ts";
import type { Issue, Pull } from "../stand/thread-types.ts";
import { addIssue, addPull, close, comment, crossReference, isLive, linkPull } from "../stand/threads.ts";
import { addRelease, addRepo, addToken, advanceTo, createWorld, findRepo, nowOf, type Repo, refTo } from "../stand/world.ts";
import type { Day, Event } from "./month.ts";

/** The invented world of the demo, running on this machine. */
export interface DemoWorld {
  github: Github;
  images: Images;
  /** Moves the clock to the day's hour and lets what is recorded for it happen. */
  live(day: Day): void;
  /** What a sync needs to look at this world instead of the real one, and at its clock instead of the machine's. */
  env(): Record<string, string>;
  close(): Promise<void>;
}

/** Only the stand knows it. */
const TOKEN = "the-demo-needs-no-token";

/**
 * Starts it, empty.
 * @param repositories folder for its git repositories
 * @param root the stack, in whose files its people write
 */
export async function startWorld(repositories: string, root: string): Promise<DemoWorld> {
  const world = createWorld("2026-01-01T00:00:00Z");
  addToken(world, TOKEN);
  const github = await startGithub(world);
  const images = await startImages(() => world.clock);
  const named = new Map<string, string>();

  const repoOf = (name: string): { repo: Repo; git: Git } => {
    const repo = findRepo(world, name) ?? addRepo(world, name, { git: createGit(join(repositories, `${name}.git`)).dir });
    return { repo, git: openGit(repo.git ?? "") };
  };
  const threadOf = (ref: string): { repo: Repo; git: Git; number: number; thread: Issue | Pull } => {
    const [name = "", number = ""] = ref.split("#");
    const found = repoOf(name);
    return {
      ...found,
      number: Number(number),
      get thread() {
        const thread = found.repo.threads[Number(number)];
        if (!isLive(thread) || thread.kind === "discussion") throw new Error(`month.yaml speaks of ${ref}, which is not there`);
        return thread;
      },
    };
  };
  const commitOf = (git: Git, revision: string): string => {
    const sha = git.resolve(revision);
    if (sha === undefined) throw new Error(`month.yaml speaks of ${revision}, which is not there`);
    return sha;
  };

  const happen = (event: Event): void => {
    const date = nowOf(world);
    const by = (login: string) => ({ name: login, email: `${login}@users.noreply.example` });
    if ("commit" in event) {
      const { repo, git } = repoOf(event.commit);
      const message = event.message.replaceAll(/\{(\w+)\}/g, (_, name: string) => named.get(name) ?? "");
      const sha = git.commit({ branch: event.on, message, files: event.files, date, author: by("maintainer") });
      moveRef(world, repo, `refs/heads/${event.on}`, sha);
      if (event.as !== undefined) named.set(event.as, sha);
    } else if ("branch" in event) {
      const { git } = repoOf(event.branch);
      git.branch(event.name, commitOf(git, "main"));
    } else if ("release" in event) {
      addRelease(world, repoOf(event.release).repo, event.tag);
    } else if ("image" in event) {
      const { git } = repoOf(event.from);
      const labels = {
        "org.opencontainers.image.revision": commitOf(git, event.of),
        "org.opencontainers.image.source": `https://github.com/${event.from}`,
      };
      images.push(event.image, event.tags, [{ labels, created: date }]);
    } else if ("remove" in event) {
      images.removeTag(event.remove, event.tag);
    } else if ("tag" in event) {
      const { git } = repoOf(event.tag);
      git.tag(event.name, commitOf(git, event.of));
    } else if ("issue" in event) {
      const { repo, number } = threadOf(event.issue);
      addIssue(world, repo, { number, title: event.title, author: event.by });
    } else if ("pull" in event) {
      const { repo, git, number } = threadOf(event.pull);
      const head = `${event.by}/${number}`;
      git.branch(head, commitOf(git, "main"));
      git.commit({ branch: head, message: event.title, files: event.files, date, author: by(event.by) });
      const body = event.fixes === undefined ? "" : `Fixes #${event.fixes}`;
      const pull = addPull(world, repo, { number, title: event.title, author: event.by, head, body });
      const issue = event.fixes === undefined ? undefined : repo.threads[event.fixes];
      if (issue?.kind === "issue") {
        linkPull(repo, pull, repo, issue);
        crossReference(world, refTo(repo, pull), issue, { willClose: true, by: event.by });
      }
    } else if ("comment" in event) {
      comment(world, threadOf(event.comment).thread, { author: event.by, association: "CONTRIBUTOR", body: event.says });
    } else if ("merge" in event) {
      const { repo, thread } = threadOf(event.merge);
      if (thread.kind !== "pull") throw new Error(`month.yaml merges ${event.merge}, which is no pull request`);
      const sha = mergePull(world, repo, thread);
      if (event.as !== undefined) named.set(event.as, sha);
    } else if ("close" in event) {
      close(world, threadOf(event.close).thread, { by: event.by ?? "maintainer", ...(event.reason ? { reason: event.reason } : {}) });
    } else {
      const { write: path, key, value } = event;
      const text = readFileSync(join(root, path), "utf8");
      writeFiles(root, [{ path, content: typeof value === "string" ? setValue(text, [key], value) : addKey(text, [], key, value) }]);
    }
  };

  return {
    github,
    images,
    live({ at, happens }) {
      advanceTo(world, at);
      for (const event of happens) happen(event);
    },
    env: () => ({
      LANDFALL_GITHUB_TOKEN: TOKEN,
      LANDFALL_GITHUB_URL: github.url,
      LANDFALL_GIT_URL: github.gitUrl,
      LANDFALL_OCI_URL: images.url,
      LANDFALL_NOW: nowOf(world),
    }),
    close: async () => {
      await Promise.all([github.close(), images.close()]);
    },
  };
}
