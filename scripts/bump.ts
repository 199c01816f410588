import type { Bump } from "../src/derive/bump.ts";
import { bumpOf } from "../src/derive/bump.ts";
import { moved } from "../src/derive/bump/moved.ts";
import { pinnedUpstreams, resolveCandidate } from "../src/derive/candidate.ts";
import { listening } from "../src/derive/containment.ts";
import { deriveWorld } from "../src/derive/derive.ts";
import type { Derived } from "../src/derive/derive.ts";
import { worldOf } from "../src/derive/facts.ts";
import { casesAt, worldAt } from "../src/derive/survival/at.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import { UserError } from "./cli.ts";
import { ancestry, sourceReader, surveyed } from "./sources.ts";

/**
 * Works out what a bump would bring: derives the stack as it is and as it would be, and has the patches judged at the candidate.
 * @param to a tag, a build, a commit or a pin; the pin it is for, or every live pin of its upstream
 * @throws {UserError} when it is not clear what the candidate is
 */
export async function bumpTo(
  root: string,
  { loaded, derived }: { loaded: Loaded; derived: Derived },
  to: string,
  only: string | undefined,
  offline: boolean,
): Promise<Bump> {
  const { model } = derived.world;
  const upstreams = only === undefined ? pinnedUpstreams(derived.world) : [model.pin[only]?.upstream ?? ""];
  const found = resolveCandidate(derived.world, to, upstreams);
  if (found.state === "unclear") throw new UserError(found.why);
  const pins =
    only === undefined
      ? Object.values(derived.pins).flatMap(({ id, live, artifact }) =>
          live && model.pin[id]?.upstream === found.upstream && artifact !== found.build.artifact ? [id] : [],
        )
      : [only];
  if (pins.length === 0) throw new UserError(`Every live pin of ${found.upstream} is on ${found.build.name} already.`);
  const reader = sourceReader(root, derived.world, { offline });
  const heard = listening(moved(derived.world, pins, found.build));
  deriveWorld(heard.world);
  const told = worldOf(model, await ancestry(loaded.observed, reader, heard.asked()));
  const after = deriveWorld(moved(told, pins, found.build));
  const world = worldAt(derived.world, after.world, pins);
  const { judgements } = await surveyed(world, reader, casesAt(world, pins, found.build));
  return bumpOf(derived, after, pins, found.build, judgements);
}
