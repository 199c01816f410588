import { GraphQLError } from "graphql";
import { type Caller, sightOf } from "../access.ts";
import { accountKind, userNodeId } from "../node-id.ts";
import { WEB } from "../rest/context.ts";
import { isLive } from "../threads.ts";
import type { ThreadRef } from "../thread-types.ts";
import { type Repo, repoById, type World } from "../world.ts";

/** What resolvers know of the request. */
export type Scene = {
  world: World;
  caller: Caller;
  /** The `rateLimit` object of this request. */
  rateLimit: Record<string, unknown>;
};

/**
 * An object of the schema: `__typename`, and one value or function of the arguments for each field that the stand
 * answers. Asking for another field is a gap of the stand, not null (see `resolveField`).
 */
export type View = { __typename: string } & Record<string, unknown>;
type Args = Record<string, unknown>;

/** A field of GitHub's schema that the stand does not answer. The request gets a 500, so that no test mistakes it for null. */
export class StandGap extends Error {}

/** An error as GitHub reports it: `type` stands beside the message. */
export const githubError = (type: string, message: string): GraphQLError => new GraphQLError(message, { extensions: { type } });

export function actor(login: string | null): View | null {
  if (login === null) return null;
  const kind = accountKind(login);
  return {
    __typename: kind,
    id: userNodeId(login),
    login: login.replace(/\[bot\]$/, ""),
    url: `${WEB}/${login}`,
    resourcePath: `/${login}`,
    avatarUrl: `${WEB}/${login}.png`,
    ...(kind === "User" ? { name: null, email: "" } : {}),
  };
}

/** The text of Markdown as GitHub shows it in `bodyText`: here the source without HTML comments. */
export const textOf = (body: string): string => body.replace(/<!--.*?-->/gs, "").trim();

const cursorOf = (index: number): string => Buffer.from(`cursor:${index}`).toString("base64");
const indexOf = (cursor: unknown): number => Number(Buffer.from(String(cursor), "base64").toString().split(":")[1]);

/** A connection over a list, paged by first/after and last/before as Relay has it. Nodes are made for the page alone. */
export function connection<T>(items: T[], args: Args, view: (item: T) => unknown, more: Record<string, unknown> = {}): View {
  let [start, end] = [0, items.length];
  if (typeof args.after === "string") start = indexOf(args.after) + 1;
  if (typeof args.before === "string") end = indexOf(args.before);
  const [outerStart, outerEnd] = [start, end];
  if (typeof args.first === "number") end = Math.min(end, start + args.first);
  if (typeof args.last === "number") start = Math.max(start, end - args.last);
  const page = items.slice(start, end);
  return {
    __typename: "Connection",
    totalCount: items.length,
    filteredCount: Math.max(0, outerEnd - outerStart),
    pageCount: page.length,
    nodes: () => page.map(view),
    edges: () => page.map((item, offset) => ({ __typename: "Edge", cursor: cursorOf(start + offset), node: view(item) })),
    pageInfo: {
      __typename: "PageInfo",
      hasNextPage: end < (typeof args.before === "string" ? outerEnd : items.length),
      hasPreviousPage: start > (typeof args.after === "string" ? outerStart : 0),
      startCursor: page.length > 0 ? cursorOf(start) : null,
      endCursor: page.length > 0 ? cursorOf(end - 1) : null,
    },
    ...more,
  };
}

/** The repository, when it exists and the caller may read it. */
export function visibleRepo(scene: Scene, id: number | null): Repo | undefined {
  const repo = id === null ? undefined : repoById(scene.world, id);
  return repo && sightOf(repo, scene.caller) === "yes" ? repo : undefined;
}

/** The live thread behind a reference that the caller may read. GraphQL leaves out what lies in hidden repositories. */
export function visibleThread(scene: Scene, ref: ThreadRef) {
  const repo = visibleRepo(scene, ref.repo);
  const thread = repo?.threads[ref.number];
  return repo && isLive(thread) ? { repo, thread } : undefined;
}
