import { parseRef } from "../model/ref.ts";
import type { RefKind } from "../model/vocabulary.ts";

/** What an address points to, in the written form of `model/ref.ts`. */
export interface Target {
  ref: string;
  /** What the address takes the thread for; GitHub redirects a wrong guess, so it is a claim and not a fact (A34). */
  kind?: RefKind;
}

const THREADS: Record<string, RefKind> = {
  issues: "issue",
  pull: "pull-request",
  pulls: "pull-request",
  discussions: "discussion",
};
const GITHUB = /^(?:www\.|redirect\.|m\.)?github\.com$/i;
const HUGGING_FACE = /^(?:www\.)?(?:huggingface\.co|hf\.co)$/i;
/** First path parts of huggingface.co that name no model. */
const NOT_A_MODEL = new Set(["datasets", "spaces", "blog", "docs", "papers", "collections", "organizations", "posts"]);

/** Reads an absolute web address. Undefined for anything else: a relative path, an anchor, a mail address. */
export function targetOf(url: string): Target | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const found = special(new URL(url));
  if (found && parseRef(found.ref)) return found;
  const page = `page:${url}`;
  return /\s/.test(url) || !parseRef(page) ? undefined : { ref: page };
}

function special(url: URL): Target | undefined {
  const parts = url.pathname.split("/").filter((part) => part !== "");
  if (GITHUB.test(url.hostname)) return onGitHub(parts, url.hash);
  if (HUGGING_FACE.test(url.hostname)) return onHuggingFace(parts);
  if (/^(?:www\.)?pypi\.org$/i.test(url.hostname)) {
    const [project, name, version] = parts;
    return project === "project" && name && version ? { ref: `pypi:${name}@==${version}` } : undefined;
  }
  if (/^(?:www\.)?npmjs\.com$/i.test(url.hostname)) {
    const match = /^package\/((?:@[^/]+\/)?[^/]+)\/v\/([^/]+)$/.exec(parts.join("/"));
    return match ? { ref: `npm:${match[1]}@${match[2]}` } : undefined;
  }
  return undefined;
}

function onGitHub([owner, repo, what, name, inside, commit]: string[], hash: string): Target | undefined {
  if (!owner || !repo || !what || !name) return undefined;
  if (inside === "commits" && commit && SHA.test(commit)) return { ref: `${owner}/${repo}@${commit}` };
  const kind = THREADS[what];
  if (kind && /^[1-9]\d*$/.test(name)) {
    const anchor = /^#[a-z_]+-?\d+$/.test(hash) ? hash : "";
    return { ref: `${owner}/${repo}#${name}${anchor}`, kind };
  }
  if (what === "commit" && SHA.test(name)) return { ref: `${owner}/${repo}@${name}` };
  if (what === "releases" && name === "tag" && inside) return { ref: `${owner}/${repo}@${decoded(inside)}` };
  return undefined;
}

function onHuggingFace([owner, name, what, revision, ...rest]: string[]): Target | undefined {
  if (!owner || !name || NOT_A_MODEL.has(owner)) return undefined;
  if (what === undefined) return { ref: `hf:${owner}/${name}` };
  if (rest.length > 0 || revision === undefined || (what !== "tree" && what !== "commit")) return undefined;
  return { ref: revision === "main" ? `hf:${owner}/${name}` : `hf:${owner}/${name}@${revision}` };
}

const SHA = /^[0-9a-f]{7,40}$/;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `owner/repo` of a reference that has one. */
export function repoOf(ref: string): string | undefined {
  const parsed = parseRef(ref);
  return parsed && "repo" in parsed ? parsed.repo : undefined;
}

/** Number of a reference to a thread. */
export function numberOf(ref: string): number | undefined {
  const parsed = parseRef(ref);
  return parsed?.type === "thread" ? parsed.number : undefined;
}

const KIND_WORDS: Record<string, RefKind> = {
  pr: "pull-request",
  pull: "pull-request",
  "pull request": "pull-request",
  issue: "issue",
  discussion: "discussion",
};

/** A label that says no more than which reference it is: `#12`, `12`, `PR #12`, `vllm#12`, `owner/repo#12`, `owner/repo`. */
const BARE_LABEL = /^(?:(PR|pull|pull request|issue|discussion)\s+)?(?:[\w.-]+\/)?(?:[\w.-]+ ?)?#\d+$|^[\w.-]+\/[\w.-]+$/i;

export function isBareLabel(label: string, ref: string): boolean {
  const plain = label.replaceAll(/[`*]/g, "").trim();
  return BARE_LABEL.test(plain) || plain === String(numberOf(ref));
}

/** Every word of the label is in the reference, or says which kind of thread it is. */
export function saysNoMore(label: string, { ref }: { ref: string }): boolean {
  const parts = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = new Set([...parts(ref), "pr", "pull", "request", "issue", "discussion"]);
  return parts(label).every((word) => said.has(word));
}

/** What a label takes its thread for: `PR #12` is a pull request. */
export function kindOfLabel(label: string): RefKind | undefined {
  return KIND_WORDS[(/^(PR|pull request|pull|issue|discussion)\b/i.exec(label.trim())?.[1] ?? "").toLowerCase()];
}
