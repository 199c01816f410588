import { existsSync } from "node:fs";
import { join } from "node:path";
import { worldOf } from "../src/derive/facts.ts";
import { upstreamRow } from "../src/import/first-stack.ts";
import type { Model } from "../src/model/kinds.ts";
import { load } from "../src/model/load.ts";
import { newItem } from "../src/model/new-item.ts";
import { fileOf } from "../src/model/paths.ts";
import { parseRef, threadOf } from "../src/model/ref.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import type { PlannedFile } from "../src/publish/files.ts";
import { UserError, cli, print } from "./cli.ts";
import { writeOrSay } from "./import.ts";
import { schemasOf } from "./schemas-of.ts";

export const command = () =>
  cli("add-item", "Adds a row for an upstream reference, with what is known of it filled in; a new upstream gets its row too.")
    .argument("<ref>", "owner/repo#12, its GitHub address, alias#12, owner/repo@sha, pypi:name@range, hf:owner/name, …")
    .option("--id <id>", "the row's id (its file name)")
    .option("--upstream <id>", "the upstream, when the reference does not tell")
    .action((asked: string, options: { root: string; id?: string; upstream?: string }) => {
      const { root } = options;
      const { model, observed } = load(root);
      const { facts } = worldOf(model, observed);
      const ref = whole(asked, model);
      const parsed = parseRef(ref);
      if (!parsed)
        throw new UserError(
          `"${asked}" is not a reference. Write owner/repo#12, its GitHub address, owner/repo@sha, pypi:name@range, npm:name@range, hf:owner/name or page:https://…`,
        );
      const repo = "repo" in parsed ? facts.canonical(parsed.repo) : undefined;
      const schemas = schemasOf(root);
      const upstream = options.upstream === undefined ? ofRepo(model, ref, repo, schemas) : named(model, options.upstream);
      const made = newItem(ref, upstream.id, upstream.title, facts.thread(ref), schemas);
      const path = fileOf("item", options.id ?? made.id);
      if (existsSync(join(root, path)))
        throw new UserError(`${path} exists already. Choose another id with --id; a reference may head several rows.`);
      const same = Object.keys(model.item).filter((id) => model.item[id]?.refs.some((one) => threadOf(one.ref) === threadOf(ref)));
      writeOrSay(root, [...(upstream.file ? [upstream.file] : []), { path, content: made.text }]);
      if (upstream.file && repo !== undefined) {
        const near = didYouMean(
          repo,
          Object.values(model.upstream).flatMap((row) => row.repo ?? []),
        );
        print(
          `Wrote ${upstream.file.path}: ${repo} is a new upstream of this stack.${near === "" ? "" : `${near} Then delete both files.`}`,
        );
      }
      print(`Wrote ${path}. Say in it why it matters and what depends on it, then run npm run check-data and npm run render.`);
      if (same.length > 0) print(`The reference is cited already, in ${listWords(same)}. Delete the new row if it says the same.`);
    });

/** A reference as it is written in rows: an address of GitHub and `alias#12` are short for it. */
function whole(asked: string, model: Model): string {
  const address = /^https?:\/\/github\.com\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)/.exec(asked);
  if (address) return `${address[1]}#${address[2]}`;
  const [, alias, rest] = /^([\w.-]+)([#@].+)$/.exec(asked) ?? [];
  const repos = new Set(
    Object.values(model.upstream).flatMap(({ repo, aliases }) =>
      repo !== undefined && [...aliases, repo.split("/")[1]].some((name) => name?.toLowerCase() === alias?.toLowerCase()) ? [repo] : [],
    ),
  );
  const [only] = repos;
  return only !== undefined && repos.size === 1 ? `${only}${rest}` : asked;
}

interface Chosen {
  id: string;
  title: string;
  /** Its row, when it has none yet. */
  file?: PlannedFile;
}

function named(model: Model, id: string): Chosen {
  const row = model.upstream[id];
  if (row === undefined)
    throw new UserError(`No upstream of this stack is named "${id}".${didYouMean(id, Object.keys(model.upstream))} ${known(model)}`);
  return { id, title: row.title };
}

/** The upstream of a repository, or a new one. */
function ofRepo(model: Model, ref: string, repo: string | undefined, schemas: string | undefined): Chosen {
  const upstreams = Object.entries(model.upstream);
  const found = upstreams.find(([, row]) => row.repo !== undefined && row.repo === repo);
  if (found) return { id: found[0], title: found[1].title };
  if (repo === undefined)
    throw new UserError(
      `${ref} does not tell its upstream. ${upstreams.length > 0 ? `Name it with --upstream. ${known(model)}` : "This stack has none yet: add one in data/upstreams/, and name it with --upstream."}`,
    );
  const order = Math.max(0, ...upstreams.map(([, row]) => row.order)) + 10;
  const { id, path, content } = upstreamRow(repo, new Set(Object.keys(model.upstream)), order, schemas);
  return { id, title: repo.split("/")[1] ?? repo, file: { path, content } };
}

const known = (model: Model): string => `Upstreams: ${listWords(Object.keys(model.upstream))}.`;
