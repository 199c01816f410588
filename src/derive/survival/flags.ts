import { suggest } from "../../model/suggest.ts";
import type { World } from "../facts.ts";
import { pinTarget } from "../propagation.ts";
import type { FlagJudgement } from "./judgement.ts";
import type { Sources } from "./sources.ts";

/** Where environment flags of a patch are looked up: the layer that ships it, else its upstream. */
export interface FlagSource {
  repo: string;
  commit: string;
  /** Files, or folders that end in a slash. */
  places: string[];
  name: string;
}

/** The source that should know a patch's flags; a sentence when that cannot be told. */
export function flagSource(world: World, patch: { upstream: string; part_of?: string | undefined }, commit: string): FlagSource | string {
  const pin = patch.part_of === undefined ? undefined : world.model.pin[patch.part_of];
  const upstreamId = pin?.upstream ?? patch.upstream;
  const upstream = world.model.upstream[upstreamId];
  const places = upstream?.flags ?? [];
  if (places.length === 0) return `data/upstreams/${upstreamId}.yaml does not say where flags are declared (flags:)`;
  if (!pin)
    return upstream?.repo === undefined ? "its upstream has no repository" : { repo: upstream.repo, commit, places, name: upstreamId };
  const target = pinTarget(world, patch.part_of ?? "", pin);
  if (target.repo === undefined || target.commit === undefined)
    return `${patch.part_of}: ${target.why ?? "no source commit is known for it"}`;
  return { repo: target.repo, commit: target.commit, places, name: patch.part_of ?? "" };
}

/**
 * Whether each flag stands in the source as a whole word: `GENESIS_ENABLE_PN54` is not known because a longer name starts with it
 * (pain D3, D4). Undefined: a question is open.
 */
export function judgeFlags(sources: Sources, from: FlagSource, flags: readonly string[]): FlagJudgement[] | undefined {
  const known = flagsIn(sources, from);
  if (known === undefined) return undefined;
  return flags.map((written): FlagJudgement => {
    const flag = written.split("=")[0] ?? written;
    if ("failed" in known) return { flag, verdict: "unknown", because: known.failed };
    if (known.words.has(flag)) return { flag, verdict: "known", because: `${from.name} (${from.commit.slice(0, 10)}) knows it` };
    const near = nearest(flag, known.words);
    return {
      flag,
      verdict: "flag-unknown",
      because: `${from.name} (${from.commit.slice(0, 10)}) does not know ${flag}${near ? `; it knows ${near}` : ""}, so setting it does nothing`,
      ...(near ? { near } : {}),
    };
  });
}

/** Every word in the declaring files that could be an environment variable. */
export function flagsIn(sources: Sources, { repo, commit, places }: FlagSource): { words: Set<string> } | { failed: string } | undefined {
  const words = new Set<string>();
  let open = false;
  for (const place of places) {
    const texts = place.endsWith("/") ? folderTexts(sources, repo, commit, place) : fileText(sources, repo, commit, place);
    if (texts === undefined) open = true;
    else if ("failed" in texts) return texts;
    else for (const text of texts.texts) for (const [word] of text.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)) words.add(word);
  }
  return open ? undefined : { words };
}

type Texts = { texts: string[] } | { failed: string } | undefined;

function fileText(sources: Sources, repo: string, commit: string, path: string): Texts {
  const answer = sources.file(repo, commit, path);
  if (answer === undefined) return undefined;
  if (answer.state === "text") return { texts: [answer.text] };
  return { failed: answer.state === "failed" ? answer.why : `${repo} has no readable ${path} at ${commit.slice(0, 10)}` };
}

function folderTexts(sources: Sources, repo: string, commit: string, path: string): Texts {
  const folder = sources.folder(repo, commit, path);
  if (folder === undefined) return undefined;
  if (folder.state === "failed") return { failed: folder.why };
  const files = folder.files.filter((file) => /\.(py|sh|ya?ml|toml|json|c|cc|cpp|cu|h|hpp|rs|go|ts|js|md)$/.test(file.path));
  if (files.length === 0) return { failed: `${repo} has no files in ${path} at ${commit.slice(0, 10)}` };
  sources.want(files.map((file) => ({ ask: "blob", repo, blob: file.blob })));
  const answers = files.map((file) => sources.blob(repo, file.blob));
  if (answers.some((answer) => answer === undefined)) return undefined;
  const failed = answers.find((answer) => answer?.state === "failed");
  if (failed?.state === "failed") return { failed: failed.why };
  return { texts: answers.flatMap((answer) => (answer?.state === "text" ? [answer.text] : [])) };
}

/** A longer name that starts with the flag, or one that starts the same, is the likelier slip than a letter. */
function nearest(flag: string, words: ReadonlySet<string>): string | undefined {
  const all = [...words].sort();
  return (
    all.find((word) => word.startsWith(`${flag}_`)) ??
    all.find((word) => flag.startsWith(`${word}_`) && word.split("_").length > 2) ??
    suggest(flag, all)
  );
}
