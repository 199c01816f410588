import { shortRef, urlOf } from "../model/ref.ts";
import type { VersionScheme } from "../model/versions.ts";
import { compareVersions, isPrerelease } from "../model/versions.ts";
import type { World } from "./facts.ts";
import type { Answer } from "./proof.ts";
import { answer, day, dayInZone } from "./proof.ts";
import { inRange } from "./propagation.ts";

/** `released: "pypi:name >=1.2.0"`: yes when a version in the range is published and not withdrawn. */
export function released(world: World, text: string): Answer {
  const match = /^(pypi|npm|github):(\S+)\s+(.+)$/.exec(text);
  const [, registry = "", name = "", range = ""] = match ?? [];
  const repo = registry === "github" ? world.facts.canonical(name) : name;
  const fact = world.facts.registry(`${registry}:${repo}`);
  if (!fact?.versions) return answer("unknown", "not observed", `the releases of ${name} were never observed`);
  const scheme = registry === "github" ? Object.values(world.model.upstream).find((row) => row.repo === repo)?.versions : undefined;
  if (registry === "github" && (scheme === undefined || scheme === "none"))
    return answer("unknown", fact.source, `how ${name} orders its versions is not written down: name versions in its upstream's file`);
  const isIn = (version: string) =>
    scheme === undefined ? inRange(registry as "pypi" | "npm", version, range) : inSchemeRange(scheme, version, range);
  const found = Object.entries(fact.versions).find(([version, entry]) => entry.yanked !== true && isIn(version));
  if (!found) return answer("no", fact.source, `no published version of ${name} is in ${range}`, { asOf: fact.asOf });
  const [version, entry] = found;
  return answer("yes", fact.source, `${name} ${version} is published${entry.publishedAt ? ` since ${day(entry.publishedAt)}` : ""}`, {
    asOf: fact.asOf,
  });
}

/** `>=7.73.0` or `>=1.2, <2`, in the upstream's own order. A pre-release is only in a range that names one. */
function inSchemeRange(scheme: VersionScheme, version: string, range: string): boolean {
  const parts = range.split(/\s*,\s*|\s+(?=[<>=!])/).filter((part) => part !== "");
  return parts.every((part) => {
    const [, operator = "==", text = ""] = /^(>=|<=|>|<|==|=|!=)?\s*(\S+)$/.exec(part) ?? [];
    const bound = scheme === "semver" && /^v?\d+$/.test(text) ? `${text}.0.0` : text;
    const order = compareVersions(scheme, version, bound);
    if (order === undefined || (isPrerelease(scheme, version) && !isPrerelease(scheme, bound))) return false;
    switch (operator) {
      case ">=":
        return order >= 0;
      case "<=":
        return order <= 0;
      case ">":
        return order > 0;
      case "<":
        return order < 0;
      case "!=":
        return order !== 0;
      default:
        return order === 0;
    }
  });
}

/** `updated: { ref, since }`: yes when the asset changed on or after the day. */
export function updated(world: World, { ref, since }: { ref: string; since: string }): Answer {
  const fact = world.facts.registry(ref);
  if (fact?.lastModified === undefined)
    return answer("unknown", "not observed", `when ${shortRef(ref)} last changed was never observed`, { url: urlOf(ref) });
  const changed = dayInZone(fact.lastModified, world.model.tracker.zone);
  return answer(changed >= since ? "yes" : "no", fact.source, `${shortRef(ref)} last changed ${changed}`, {
    asOf: fact.asOf,
    url: urlOf(ref),
  });
}

/** `available: PIN`: yes when the registry still has the artifact of the pin. */
export function available(world: World, id: string): Answer {
  const pin = world.model.pin[id];
  const fact = pin && world.facts.registry(pin.artifact);
  if (fact?.available === undefined)
    return answer("unknown", "not observed", `whether ${pin?.artifact ?? id} can still be fetched was never observed`);
  return answer(
    fact.available === "yes" ? "yes" : "no",
    fact.source,
    `${pin?.artifact} is ${fact.available === "yes" ? "available" : "gone"}`,
    { asOf: fact.asOf },
  );
}
