import { shortRef, urlOf } from "../model/ref.ts";
import type { World } from "./facts.ts";
import type { Answer } from "./proof.ts";
import { answer, day, dayInZone } from "./proof.ts";
import { inRange } from "./propagation.ts";

/** `released: "pypi:name >=1.2.0"`: yes when a version in the range is published and not withdrawn. */
export function released(world: World, text: string): Answer {
  const match = /^(pypi|npm|github):(\S+)\s+(.+)$/.exec(text);
  const [, registry = "", name = "", range = ""] = match ?? [];
  const fact = world.facts.registry(`${registry}:${name}`);
  if (!fact?.versions || registry === "github") return answer("unknown", "not observed", `the releases of ${name} were never observed`);
  const found = Object.entries(fact.versions).find(
    ([version, entry]) => entry.yanked !== true && inRange(registry as "pypi" | "npm", version, range),
  );
  if (!found) return answer("no", fact.source, `no published version of ${name} is in ${range}`, { asOf: fact.asOf });
  const [version, entry] = found;
  return answer("yes", fact.source, `${name} ${version} is published${entry.publishedAt ? ` since ${day(entry.publishedAt)}` : ""}`, {
    asOf: fact.asOf,
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
