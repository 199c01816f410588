import { z } from "zod";
import { latestVersion } from "../model/versions.ts";
import { ask, isFailed, readJson, refused, saysMissing } from "./http.ts";
import type { Look } from "./look.ts";
import type { Net } from "./net.ts";
import type { PackageFact } from "./packages.ts";

const project = z.object({
  releases: z.record(
    z.string(),
    z.array(z.object({ upload_time_iso_8601: z.string().nullish(), yanked: z.boolean().nullish(), yanked_reason: z.string().nullish() })),
  ),
});

/**
 * Versions of a package on PyPI. A version is withdrawn when all its files are (field case B28); one without files was never
 * there to install and is left out.
 */
export async function lookUpPypi(net: Net, name: string, known: { etag?: string | undefined } = {}): Promise<Look<PackageFact>> {
  const source = "PyPI";
  const normalized = name.toLowerCase().replace(/[-_.]+/g, "-");
  const url = `${net.bases?.pypi ?? "https://pypi.org"}/pypi/${encodeURIComponent(normalized)}/json`;
  const answer = await ask(net, url, {
    headers: { accept: "application/json", ...(known.etag === undefined ? {} : { "if-none-match": known.etag }) },
  });
  if (isFailed(answer)) return answer;
  if (answer.status === 304) return { state: "unchanged", source };
  if (saysMissing(answer)) return { state: "gone", what: "package", why: `PyPI has no package ${name}`, source };
  if (answer.status !== 200) return refused(answer, `The package ${name}`);
  const found = readJson(answer, project, `The package ${name}`);
  if (isFailed(found)) return found;
  const versions: PackageFact["versions"] = {};
  for (const [version, files] of Object.entries(found.releases)) {
    if (files.length === 0) continue;
    const dates = files.flatMap((file) => file.upload_time_iso_8601 ?? []).sort();
    const yanked = files.every((file) => file.yanked === true);
    const reason = files.map((file) => file.yanked_reason?.trim()).find((text) => text);
    versions[version] = { publishedAt: instant(dates[0]), ...(yanked ? { yanked, ...(reason ? { reason } : {}) } : {}) };
  }
  return {
    state: "seen",
    value: { versions, latest: latestVersion("pep440", versions) },
    source,
    etag: answer.headers.get("etag") ?? undefined,
  };
}

/** To the second, in UTC: PyPI's microseconds decide nothing. */
function instant(text: string | undefined): string | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : new Date(Math.floor(at / 1000) * 1000).toISOString().replace(".000Z", "Z");
}
