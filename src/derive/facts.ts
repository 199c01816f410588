import { groupBy } from "../model/group.ts";
import type { Model } from "../model/kinds.ts";
import { parseRef, threadOf } from "../model/ref.ts";
import type { GitFile, InventoryFile, Observed, RegistryFile, Thread } from "../model/shapes/observed.ts";
import type { SurvivalFile } from "../model/shapes/survival.ts";

export type CommitFact = GitFile["commits"][string];
export type TagFact = GitFile["tags"][string];
export type Revert = GitFile["reverts"][number];
export type Pick = GitFile["picks"][number];
export type RegistryFact = RegistryFile[string];

/** Questions to the observed facts. Every answer may be undefined: not known. */
export interface Facts {
  /** The repository's present name: former owners and names resolved. */
  canonical: (repo: string) => string;
  archived: (repo: string) => boolean;
  /** Another name that GitHub gave when it was asked for this one. */
  renamedTo: (repo: string) => string | undefined;
  thread: (ref: string) => Thread | undefined;
  commit: (repo: string, sha: string) => { sha: string; fact: CommitFact } | undefined;
  tag: (repo: string, name: string) => TagFact | undefined;
  /** Names of everything observed as a tag; {@link TagFact} says which are branch tips or inferred. */
  tags: (repo: string) => string[];
  /** Is `commit` the same as `inside`, or an ancestor of it? */
  contains: (repo: string, commit: string, inside: string) => "yes" | "no" | undefined;
  revertsOf: (repo: string, commit: string) => readonly Revert[];
  picksOf: (repo: string, commit: string) => readonly Pick[];
  registry: (artifact: string) => RegistryFact | undefined;
  /** Artifacts that registries were asked for. */
  artifacts: () => string[];
  inventory: InventoryFile | undefined;
  /** What was recorded of a patch at commits of its source. */
  survival: (patch: string) => SurvivalFile[string] | undefined;
}

/** A stack with its facts, as of the moment they were observed. Derive reads nothing else. */
export interface World {
  model: Model;
  facts: Facts;
  /** ISO instant or day of the last observation; the only "now" there is. */
  asOf: string;
}

export function worldOf(model: Model, observed: Observed): World {
  return { model, facts: factsOf(model, observed), asOf: observed.asOf };
}

function factsOf(model: Model, observed: Observed): Facts {
  const names = new Map<string, string>();
  for (const upstream of Object.values(model.upstream)) {
    if (upstream.repo === undefined) continue;
    for (const name of [upstream.repo, ...upstream.former]) names.set(name.toLowerCase(), upstream.repo);
  }
  const canonical = (repo: string) => names.get(repo.toLowerCase()) ?? repo;
  const git = new Map(
    Object.entries(observed.git).map(([repo, file]) => [
      repo,
      {
        file,
        reverts: groupBy(file.reverts, (found) => found.of),
        picks: groupBy(file.picks, (found) => found.of),
        shas: Object.keys(file.commits).sort(),
      },
    ]),
  );
  return {
    canonical,
    archived: (repo) => observed.github[canonical(repo)]?.repository.archived === true,
    renamedTo: (repo) => observed.github[canonical(repo)]?.repository.renamedTo,
    thread: (ref) => {
      const parsed = parseRef(threadOf(ref));
      return parsed?.type === "thread" ? observed.github[canonical(parsed.repo)]?.threads[String(parsed.number)] : undefined;
    },
    commit: (repo, sha) => {
      const known = git.get(canonical(repo));
      if (!known) return undefined;
      const full = sha.length === 40 ? sha : oneWithPrefix(known.shas, sha);
      const fact = full === undefined ? undefined : known.file.commits[full];
      return full !== undefined && fact ? { sha: full, fact } : undefined;
    },
    tag: (repo, name) => git.get(canonical(repo))?.file.tags[name],
    tags: (repo) => Object.keys(git.get(canonical(repo))?.file.tags ?? {}),
    contains: (repo, commit, inside) => (commit === inside ? "yes" : observed.containment[canonical(repo)]?.[commit]?.[inside]),
    revertsOf: (repo, commit) => git.get(canonical(repo))?.reverts.get(commit) ?? [],
    picksOf: (repo, commit) => git.get(canonical(repo))?.picks.get(commit) ?? [],
    registry: (artifact) => observed.registry[artifact],
    artifacts: () => Object.keys(observed.registry),
    inventory: observed.inventory,
    survival: (patch) => observed.survival?.[patch],
  };
}

/** The one commit that starts with a short hash; undefined when none does, or several do. */
function oneWithPrefix(shas: readonly string[], prefix: string): string | undefined {
  const found = shas.filter((sha) => sha.startsWith(prefix));
  return found.length === 1 ? found[0] : undefined;
}

export interface Step {
  from: string;
  to: string;
  because: string;
}

/**
 * Follows a reference through supersession, duplicates and moves to its end.
 * A circle ends where it would start again, and is reported.
 */
export function follow(facts: Facts, ref: string): { end: string; steps: Step[]; circle: boolean } {
  const steps: Step[] = [];
  const seen = new Set<string>([ref]);
  let end = ref;
  for (;;) {
    const thread = facts.thread(end);
    const next = thread && successor(thread);
    if (!next) return { end, steps, circle: false };
    steps.push({ from: end, to: next.ref, because: next.because });
    if (seen.has(next.ref)) return { end, steps, circle: true };
    seen.add(next.ref);
    end = next.ref;
  }
}

function successor(thread: Thread): { ref: string; because: string } | undefined {
  if (thread.movedTo !== undefined) return { ref: thread.movedTo, because: "moved" };
  if (thread.merged === true || thread.state === "open") return undefined;
  if (thread.supersededBy !== undefined) return { ref: thread.supersededBy.ref, because: "superseded" };
  if (thread.duplicateOf !== undefined) return { ref: thread.duplicateOf, because: "duplicate" };
  return undefined;
}
