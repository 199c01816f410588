import { z } from "zod";
import { ask, isFailed, readJson, refused } from "./http.ts";
import type { Look } from "./look.ts";
import type { Net } from "./net.ts";
import type { AssetFact } from "./packages.ts";

const model = z.object({ id: z.string(), sha: z.string().regex(/^[0-9a-f]{40}$/), lastModified: z.string() });

/**
 * A repository of models or files at a revision. Hugging Face answers 401 for a repository that is private, gated or missing, so
 * only a revision can be told to be gone; the header `X-Error-Code` says which of the two is missing.
 */
export async function lookUpAsset(
  net: Net,
  name: string,
  { revision = "main", etag }: { revision?: string; etag?: string | undefined } = {},
): Promise<Look<AssetFact>> {
  const source = "Hugging Face";
  const what = `The Hugging Face repository ${name}`;
  const base = net.bases?.huggingface ?? "https://huggingface.co";
  const login = net.login?.(new URL(base).host);
  const answer = await ask(net, `${base}/api/models/${name}/revision/${encodeURIComponent(revision)}`, {
    headers: {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(login === undefined ? {} : { authorization: `Bearer ${login.password}` }),
    },
  });
  if (isFailed(answer)) return answer;
  if (answer.status === 304) return { state: "unchanged", source };
  if (answer.status === 404 && answer.headers.get("x-error-code") === "RevisionNotFound") {
    return { state: "gone", what: "revision", why: `${name} has no revision ${revision}`, source };
  }
  if (answer.status === 401 || answer.status === 403 || answer.headers.get("x-error-code") === "RepoNotFound") {
    return { state: "failed", why: `${what} is private, gated, or does not exist (the host does not tell which).`, status: answer.status };
  }
  if (answer.status !== 200) return refused(answer, what);
  const found = readJson(answer, model, what);
  if (isFailed(found)) return found;
  const moved = found.id.toLowerCase() !== name.toLowerCase();
  return {
    state: "seen",
    value: { sha: found.sha, lastModified: found.lastModified, ...(moved ? { renamedTo: found.id } : {}) },
    source,
    etag: answer.headers.get("etag") ?? undefined,
  };
}
