import { z } from "zod";
import { latestVersion } from "../model/versions.ts";
import { ask, isFailed, readJson, refused, saysMissing } from "./http.ts";
import type { Look } from "./look.ts";
import type { Net } from "./net.ts";
import type { PackageFact } from "./packages.ts";

const packument = z.object({
  versions: z.record(z.string(), z.object({ deprecated: z.union([z.string(), z.boolean()]).nullish() })).optional(),
  time: z.record(z.string(), z.unknown()).optional(),
  "dist-tags": z.record(z.string(), z.string()).optional(),
});

/** Versions of a package on npm. A deprecated version is told as withdrawn, with what its maintainers say. */
export async function lookUpNpm(net: Net, name: string, known: { etag?: string | undefined } = {}): Promise<Look<PackageFact>> {
  const source = "npm registry";
  const url = `${net.bases?.npm ?? "https://registry.npmjs.org"}/${name.replace("/", "%2F")}`;
  const answer = await ask(net, url, {
    headers: { accept: "application/json", ...(known.etag === undefined ? {} : { "if-none-match": known.etag }) },
  });
  if (isFailed(answer)) return answer;
  if (answer.status === 304) return { state: "unchanged", source };
  if (saysMissing(answer)) return { state: "gone", what: "package", why: `npm has no package ${name}`, source };
  if (answer.status !== 200) return refused(answer, `The package ${name}`);
  const found = readJson(answer, packument, `The package ${name}`);
  if (isFailed(found)) return found;
  if (found.versions === undefined)
    return { state: "gone", what: "package", why: `npm has no version of ${name} any more: it was unpublished`, source };
  const versions: PackageFact["versions"] = {};
  for (const [version, { deprecated }] of Object.entries(found.versions)) {
    const at = found.time?.[version];
    const reason = typeof deprecated === "string" ? deprecated.trim() : "";
    const withdrawn = deprecated === true || reason !== "";
    versions[version] = {
      publishedAt: typeof at === "string" ? at : null,
      ...(withdrawn ? { yanked: true, ...(reason === "" ? {} : { reason }) } : {}),
    };
  }
  // What "latest" points at is the maintainers' word, unless they withdrew that very version.
  const tagged = found["dist-tags"]?.latest;
  const latest =
    tagged !== undefined && versions[tagged] !== undefined && versions[tagged].yanked !== true ? tagged : latestVersion("semver", versions);
  return { state: "seen", value: { versions, latest }, source, etag: answer.headers.get("etag") ?? undefined };
}
