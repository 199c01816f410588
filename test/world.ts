import { SHAPES } from "../src/model/kinds.ts";
import type { Model } from "../src/model/kinds.ts";
import { containmentFile, gitFile, githubFile, inventoryFile, registryFile } from "../src/model/shapes/observed.ts";
import type { GitFile, GithubFile, Observed } from "../src/model/shapes/observed.ts";
import type { World } from "../src/derive/facts.ts";
import { worldOf } from "../src/derive/facts.ts";

type Rows = Record<string, Record<string, unknown>>;

/** Facts of an invented stack in short form. Commits may be written as one or two hexadecimal digits: `a` is forty of them. */
export interface ShortFacts {
  asOf?: string;
  threads?: Rows;
  archived?: string[];
  /** commit -> inside -> yes | no, in `repo` (default u/r) */
  contains?: Record<string, Record<string, string>>;
  commits?: Rows;
  tags?: Record<string, string>;
  picks?: Record<string, unknown>[];
  reverts?: Record<string, unknown>[];
  registry?: Rows;
  inventory?: Record<string, unknown>;
  repo?: string;
}

/** An invented stack in short form: what a case does not say is filled in with something plain. */
export interface ShortStack {
  tracker?: Record<string, unknown>;
  upstreams?: Rows;
  items?: Rows;
  pins?: Rows;
  patches?: Rows;
  variants?: Rows;
  triggers?: Rows;
  followUps?: Rows;
  measurements?: Rows;
  facts?: ShortFacts;
}

export const AS_OF = "2026-05-12T00:00:00Z";

/** `a` -> forty times a, `ab` -> twenty times ab; a real hash stays. */
export const sha = (short: string): string => (short.length < 3 ? short.repeat(40 / short.length) : short);

/** Builds the model and the observed facts through the real shapes, so a case that could not be stored cannot be tested either. */
export function stackOf(stack: ShortStack): { model: Model; observed: Observed } {
  const rows = <K extends Exclude<keyof typeof SHAPES, "tracker">>(kind: K, short: Rows | undefined, fill: (row: Rows[string]) => object) =>
    Object.fromEntries(Object.entries(short ?? {}).map(([id, row]) => [id, SHAPES[kind].parse(fill(row))])) as Model[K];
  const model: Model = {
    tracker: SHAPES.tracker.parse({
      title: "A stack",
      repo: "we/stack",
      zone: "UTC",
      thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 },
      ...stack.tracker,
    }),
    upstream: rows("upstream", stack.upstreams ?? { up: {} }, (row) => ({ title: "Up", repo: "u/r", ...row })),
    item: rows("item", stack.items, (row) => ({
      title: "Pad the tile",
      upstream: "up",
      stake: "blocks",
      why: "It is needed.",
      local: "none",
      ...row,
    })),
    pin: rows("pin", stack.pins, pinRow),
    patch: rows("patch", stack.patches, (row) => ({ title: "A patch", upstream: "up", delivery: "overlay", ...row })),
    variant: rows("variant", stack.variants, (row) => row),
    cliff: {},
    measurement: rows("measurement", stack.measurements, (row) => row),
    trigger: rows("trigger", stack.triggers, (row) => ({ title: "A trigger", rerun: ["the test"], acceptance: "it passes", ...row })),
    followUp: rows("followUp", stack.followUps, (row) => ({ title: "A follow-up", why_deferred: "Later.", decide: "Whether.", ...row })),
  };
  return { model, observed: observedOf(stack.facts ?? {}) };
}

/** {@link stackOf}, ready to be asked. */
export function worldFrom(stack: ShortStack): World {
  const { model, observed } = stackOf(stack);
  return worldOf(model, observed);
}

function pinRow({ commit, ...row }: Rows[string]): object {
  return {
    title: "A pin",
    upstream: "up",
    artifact: "oci:example.org/up:build",
    mutability: "immutable",
    reason: "It works.",
    ...(commit === undefined ? {} : { source: { commit: sha(String(commit)) } }),
    ...row,
  };
}

const PROVENANCE = { source: "a test", asOf: "2026-05-10" };

export function observedOf(facts: ShortFacts): Observed {
  const repo = facts.repo ?? "u/r";
  const github: Record<string, GithubFile> = {};
  const fileOf = (name: string) => (github[name] ??= { repository: { name, ...PROVENANCE }, threads: {} });
  for (const name of facts.archived ?? []) fileOf(name).repository.archived = true;
  for (const [ref, thread] of Object.entries(facts.threads ?? {})) {
    const [name = "", number = ""] = ref.split("#");
    fileOf(name).threads[number] = { kind: "issue", title: "Pad the tile", state: "open", ...PROVENANCE, ...fullShas(thread) } as never;
  }
  const keyed = (table: Rows) => Object.fromEntries(Object.entries(table).map(([key, row]) => [sha(key), fullShas(row)]));
  const git: GitFile = gitFile.parse({
    repository: repo,
    tags: Object.fromEntries(
      Object.entries(facts.tags ?? {}).map(([tag, commit]) => [
        tag,
        { commit: sha(commit), date: "2026-05-01", exact: true, ...PROVENANCE },
      ]),
    ),
    commits: keyed(
      Object.fromEntries(
        Object.entries(facts.commits ?? {}).map(([key, row]) => [
          key,
          { subject: "A commit", committedAt: "2026-05-01", ...PROVENANCE, ...row },
        ]),
      ),
    ),
    picks: (facts.picks ?? []).map((pick) => ({ on: "releases/v1", evidence: "same subject and number", ...fullShas(pick) })),
    reverts: (facts.reverts ?? []).map((revert) => ({ at: "2026-05-02", evidence: "the subject names it", ...fullShas(revert) })),
  });
  return {
    asOf: facts.asOf ?? AS_OF,
    github: Object.fromEntries(Object.entries(github).map(([name, file]) => [name, githubFile.parse(file)])),
    git: { [repo]: git },
    containment: containmentFile.parse({
      [repo]: Object.fromEntries(
        Object.entries(facts.contains ?? {}).map(([commit, inside]) => [
          sha(commit),
          Object.fromEntries(Object.entries(inside).map(([pin, answer]) => [sha(pin), answer])),
        ]),
      ),
    }),
    registry: registryFile.parse(
      Object.fromEntries(Object.entries(facts.registry ?? {}).map(([artifact, row]) => [artifact, { ...PROVENANCE, ...fullShas(row) }])),
    ),
    inventory: facts.inventory === undefined ? undefined : inventoryFile.parse({ ...NOTHING_FOUND, ...facts.inventory }),
    transitions: [],
  };
}

const NOTHING_FOUND = {
  tree: { repo: "we/stack", commit: sha("0"), date: "2026-05-12" },
  images: [],
  pins: [],
  mounts: [],
  invocations: [],
  envFlags: [],
  references: [],
  files: [],
  counts: { composes: 0, services: 0 },
};

const SHA_KEYS = new Set(["mergeCommit", "of", "commit", "relandedBy", "revision"]);

/** Expands short commits where the shapes expect commits, and `repo@a` where they expect a reference. */
function fullShas(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (SHA_KEYS.has(key) && typeof value === "string") return [key, sha(value)];
      if (key === "rebasedCommits" && Array.isArray(value)) return [key, value.map((one) => sha(String(one)))];
      if (key === "closer" && typeof value === "object" && value !== null && "ref" in value)
        return [key, { ...value, ref: String(value.ref).replace(/@([0-9a-f]{1,2})$/, (_, short: string) => `@${sha(short)}`) }];
      return [key, value];
    }),
  );
}
