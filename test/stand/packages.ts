import { createHash } from "node:crypto";
import { jsonAnswer, type Prepared } from "./respond.ts";
import { conditional, startStub, type Stub, type StubRequest } from "./stub-server.ts";

/** What the package hosts hold: plain data that a test changes between two requests. */
export type Shelf = {
  /** By project name as people write it; versions in order of upload. */
  pypi: Record<string, PypiVersion[]>;
  /** By `owner/name`. */
  huggingface: Record<string, HuggingfaceRepo>;
  /** By `namespace/name`; tags in order of the last push. */
  dockerHub: Record<string, HubTag[]>;
};
export type PypiVersion = { version: string; at: string; files?: string[]; yanked?: { files?: string[]; reason?: string | null } };
export type HuggingfaceRepo = {
  /** Branches and tags -> commit. */
  revisions: Record<string, string>;
  /** Date of each commit. */
  dates: Record<string, string>;
  gated?: "auto" | "manual";
  private?: boolean;
  /** The repository is now here; its old address redirects. */
  movedTo?: string;
};
export type HubTag = { name: string; digest: string; at: string; platforms?: { os: string; architecture: string; digest: string }[] };

export const createShelf = (): Shelf => ({ pypi: {}, huggingface: {}, dockerHub: {} });

/** PEP 503: runs of dash, dot and underscore are one dash; case does not count. */
const normalized = (name: string): string => name.replace(/[-_.]+/g, "-").toLowerCase();

/** PyPI: `/pypi/NAME/json` and `/simple/NAME/` in its JSON form. Other spellings of a name redirect. */
export function startPypi(shelf: Shelf): Promise<Stub> {
  return startStub((request) => {
    const [, api, asked = ""] = /^\/(pypi|simple)\/([^/]+)\/(?:json)?$/.exec(request.url.pathname) ?? [];
    const [name, versions] = Object.entries(shelf.pypi).find(([known]) => normalized(known) === normalized(asked)) ?? [];
    if (api === undefined || name === undefined || versions === undefined) return jsonAnswer(404, { message: "Not Found" });
    if (normalized(asked) !== asked) {
      return jsonAnswer(301, undefined, { location: api === "pypi" ? `/pypi/${normalized(asked)}/json` : `/simple/${normalized(asked)}/` });
    }
    return conditional(request, api === "pypi" ? pypiJson(name, versions) : pypiSimple(name, versions));
  });
}

function filesOf(name: string, { version, at, files, yanked }: PypiVersion) {
  const names = files ?? [`${normalized(name).replaceAll("-", "_")}-${version}-py3-none-any.whl`, `${normalized(name)}-${version}.tar.gz`];
  return names.map((filename) => ({
    filename,
    url: `https://files.pythonhosted.org/packages/${filename}`,
    sha256: createHash("sha256").update(filename).digest("hex"),
    at,
    yanked: yanked !== undefined && (yanked.files?.includes(filename) ?? true),
    reason: yanked?.reason ?? null,
  }));
}

function pypiJson(name: string, versions: PypiVersion[]): Prepared {
  const file = (of: ReturnType<typeof filesOf>[number]) => ({
    filename: of.filename,
    url: of.url,
    digests: { sha256: of.sha256 },
    packagetype: of.filename.endsWith(".whl") ? "bdist_wheel" : "sdist",
    requires_python: null,
    size: 1000,
    upload_time: of.at.replace("Z", ""),
    upload_time_iso_8601: of.at,
    yanked: of.yanked,
    yanked_reason: of.yanked ? of.reason : null,
  });
  const releases = Object.fromEntries(versions.map((version) => [version.version, filesOf(name, version).map(file)]));
  const last = versions.at(-1);
  const urls = releases[last?.version ?? ""] ?? [];
  const yanked = urls.length > 0 && urls.every((url) => url.yanked);
  const info = {
    name,
    version: last?.version ?? "",
    summary: "",
    requires_python: null,
    yanked,
    yanked_reason: yanked ? (urls[0]?.yanked_reason ?? null) : null,
  };
  return jsonAnswer(200, { info, last_serial: versions.length, releases, urls, vulnerabilities: [] });
}

function pypiSimple(name: string, versions: PypiVersion[]): Prepared {
  const files = versions.flatMap((version) =>
    filesOf(name, version).map((of) => ({
      filename: of.filename,
      url: of.url,
      hashes: { sha256: of.sha256 },
      "requires-python": null,
      size: 1000,
      "upload-time": of.at,
      yanked: of.yanked ? (of.reason ?? true) : false,
    })),
  );
  const body = { meta: { "api-version": "1.1" }, name: normalized(name), versions: versions.map(({ version }) => version), files };
  return jsonAnswer(200, body, { "content-type": "application/vnd.pypi.simple.v1+json" });
}

