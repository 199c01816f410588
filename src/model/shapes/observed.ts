import { z } from "zod";
import { REF_KINDS } from "../vocabulary.ts";
import { day, keys, ref, repo, text } from "./common.ts";
import type { SurvivalFile } from "./survival.ts";

/**
 * What the machine saw, under `data/observed/`. Only sync and scan write these files.
 * A fact that is not known is absent or null; it is never a default.
 */
const fullSha = z.string().regex(/^[0-9a-f]{40}$/);
/** An instant, ISO 8601 with zone, or a day where only the day is known. */
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/);

/** Where a fact was read and when it was seen to hold. `asOf` null: not known; it never means "last activity". */
const provenance = {
  source: text,
  asOf: instant.nullable(),
  since: instant.nullable().optional(),
  stale: z.strictObject({ since: instant.nullable(), why: text }).optional(),
};

export const thread = z.strictObject({
  kind: keys(REF_KINDS),
  title: text,
  /** The title before the last rename. */
  previousTitle: text.optional(),
  url: z.string().optional(),
  nodeId: z.string().optional(),
  author: z.string().optional(),
  state: z.enum(["open", "closed"]),
  stateReason: z.enum(["completed", "not-planned", "duplicate", "reopened"]).nullable().optional(),
  merged: z.boolean().optional(),
  draft: z.boolean().optional(),
  conflicting: z.boolean().optional(),
  review: z.enum(["approved", "changes-requested", "review-required"]).nullable().optional(),
  base: z.string().optional(),
  createdAt: instant.optional(),
  closedAt: instant.optional(),
  reopenedAt: instant.optional(),
  mergedAt: instant.optional(),
  mergeCommit: fullSha.optional(),
  /** All commits a rebase merge put on the base branch, oldest first; mergeCommit is the last. */
  rebasedCommits: z.array(fullSha).optional(),
  /** What closed it: a commit or a pull request. With evidence: a commit that carries its number, found in the history. */
  closer: z.strictObject({ ref, at: instant.optional(), evidence: text.optional() }).optional(),
  /** Pull requests that close this issue when they merge. */
  closedBy: z.array(ref).optional(),
  supersededBy: z.strictObject({ ref, evidence: text }).optional(),
  duplicateOf: ref.optional(),
  movedTo: ref.optional(),
  gone: z.enum(["deleted", "unreachable", "blocked"]).optional(),
  /** Day of the last human comment, review or commit; absent when not known. */
  lastActivity: day.optional(),
  replies: z.array(z.strictObject({ by: text, at: instant })).optional(),
  labels: z.array(text).optional(),
  /** Another node answers under this name than the one first seen: the name was re-used. */
  nodeMismatch: z.boolean().optional(),
  ...provenance,
});
export type Thread = z.infer<typeof thread>;

/** `observed/github/OWNER/REPO.json` */
export const githubFile = z.strictObject({
  repository: z.strictObject({
    name: repo,
    nodeId: z.string().optional(),
    archived: z.boolean().optional(),
    renamedTo: repo.optional(),
    ...provenance,
  }),
  threads: z.record(z.string().regex(/^[1-9]\d*$/), thread),
});
export type GithubFile = z.infer<typeof githubFile>;

const commit = z.strictObject({
  subject: text,
  committedAt: instant,
  /** Counted branches known to contain it, and branches known not to. */
  on: z.array(text).optional(),
  notOn: z.array(text).optional(),
  ...provenance,
});

/** `observed/git/OWNER/REPO.json`: tags, commits, release-branch twins and reverts. */
export const gitFile = z.strictObject({
  repository: repo,
  tags: z.record(
    z.string(),
    z.strictObject({
      commit: fullSha,
      date: instant,
      exact: z.boolean().meta({ description: "False: a branch tip or an inferred commit, not a tag." }),
      /** The commit it named before it was moved: what was proved about the tag then was proved about that one (B12). */
      movedFrom: fullSha.optional(),
      /** The upstream deleted it; the commit stays what it was (B14). */
      gone: z.literal(true).optional(),
      ...provenance,
    }),
  ),
  commits: z.record(fullSha, commit),
  /** A release branch carries the change `of` as another commit. */
  picks: z.array(z.strictObject({ of: fullSha, commit: fullSha, on: text, evidence: text })),
  reverts: z.array(z.strictObject({ commit: fullSha, of: fullSha, at: instant, evidence: text, relandedBy: fullSha.optional() })),
});
export type GitFile = z.infer<typeof gitFile>;

