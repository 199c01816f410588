import { z } from "zod";
import type { Answer } from "../http.ts";
import { ask, isFailed, readJson, refused } from "../http.ts";
import type { Failed } from "../look.ts";
import type { Net } from "../net.ts";
import { baseOf } from "./name.ts";
import type { ImageName } from "./types.ts";

/** Requests to one repository of a registry, with the token it asked for. */
export type Session = (path: string, init?: { method?: "GET" | "HEAD"; accept?: string }) => Promise<Answer | Failed>;

const token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/**
 * Opens a repository. Registries answer the first request with 401 and the place to get a token from; anonymous tokens do for
 * public images (Docker Hub, ghcr.io and all others alike). A token that expired is fetched once more. What stays 401 or 403 is
 * failed, never gone: registries hide private and missing repositories behind the same answer.
 */
export function openRepository(net: Net, name: ImageName): Session {
  let authorization: string | undefined;
  return async (path, { method = "GET", accept } = {}) => {
    const base = net.mirror?.(name.host) ?? baseOf(name.host);
    const url = path.startsWith("/v2/") ? `${base}${path}` : `${base}/v2/${name.repository}/${path}`;
    const send = () =>
      ask(net, url, {
        method,
        headers: { ...(accept === undefined ? {} : { accept }), ...(authorization === undefined ? {} : { authorization }) },
      });
    const first = await send();
    if (isFailed(first) || (first.status !== 401 && first.status !== 403)) return first;
    const challenge = first.headers.get("www-authenticate");
    if (challenge === null) return denied(first, name);
    const answer = await authorize(net, name, challenge);
    if (isFailed(answer)) return answer;
    authorization = answer.authorization;
    const second = await send();
    return !isFailed(second) && (second.status === 401 || second.status === 403) ? denied(second, name) : second;
  };
}

const denied = (answer: Answer, name: ImageName): Failed =>
  refused(answer, `${name.host}/${name.repository} is private, or does not exist (the registry does not tell which)`);

async function authorize(net: Net, name: ImageName, challenge: string): Promise<{ authorization: string } | Failed> {
  const login = net.login?.(name.host);
  const basic = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
  const [scheme = ""] = challenge.split(" ", 1);
  if (scheme.toLowerCase() === "basic")
    return basic ? { authorization: basic } : failed(`${name.host} wants a password for ${name.repository}.`);
  const fields = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
  const realm = fields.realm ?? "";
  if (scheme.toLowerCase() !== "bearer" || !URL.canParse(realm))
    return failed(`${name.host} asks for a login of a kind that is not known.`);
  const url = new URL(realm);
  if (fields.service !== undefined) url.searchParams.set("service", fields.service);
  url.searchParams.set("scope", fields.scope ?? `repository:${name.repository}:pull`);
  // A password goes over an encrypted line, or to this machine, and nowhere else.
  const safe = url.protocol === "https:" || baseOf(url.host).startsWith("http:");
  const answer = await ask(net, url.href, { headers: basic && safe ? { authorization: basic } : {} });
  if (isFailed(answer)) return answer;
  if (answer.status !== 200) return denied(answer, name);
  const given = readJson(answer, token, `The token for ${name.host}/${name.repository}`);
  if (isFailed(given)) return given;
  const bearer = given.token ?? given.access_token;
  return bearer === undefined
    ? failed(`${url.host} gave no token for ${name.host}/${name.repository}.`)
    : { authorization: `Bearer ${bearer}` };
}

const failed = (why: string): Failed => ({ state: "failed", why });