/** Hugging Face: `/api/models/OWNER/NAME`, `/revision/REV` and `/refs` under it. */
export function startHuggingface(shelf: Shelf): Promise<Stub> {
  return startStub((request) => {
    const [, name = "", revision, refs] = /^\/api\/models\/([^/]+\/[^/]+)(?:\/revision\/(.+)|(\/refs))?$/.exec(request.url.pathname) ?? [];
    const repo = shelf.huggingface[name];
    // Without a login, what does not exist and what is private look alike.
    if (!repo || repo.private) return jsonAnswer(401, { error: "Invalid username or password." }, { "x-error-code": "RepoNotFound" });
    if (repo.movedTo !== undefined) return jsonAnswer(307, undefined, { location: request.url.pathname.replace(name, repo.movedTo) });
    const listed = (kind: "heads" | "tags", names: string[]) =>
      names.map((ref) => ({ name: ref, ref: `refs/${kind}/${ref}`, targetCommit: repo.revisions[ref] }));
    if (refs !== undefined) {
      const others = Object.keys(repo.revisions).filter((ref) => ref !== "main");
      return conditional(request, jsonAnswer(200, { branches: listed("heads", ["main"]), converts: [], tags: listed("tags", others) }));
    }
    const wanted = decodeURIComponent(revision ?? "main");
    const sha = repo.revisions[wanted] ?? (repo.dates[wanted] === undefined ? undefined : wanted);
    if (sha === undefined) return jsonAnswer(404, { error: `Invalid rev id: ${wanted}` }, { "x-error-code": "RevisionNotFound" });
    const at = (repo.dates[sha] ?? "2026-01-01T00:00:00Z").replace(/(?<!\.\d{3})Z$/, ".000Z");
    const about = { _id: "0", id: name, modelId: name, author: name.split("/")[0], sha, lastModified: at, private: false, disabled: false };
    return conditional(request, jsonAnswer(200, { ...about, gated: repo.gated ?? false, downloads: 0, likes: 0, tags: [], siblings: [] }));
  });
}

/**
 * Docker Hub's own API: `/v2/repositories/NAME/tags`, paged, newest push first, and one tag under it. Also the
 * registry's `/v2/NAME/tags/list?n=`, whose pages docker-registry does not have.
 */
export function startDockerHub(shelf: Shelf): Promise<Stub> {
  return startStub((request) => {
    const { pathname } = request.url;
    const listed = /^\/v2\/(.+)\/tags\/list$/.exec(pathname)?.[1];
    if (listed !== undefined && !listed.startsWith("repositories/")) return registryTags(request, listed, shelf.dockerHub[listed]);
    const [, name = "", tag] =
      /^\/v2\/(?:repositories|namespaces)\/([^/]+\/(?:repositories\/)?[^/]+)\/tags(?:\/([^/]+))?\/?$/.exec(pathname) ?? [];
    const tags = shelf.dockerHub[name.replace("/repositories/", "/")];
    const found = tags?.find((candidate) => candidate.name === tag);
    if (!tags || (tag !== undefined && !found)) return jsonAnswer(404, { message: "httperror 404: object not found", errinfo: {} });
    if (found) return jsonAnswer(200, hubTag(found));
    const size = Math.min(100, Number(request.url.searchParams.get("page_size") ?? 10));
    const page = Number(request.url.searchParams.get("page") ?? 1);
    const newest = [...tags].reverse();
    const results = newest.slice((page - 1) * size, page * size).map(hubTag);
    if (results.length === 0 && page > 1) return jsonAnswer(404, { message: "object not found", errinfo: {} });
    const next = page * size < newest.length ? `${request.url.origin}${pathname}?page=${page + 1}&page_size=${size}` : null;
    return jsonAnswer(
      200,
      { count: newest.length, next, previous: null, results },
      { "x-ratelimit-limit": "180", "x-ratelimit-remaining": "179" },
    );
  });
}

const hubTag = ({ name, digest, at, platforms }: HubTag) => ({
  name,
  digest,
  last_updated: at,
  tag_last_pushed: at,
  tag_status: "active",
  content_type: "image",
  media_type: "application/vnd.oci.image.index.v1+json",
  full_size: 1000,
  images: (platforms ?? []).map((platform) => ({ ...platform, variant: null, size: 1000, status: "active", last_pushed: at })),
});

function registryTags(request: StubRequest, name: string, tags: HubTag[] | undefined): Prepared {
  if (!tags)
    return jsonAnswer(404, { errors: [{ code: "NAME_UNKNOWN", message: "repository name not known to registry", detail: { name } }] });
  const names = tags.map((tag) => tag.name).sort();
  const size = Number(request.url.searchParams.get("n") ?? names.length);
  const last = request.url.searchParams.get("last");
  const rest = last === null ? names : names.filter((candidate) => candidate > last);
  const shown = rest.slice(0, size);
  const more = shown.length < rest.length ? { link: `</v2/${name}/tags/list?last=${shown.at(-1)}&n=${size}>; rel="next"` } : undefined;
  return jsonAnswer(200, { name, tags: shown }, more);
}
