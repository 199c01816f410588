import { readFileSync } from "node:fs";
import {
  buildSchema,
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  Kind,
  parse,
  validate,
} from "graphql";
import { type Budget, type Caller, sightOf } from "../access.ts";
import { nodeId, numberIn } from "../node-id.ts";
import { isLive } from "../threads.ts";
import { findRepo, instant, type World } from "../world.ts";
import { priceOf } from "./cost.ts";
import { createCommitOnBranch, updateRefs } from "./mutations.ts";
import { repositoryView } from "./repository-view.ts";
import { threadView } from "./thread-views.ts";
import { actor, githubError, type Scene, StandGap, type View } from "./view.ts";

export type GraphqlRequest = { query?: unknown; variables?: Record<string, unknown>; operationName?: string | null };
export type GraphqlAnswer = {
  body: { data?: Record<string, unknown> | null; errors?: unknown[] };
  cost: number;
  /** What the stand could not answer as GitHub would: a field it does not know, a broken view. */
  ownFailures: string[];
};

let schema: GraphQLSchema | undefined;

/** GitHub's published schema, built once a process (0.3 s). */
export function githubSchema(): GraphQLSchema {
  if (schema) return schema;
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  schema = buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true, noLocation: true });
  return schema;
}

/** A value, or a function of the arguments; a field that the view lacks is a gap of the stand. */
const resolveField: GraphQLFieldResolver<View, Scene> = (source, args, scene, info) => {
  if (!(info.fieldName in source)) throw new StandGap(`${info.parentType.name}.${info.fieldName}`);
  const value = source[info.fieldName];
  return typeof value === "function" ? value(args, scene) : value;
};

function repositoryOf(scene: Scene, args: Record<string, unknown>): View {
  const name = `${args.owner}/${args.name}`;
  const repo = findRepo(scene.world, name);
  const renamed = repo !== undefined && `${repo.owner}/${repo.name}`.toLowerCase() !== name.toLowerCase();
  const sight = sightOf(repo, scene.caller);
  if (!repo || sight === "not-found" || (renamed && args.followRenames === false)) {
    throw githubError("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  }
  if (sight === "sso") {
    throw githubError(
      "FORBIDDEN",
      "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.",
    );
  }
  // How GraphQL words a takedown is in no public source; REST's words are used.
  if (sight === "blocked") throw githubError("FORBIDDEN", "Repository access blocked");
  return repositoryView(scene, repo);
}

function nodeOf(scene: Scene, id: string): View {
  const number = numberIn(id);
  for (const repo of Object.values(scene.world.repos)) {
    if (sightOf(repo, scene.caller) !== "yes") continue;
    if (nodeId("Repository", repo.id) === id) return repositoryView(scene, repo);
    for (const thread of Object.values(repo.threads)) if (isLive(thread) && thread.id === number) return threadView(scene, repo, thread);
  }
  throw githubError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}

/** The query's fields; each alias fails by itself. */
const root = {
  __typename: "Query",
  rateLimit: (_args: unknown, scene: Scene) => scene.rateLimit,
  repository: (args: Record<string, unknown>, scene: Scene) => repositoryOf(scene, args),
  viewer: (_args: unknown, scene: Scene) => actor(scene.caller.grant?.login ?? null),
  node: ({ id }: Record<string, unknown>, scene: Scene) => nodeOf(scene, String(id)),
  nodes: ({ ids }: Record<string, unknown>, scene: Scene) =>
    (ids as string[]).map((id) => {
      try {
        return nodeOf(scene, id);
      } catch (error) {
        return error;
      }
    }),
  updateRefs: ({ input }: Record<string, unknown>, scene: Scene) => updateRefs(scene, input as Record<string, unknown>),
  createCommitOnBranch: ({ input }: Record<string, unknown>, scene: Scene) => createCommitOnBranch(scene, input as Record<string, unknown>),
};

const parsed = new Map<string, { document: DocumentNode; invalid: readonly GraphQLError[] }>();

function prepare(query: string): { document: DocumentNode; invalid: readonly GraphQLError[] } {
  const known = parsed.get(query);
  if (known) return known;
  const document = parse(query);
  const made = { document, invalid: validate(githubSchema(), document) };
  if (parsed.size > 500) parsed.clear();
  parsed.set(query, made);
  return made;
}

/** Executes a request on GitHub's schema over the world. Points are the caller's to subtract from the budget. */
export function executeGraphql(world: World, caller: Caller, budget: Budget, request: GraphqlRequest): GraphqlAnswer {
  if (typeof request.query !== "string") return refused("A query attribute must be specified and must be a string.");
  let prepared: ReturnType<typeof prepare>;
  try {
    prepared = prepare(request.query);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
  if (prepared.invalid.length > 0) return { body: { errors: prepared.invalid.map((error) => error.toJSON()) }, cost: 1, ownFailures: [] };
  const price = priceOf(githubSchema(), prepared.document, request.variables ?? {});
  if (price.errors.length > 0) return { body: { errors: price.errors }, cost: 1, ownFailures: [] };

  const dry = isDryRun(prepared.document);
  const used = budget.used + (dry ? 0 : price.cost);
  const rateLimit = {
    __typename: "RateLimit",
    cost: price.cost,
    nodeCount: price.nodes,
    limit: budget.limit,
    used,
    remaining: Math.max(0, budget.limit - used),
    resetAt: instant(budget.reset * 1000),
  };
  const result = execute({
    schema: githubSchema(),
    document: prepared.document,
    // A dry run prices the query without evaluating it.
    rootValue: dry ? { ...root, ...DRY } : root,
    contextValue: { world, caller, rateLimit } satisfies Scene,
    variableValues: request.variables ?? null,
    operationName: request.operationName ?? null,
    fieldResolver: resolveField as GraphQLFieldResolver<unknown, unknown>,
  });
  if (result instanceof Promise) throw new Error("resolvers are synchronous");
  const failures = (result.errors ?? []).filter((error) => error.extensions.type === undefined);
  const errors = (result.errors ?? []).map(({ message, path, locations, extensions }) => ({
    type: extensions.type,
    path,
    locations,
    message,
  }));
  const data = result.data ? (result.data as Record<string, unknown>) : null;
  return {
    body: { data, ...(errors.length > 0 ? { errors } : {}) },
    cost: dry ? 0 : price.cost,
    ownFailures: failures.map((error) => {
      const gap = error.originalError instanceof StandGap ? "the stand does not answer " : "";
      return `${gap}${error.message} at ${error.path?.join(".")}`;
    }),
  };
}

const DRY = { repository: null, viewer: null, node: null };

const isDryRun = (document: DocumentNode): boolean =>
  document.definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.selectionSet.selections.some(
        (field) =>
          field.kind === Kind.FIELD &&
          field.name.value === "rateLimit" &&
          field.arguments?.some(({ name, value }) => name.value === "dryRun" && value.kind === Kind.BOOLEAN && value.value),
      ),
  );

const refused = (message: string): GraphqlAnswer => ({ body: { errors: [{ message }] }, cost: 1, ownFailures: [] });
