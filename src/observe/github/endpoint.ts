/** The public GitHub. */
export const PUBLIC_API = "https://api.github.com";

/** Version of the REST API that answers are read in; always sent, so that a new default cannot change what a field means (C26). */
export const API_VERSION = "2022-11-28";

/**
 * The REST base for a GitHub, from what people paste: the site, or the API itself (C21).
 * `https://ghe.example.org` -> `https://ghe.example.org/api/v3`; `https://acme.ghe.com` -> `https://api.acme.ghe.com`.
 * Octokit makes the GraphQL address of it. Plain HTTP is kept only for a stand-in on the loopback.
 * @throws {Error} when it is no address
 */
export function apiBase(address: string | undefined): string {
  if (address === undefined || address.trim() === "") return PUBLIC_API;
  if (!URL.canParse(address)) throw new Error(`${address} is not the address of a GitHub. Write https://github.example.org.`);
  const url = new URL(address);
  const host = url.host.toLowerCase();
  if (host === "github.com" || host === "www.github.com" || host === "api.github.com") return PUBLIC_API;
  if (isLoopback(url.hostname)) return `${url.protocol}//${host}${url.pathname.replace(/\/$/, "")}`;
  if (host.endsWith(".ghe.com")) return `https://${host.startsWith("api.") ? host : `api.${host}`}`;
  return `https://${host}/api/v3`;
}

const isLoopback = (host: string) => host === "localhost" || host === "127.0.0.1" || host === "[::1]";

/** The address people open in a browser, for the same GitHub. */
export function siteOf(api: string): string {
  const url = new URL(api);
  if (api === PUBLIC_API || isLoopback(url.hostname)) return "https://github.com";
  return `https://${url.host.replace(/^api\./, "")}`;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where upstreams are read and with which token. The workflow's own `GITHUB_TOKEN` belongs to the GitHub the workflow runs on:
 * on another GitHub it is neither valid nor anybody's business, so it is not sent there (C17, C21). `from` names the variable of
 * the token, or says why one that is set was not taken.
 */
export function upstreamAccess(env: Env): { api: string; token: string | undefined; from: string | undefined } {
  const api = apiBase(env.LANDFALL_GITHUB_URL);
  const own = env.LANDFALL_GITHUB_TOKEN?.trim();
  if (own) return { api, token: own, from: "LANDFALL_GITHUB_TOKEN" };
  const home = apiBase(env.GITHUB_API_URL ?? env.GH_HOST?.replace(/^(?!https?:)/, "https://"));
  for (const name of ["GITHUB_TOKEN", "GH_TOKEN"] as const) {
    const token = env[name]?.trim();
    if (token && home === api) return { api, token, from: name };
    if (token) return { api, token: undefined, from: `${name} belongs to ${new URL(home).host}` };
  }
  return { api, token: undefined, from: undefined };
}
