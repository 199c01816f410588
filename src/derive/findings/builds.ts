import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";
import { day, daysBetween } from "../proof.ts";

/** Builds that changed under the stack: a pinned version that was withdrawn (B28), a tag that was moved (B12) or deleted (B14). */
export function changedBuilds({ world }: Derived): Finding[] {
  return [...withdrawnPins(world), ...changedTags(world)];
}

function withdrawnPins({ model, facts }: Derived["world"]): Finding[] {
  return Object.entries(model.pin).flatMap(([id, pin]): Finding[] => {
    const versions = pin.retired ? undefined : facts.registry(pin.artifact)?.versions;
    const [version, fact] = Object.entries(versions ?? {}).find(([, { yanked }]) => yanked) ?? [];
    if (version === undefined || !/@[^<>=!~^*]+$/.test(pin.artifact)) return [];
    return [
      {
        file: fileOf("pin", id),
        path: ["artifact"],
        level: "warning",
        rule: "withdrawn-version",
        message: `Version ${version} was withdrawn by its maintainers${fact?.reason ? `: "${fact.reason}"` : ""}. Move the pin to another version.`,
      },
    ];
  });
}

/** Days for which a moved tag is told; after that it is the tag as everybody knows it. */
const NEWS = 30;

/** Said once, where the upstream is described; a pin by the tag itself is told too. Its commit is still what was proved about. */
function changedTags({ model, facts, asOf }: Derived["world"]): Finding[] {
  return Object.entries(model.upstream).flatMap(([id, { repo }]): Finding[] =>
    repo === undefined
      ? []
      : facts.tags(repo).flatMap((tag): Finding[] => {
          const fact = facts.tag(repo, tag);
          const moved = fact?.movedFrom !== undefined && fact.asOf !== null && daysBetween(fact.asOf, asOf) <= NEWS;
          if (!fact?.exact || (!moved && !fact.gone)) return [];
          const pins = Object.entries(model.pin).filter(([, pin]) => !pin.retired && pin.artifact === `git:${repo}@${tag}`);
          const places =
            pins.length > 0
              ? pins.map(([pin]) => ({ file: fileOf("pin", pin), path: ["artifact"] }))
              : [{ file: fileOf("upstream", id), path: ["repo"] }];
          const seen = fact.asOf === null ? "" : ` (seen ${day(fact.asOf)})`;
          const message = fact.gone
            ? `The upstream deleted its tag ${tag}${seen}. Name the commit ${fact.commit.slice(0, 10)} instead, which stays what it was.`
            : `The upstream moved its tag ${tag} from ${fact.movedFrom?.slice(0, 10)} to ${fact.commit.slice(0, 10)}${seen}. Look at what changed, and test again what was tested with it.`;
          return places.map((place) => ({ ...place, level: "warning", rule: fact.gone ? "tag-gone" : "tag-moved", message }));
        }),
  );
}
