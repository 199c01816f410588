import type { Repo, Token, World } from "./world.ts";
import { fullName } from "./world.ts";

/** Who asks: nobody, or the bearer of a token the world knows. `bad` is a token the world does not know. */
export type Caller = { token?: string; grant?: Token; bad: boolean };

/** Reads `Authorization: token x`, `Bearer x` or Basic (git sends the token as the password). */
export function callerOf(world: World, authorization: string | undefined): Caller {
  if (!authorization) return { bad: false };
  const [scheme = "", rest = ""] = authorization.split(" ");
  const token = scheme.toLowerCase() === "basic" ? (Buffer.from(rest, "base64").toString().split(":")[1] ?? "") : rest;
  const grant = world.tokens[token];
  return { token, ...(grant ? { grant } : {}), bad: grant === undefined };
}

/** What a caller gets to see of a repository. `sso`: the organization has not approved the token. */
export function sightOf(repo: Repo | undefined, caller: Caller): "yes" | "not-found" | "blocked" | "sso" {
  if (!repo) return "not-found";
  if (repo.private && !caller.grant?.sees.includes(fullName(repo).toLowerCase())) return "not-found";
  if (repo.sso && caller.grant && !caller.grant.approvedBy.includes(repo.sso.organization)) return "sso";
  return repo.blocked ? "blocked" : "yes";
}

/** Why a caller may not write to a repository; undefined when it may. The wording is GitHub's. */
export function refusalToWrite(repo: Repo, caller: Caller): { status: 401 | 403 | 404; message: string } | undefined {
  if (!caller.grant) return { status: 401, message: "Requires authentication" };
  if (repo.archived) return { status: 403, message: "Repository was archived so is read-only." };
  if (caller.grant.write) return undefined;
  if (caller.grant.kind === "classic") return { status: 404, message: "Not Found" };
  const by = caller.grant.kind === "fine-grained" ? "personal access token" : "integration";
  return { status: 403, message: `Resource not accessible by ${by}` };
}

export type Budget = { limit: number; used: number; reset: number };
export type Budgets = {
  /** The budget that a caller's requests of a kind come from; renewed when the world's clock passed its reset. */
  of(caller: Caller, resource: "core" | "graphql"): Budget;
};

/** Hourly budgets, 60 REST requests without a token. @param limits requests (core) and points (graphql) an hour */
export function createBudgets(world: World, limits: { core: number; graphql: number; anonymous: number }): Budgets {
  const budgets = new Map<string, Budget>();
  return {
    of(caller, resource) {
      const key = `${resource} ${caller.grant ? caller.token : ""}`;
      const found = budgets.get(key);
      if (found && found.reset * 1000 > world.clock) return found;
      const limit = caller.grant ? limits[resource] : resource === "core" ? limits.anonymous : 0;
      const made = { limit, used: 0, reset: Math.floor(world.clock / 1000) + 3600 };
      budgets.set(key, made);
      return made;
    },
  };
}

export const budgetHeaders = (budget: Budget, resource: string): Record<string, string> => ({
  "x-ratelimit-limit": String(budget.limit),
  "x-ratelimit-remaining": String(Math.max(0, budget.limit - budget.used)),
  "x-ratelimit-used": String(budget.used),
  "x-ratelimit-reset": String(budget.reset),
  "x-ratelimit-resource": resource,
});