/** `observed/containment.json`: repository -> commit -> pin commit -> is it an ancestor (or the same)? Never changes for two commits. */
export const containmentFile = z.record(repo, z.record(fullSha, z.record(fullSha, z.enum(["yes", "no"]))));
export type ContainmentFile = z.infer<typeof containmentFile>;

/** `observed/registry/*.json`: images, packages and assets by their reference. */
export const registryFile = z.record(
  z.string(),
  z.strictObject({
    available: z.enum(["yes", "gone"]).optional(),
    digest: z.string().optional(),
    /** Bytes that a pull of the image downloads. */
    size: z.number().int().positive().optional(),
    seenDigests: z.array(z.strictObject({ digest: z.string(), at: instant })).optional(),
    revision: fullSha.optional(),
    revisionFrom: text.optional(),
    versions: z
      .record(z.string(), z.strictObject({ publishedAt: instant.nullable(), yanked: z.boolean().optional(), reason: text.optional() }))
      .optional(),
    lastModified: instant.optional(),
    note: text.optional(),
    ...provenance,
  }),
);
export type RegistryFile = z.infer<typeof registryFile>;

const place = { file: text, line: z.number().int().positive() };
/** Found in an archived part of the tree, which nothing runs. Absent means no. */
const apart = { archived: z.literal(true).optional() };
/** `observed/inventory.json`: what the stack's tree pins, mounts and runs, as `scan` finds it. */
export const inventoryFile = z.strictObject({
  /** Commit and date are null for a tree that is no checkout and carries no stamp. */
  tree: z.strictObject({ repo, commit: fullSha.nullable(), date: instant.nullable() }),
  images: z.array(
    z.strictObject({
      image: text,
      raw: z.array(text),
      mutability: z.enum(["immutable", "floating", "local", "build"]),
      users: z.array(z.strictObject({ ...place, service: text, archived: z.boolean() })),
    }),
  ),
  /** What the tree pins besides images that services run; `oci` is an image that an engine profile or a script names. */
  pins: z.array(z.strictObject({ kind: z.enum(["git", "pypi", "npm", "hf", "oci"]), name: text, value: text, ...place, ...apart })),
  mounts: z.array(z.strictObject({ source: text, target: text, readonly: z.literal(true).optional(), service: text, ...place, ...apart })),
  /** `source`: the file of the tree that is mounted there; absent when the path is the image's own. */
  invocations: z.array(z.strictObject({ path: text, source: text.optional(), service: text, ...place, ...apart })),
  /** Where an entrypoint starts the server, so that what runs after it can be told. Absent: not looked for. */
  starts: z.array(z.strictObject({ command: text, service: text, ...place, ...apart })).optional(),
  envFlags: z.array(z.strictObject({ name: text, value: z.string(), service: text, ...place, ...apart })),
  references: z.array(z.strictObject({ ref: text, ...place, ...apart })),
  files: z.array(text).meta({ description: "Patch files that exist in the tree." }),
  /** Compose files of the stack proper, and of side services; archived ones apart. */
  counts: z.strictObject({ composes: z.number().int(), services: z.number().int(), archived: z.number().int().optional() }),
});
export type InventoryFile = z.infer<typeof inventoryFile>;

/** `observed/as-of.json` */
export const asOfFile = z.strictObject({ asOf: instant, note: text.optional() });

/** One line of `observed/transitions-YYYY.jsonl`. */
export const transition = z.strictObject({
  item: text,
  from: text.nullable(),
  to: text,
  at: instant,
  because: text,
});
export type Transition = z.infer<typeof transition>;

/** Everything under `data/observed/`, by repository or reference. */
export interface Observed {
  asOf: string;
  github: Record<string, GithubFile>;
  git: Record<string, GitFile>;
  containment: ContainmentFile;
  registry: RegistryFile;
  inventory: InventoryFile | undefined;
  survival?: SurvivalFile | undefined;
  transitions: Transition[];
}
