import { existsSync } from "node:fs";
import { join } from "node:path";
import { worldOf } from "../src/derive/facts.ts";
import { load } from "../src/model/load.ts";
import { newItem } from "../src/model/new-item.ts";
import { fileOf } from "../src/model/paths.ts";
import { parseRef } from "../src/model/ref.ts";
import { listWords } from "../src/model/suggest.ts";
import { writeFiles } from "../src/publish/files.ts";
import { UserError, cli, print } from "./cli.ts";

/** `https://github.com/o/r/pull/1` and `o/r#1` are the same reference. */
function fromUrl(text: string): string {
  const match = /^https?:\/\/github\.com\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)/.exec(text);
  return match ? `${match[1]}#${match[2]}` : text;
}

export const command = () =>
  cli("add-item", "Adds a row for an upstream reference, with what is known of it filled in.")
    .argument("<ref>", "owner/repo#12, its GitHub address, owner/repo@sha, pypi:name@range, hf:owner/name, …")
    .option("--id <id>", "the row's id (its file name)")
    .option("--upstream <id>", "the upstream, when the reference does not tell")
    .action((asked: string, options: { root: string; id?: string; upstream?: string }) => {
      const ref = fromUrl(asked);
      const parsed = parseRef(ref);
      if (!parsed)
        throw new UserError(
          `"${asked}" is not a reference. Write owner/repo#12, its GitHub address, owner/repo@sha, pypi:name@range, npm:name@range, hf:owner/name or page:https://…`,
        );
      const { model, observed } = load(options.root);
      const { facts } = worldOf(model, observed);
      const repo = "repo" in parsed ? facts.canonical(parsed.repo) : undefined;
      const upstream =
        options.upstream ?? Object.entries(model.upstream).find(([, row]) => row.repo !== undefined && row.repo === repo)?.[0];
      if (upstream === undefined || !(upstream in model.upstream)) {
        throw new UserError(
          `No upstream of this stack ${options.upstream ? `is named "${options.upstream}"` : `has the repository of ${ref}`}. Name one with --upstream: ${listWords(Object.keys(model.upstream))}. Or add one in data/upstreams/.`,
        );
      }
      const made = newItem(ref, upstream, model.upstream[upstream], facts.thread(ref));
      const path = fileOf("item", options.id ?? made.id);
      if (existsSync(join(options.root, path)))
        throw new UserError(`${path} exists already. Choose another id with --id; a reference may head several rows.`);
      writeFiles(options.root, [{ path, content: made.text }]);
      print(`Wrote ${path}. Say in it why it matters and what depends on it, then run npm run check-data and npm run render.`);
    });
