import type { Build } from "../build.ts";
import { pinBuild } from "../build.ts";
import type { Bump } from "../bump.ts";
import { bumpOf } from "../bump.ts";
import { buildsOf, pinnedUpstreams } from "../candidate.ts";
import { deriveWorld } from "../derive.ts";
import type { Derived } from "../derive.ts";
import type { World } from "../facts.ts";
import { casesAt, worldAt } from "../survival/at.ts";
import { assemble } from "../survival/assemble.ts";
import type { Case } from "../survival/cases.ts";
import type { PatchJudgement } from "../survival/judgement.ts";
import { recordedJudgements } from "../survival/recorded.ts";
import { moved } from "./moved.ts";

/**
 * For every upstream that live pins are built from: what moving those that are behind to its newest known build would bring, told
 * from observed facts and records alone. Nothing for an upstream whose pins are on it, or of which no newer build is known.
 */
export function nextBumps(derived: Derived): Bump[] {
  const known = KNOWN.get(derived) ?? pinnedUpstreams(derived.world).flatMap((upstream) => bumpsOf(derived, upstream));
  KNOWN.set(derived, known);
  return known;
}

/** Pages, the pull request and its identity all ask, and each answer takes a derivation. */
const KNOWN = new WeakMap<Derived, Bump[]>();

function bumpsOf(derived: Derived, upstream: string): Bump[] {
  const build = newestOf(derived.world, upstream);
  const pins = build ? behind(derived, upstream, build) : [];
  return build && pins.length > 0 ? [bumpFrom(derived, pins, build)] : [];
}

/** The newest build by the day of its source that was published, is not known to be gone, and whose source is known. */
function newestOf(world: World, upstream: string): Build | undefined {
  return buildsOf(world, upstream).findLast(
    ({ published, available, commit, date }) => published && available !== "gone" && commit !== undefined && date !== undefined,
  );
}

/** Live pins that name a build, and an older one. A floating pin moves by itself. */
function behind({ world, pins }: Derived, upstream: string, { artifact, date = "" }: Build): string[] {
  return Object.values(pins).flatMap(({ id, live }) => {
    const pin = world.model.pin[id];
    if (!live || pin?.upstream !== upstream || pin.mutability !== "immutable" || pin.artifact === artifact) return [];
    const own = pinBuild(world, id).date;
    return own !== undefined && own < date ? [id] : [];
  });
}

function bumpFrom(derived: Derived, pins: readonly string[], build: Build): Bump {
  const after = deriveWorld(moved(derived.world, pins, build));
  const world = worldAt(derived.world, after.world, pins);
  return bumpOf(derived, after, pins, build, judgedAt(world, casesAt(world, pins, build)));
}

/** Judgements by records; a patch that none tells of was not checked, and says so. */
function judgedAt(world: World, cases: readonly Case[]): PatchJudgement[] {
  const known = recordedJudgements(world, cases);
  const unread = cases.flatMap(({ patch: id, place }) => {
    const patch = world.model.patch[id];
    const path = patch?.targets[0]?.path ?? patch?.files[0];
    if (path === undefined || known.some((one) => one.patch === id && one.commit === place.commit)) return [];
    const because = "the source of that build was not read yet";
    return [assemble(id, place, [{ path, verdict: "unknown", because, anchors: [] }], [], [])];
  });
  return [...known, ...unread];
}
