import type { Caller } from "../access.ts";
import type { Repo, World } from "../world.ts";

/** One REST request on its way through the stand. */
export type Context = {
  world: World;
  /** Base of the API's own URLs, without a slash at the end. */
  api: string;
  caller: Caller;
  method: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** Decoded path parameters, by their name in the OpenAPI template. */
  params: Record<string, string>;
  headers: Record<string, string | undefined>;
  budget: { limit: number; used: number; reset: number };
  graphqlBudget: { limit: number; used: number; reset: number };
};
export type RepoContext = Context & { repo: Repo };
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

/** The web address that objects carry: GitHub's own, whatever address the stand listens on. */
export const WEB = "https://github.com";
const DOCS = "https://docs.github.com/rest";

/** GitHub's error body. */
export const failure = (status: number, message: string, more: Record<string, unknown> = {}): Reply => ({
  status,
  body: { message, ...more, documentation_url: DOCS, status: String(status) },
});
export const notFound = (): Reply => failure(404, "Not Found");
/** 422 with a list of errors, as the write endpoints answer. */
export const invalid = (...errors: { resource: string; code: string; field?: string; message?: string }[]): Reply =>
  failure(422, "Validation Failed", { errors });

/** A redirect of the API: to the repository's or issue's permanent address. Writes get 307, so that the method survives. */
export function moved(context: Context, path: string): Reply {
  const url = `${context.api}${path}`;
  const [status, message] = context.method === "GET" ? [301, "Moved Permanently"] : [307, "Temporary Redirect"];
  return { status, body: { message, url, documentation_url: DOCS }, headers: { location: url } };
}

/** One page of a list, with GitHub's Link header, which addresses repositories by id. */
export function page<T>(context: RepoContext, path: string, items: T[], render: (item: T) => unknown): Reply {
  const size = Math.min(100, Math.max(1, Number(context.query.get("per_page") ?? 30) || 30));
  const last = Math.max(1, Math.ceil(items.length / size));
  const current = Math.max(1, Number(context.query.get("page") ?? 1) || 1);
  const link = (number: number, rel: string): string => {
    const query = new URLSearchParams(context.query);
    query.set("page", String(number));
    return `<${context.api}/repositories/${context.repo.id}${path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(current > 1 ? [link(current - 1, "prev")] : []),
    ...(current < last ? [link(current + 1, "next"), link(last, "last")] : []),
    ...(current > 1 ? [link(1, "first")] : []),
  ];
  return {
    status: 200,
    body: items.slice((current - 1) * size, current * size).map(render),
    ...(links.length > 0 ? { headers: { link: links.join(", ") } } : {}),
  };
}
