/**
 * The written form of a reference to something upstream, and what it means.
 *
 * | form | means |
 * |---|---|
 * | `owner/repo#12` | issue, pull request or discussion; `#12#issuecomment-345` names one comment |
 * | `owner/repo@sha`, `owner/repo@v1.2` | a commit or a tag |
 * | `pypi:name@>=1.0`, `npm:name@1.2` | a package, with a version range |
 * | `hf:owner/name` | a model or file repository on Hugging Face, `@revision` optional |
 * | `oci:host/name:tag@digest` | a container image |
 * | `page:https://…` | a web page |
 */
export type ParsedRef =
  | { type: "thread"; repo: string; number: number; anchor?: string }
  | { type: "commit"; repo: string; sha: string }
  | { type: "tag"; repo: string; tag: string }
  | { type: "package"; registry: "pypi" | "npm"; name: string; range: string }
  | { type: "asset"; registry: "hf"; name: string; revision?: string }
  | { type: "image"; name: string; tag?: string; digest?: string }
  | { type: "page"; url: string };

const REPO = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/[A-Za-z0-9._-]+";
const THREAD = new RegExp(String.raw`^(${REPO})#([1-9]\d*)(?:#([a-z_]+-?\d+))?$`);
const AT = new RegExp(String.raw`^(${REPO})@([^\s@]+)$`);
const PACKAGE = /^(pypi|npm):((?:@[a-z0-9._-]+\/)?[A-Za-z0-9._-]+)(?:\s*@\s*|\s+(?=[<>=!~^]))(.+)$/;
const ASSET = new RegExp(String.raw`^hf:(${REPO})(?:@(\S+))?$`);
const IMAGE = /^oci:([a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9._-]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** Reads a reference. Returns undefined when the text has none of the known forms. */
export function parseRef(text: string): ParsedRef | undefined {
  const thread = THREAD.exec(text);
  if (thread) {
    const [, repo = "", number = "", anchor] = thread;
    return { type: "thread", repo, number: Number(number), ...(anchor === undefined ? {} : { anchor }) };
  }
  if (text.startsWith("page:")) return isPage(text.slice(5)) ? { type: "page", url: text.slice(5) } : undefined;
  const pack = PACKAGE.exec(text);
  if (pack) return { type: "package", registry: pack[1] as "pypi" | "npm", name: pack[2] ?? "", range: (pack[3] ?? "").trim() };
  const asset = ASSET.exec(text);
  if (asset) return { type: "asset", registry: "hf", name: asset[1] ?? "", ...(asset[2] === undefined ? {} : { revision: asset[2] }) };
  const image = IMAGE.exec(text);
  if (image) {
    return {
      type: "image",
      name: image[1] ?? "",
      ...(image[2] === undefined ? {} : { tag: image[2] }),
      ...(image[3] === undefined ? {} : { digest: image[3] }),
    };
  }
  const at = AT.exec(text);
  if (at) {
    const [, repo = "", name = ""] = at;
    return /^[0-9a-f]{7,40}$/.test(name) && !/^b\d+$/.test(name) ? { type: "commit", repo, sha: name } : { type: "tag", repo, tag: name };
  }
  return undefined;
}

/** Pages link to it, so nothing but the web: no `javascript:`, no `file:`. */
const isPage = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

/** A reference without its comment anchor: the thread that is observed. */
export function threadOf(ref: string): string {
  return ref.replace(/^([^#]+#\d+)#.*$/, "$1");
}

/** Where a person reads the reference. `kind` picks the path of a thread; GitHub redirects a wrong guess. */
export function urlOf(ref: string, kind?: string): string | undefined {
  const parsed = parseRef(ref);
  if (!parsed) return undefined;
  switch (parsed.type) {
    case "thread": {
      const path = kind === "pull-request" ? "pull" : kind === "discussion" ? "discussions" : "issues";
      return `https://github.com/${parsed.repo}/${path}/${parsed.number}${parsed.anchor ? `#${parsed.anchor}` : ""}`;
    }
    case "commit":
      return `https://github.com/${parsed.repo}/commit/${parsed.sha}`;
    case "tag":
      return `https://github.com/${parsed.repo}/releases/tag/${encodeURIComponent(parsed.tag)}`;
    case "package":
      return parsed.registry === "pypi" ? `https://pypi.org/project/${parsed.name}/` : `https://www.npmjs.com/package/${parsed.name}`;
    case "asset":
      return `https://huggingface.co/${parsed.name}`;
    case "page":
      return parsed.url;
    case "image":
      return undefined;
  }
}

/** Short form for tables: `vllm#40361`, `genesis-vllm-patches@7b9fd319`. */
export function shortRef(ref: string): string {
  const parsed = parseRef(ref);
  if (!parsed) return ref;
  const name = "repo" in parsed ? (parsed.repo.split("/")[1] ?? parsed.repo) : "";
  switch (parsed.type) {
    case "thread":
      return `${name}#${parsed.number}`;
    case "commit":
      return `${name}@${parsed.sha.slice(0, 10)}`;
    case "tag":
      return `${name} ${parsed.tag}`;
    case "package":
      return `${parsed.name} ${parsed.range}`;
    case "asset":
      return parsed.name;
    case "image":
      return parsed.name + (parsed.tag ? `:${parsed.tag}` : "") + (parsed.digest ? `@${parsed.digest.slice(0, 15)}` : "");
    case "page":
      return parsed.url.replace(/^https?:\/\/(www\.)?/, "");
  }
}
