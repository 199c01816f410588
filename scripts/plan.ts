import { parse } from "yaml";
import { moved } from "../src/derive/bump/moved.ts";
import { pinnedUpstreams } from "../src/derive/candidate.ts";
import { consolidate } from "../src/derive/consolidate.ts";
import { listening } from "../src/derive/containment.ts";
import type { Derived } from "../src/derive/derive.ts";
import { worldOf } from "../src/derive/facts.ts";
import { costOf, ends, planBuilds, upstreamsOf, wantOf } from "../src/derive/plan.ts";
import type { PlannedBuild, Want } from "../src/derive/plan.ts";
import { casesAt, worldAt } from "../src/derive/survival/at.ts";
import type { PatchJudgement } from "../src/derive/survival/judgement.ts";
import { nothingKnown } from "../src/derive/survival/sources.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import { condition } from "../src/model/shapes/condition.ts";
import type { Condition } from "../src/model/shapes/condition.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import { planJson } from "../src/report/bump.ts";
import { paint } from "../src/report/paint.ts";
import { planText } from "../src/report/terminal/plan.ts";
import { EXIT, UserError, cli, print, printJson } from "./cli.ts";
import { sha256 } from "./hash.ts";
import { ancestry, sourceReader, surveyed } from "./sources.ts";
import type { Reader } from "./sources.ts";
import { openStack } from "./stack.ts";

interface Options {
  root: string;
  want?: string[];
  upstream?: string;
  offline?: boolean;
  json?: boolean;
}

/** Builds whose cost is worked out, from each end of those that may do. */
const COSTED = 6;
/** Newest builds that are looked at for a consolidation, whatever is wanted. */
const NEWEST = 3;

export const command = () =>
  cli("plan", "Finds the builds that satisfy what is wanted, what each would cost, and the fewest builds that serve all pins.")
    .option(
      "--want <condition...>",
      'a reference the build must contain ("vllm#42102"; "!vllm#39917": must not), or a condition as in data/ (YAML)',
    )
    .option("--upstream <id>", "builds of this upstream; default: what is wanted tells, else every upstream with more than one live pin")
    .option("--offline", "make no request; say what could not be checked")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 a build satisfies it, 1 none of the known does, 2 could not be told, 3 unusable input.")
    .action(async (options: Options) => {
      const { loaded, derived } = await openStack(options.root);
      const wants = (options.want ?? []).map((asked) => wantFrom(derived, asked));
      const upstreams = chosen(derived, wants, options.upstream);
      const reader = sourceReader(options.root, derived.world, { offline: options.offline === true });
      const known = nothingKnown(sha256);
      const builds: PlannedBuild[] = [];
      const consolidation = [];
      for (const upstream of upstreams) {
        const plan = await planWith(loaded, reader, upstream, wants);
        const judged = await judgedAt(loaded, reader, known, upstream, plan);
        builds.push(...plan.map((one) => ({ ...one, cost: costFor(one, judged) })));
        const all = plan.map(({ build }) => build);
        consolidation.push(consolidate(derived, upstream, all, (commit) => judged.get(commit)));
      }
      const failed = [...known.answers.values()].flatMap((answer) => (answer.state === "failed" && "why" in answer ? [answer.why] : []));
      const notChecked = ["builds that no fact names (npm run sync lists what registries have)", ...new Set(failed)].slice(0, 6);
      if (options.json) printJson(planJson(wants, wants.length > 0 ? builds : [], consolidation, notChecked));
      else print(planText(wants, builds, consolidation, notChecked, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      process.exitCode = exitOf(wants, builds);
    });

function exitOf(wants: readonly Want[], builds: readonly PlannedBuild[]): number {
  if (wants.length === 0 || ends(builds).newest) return EXIT.fine;
  return builds.some(({ satisfies, build }) => satisfies === "unknown" && build.available !== "gone") ? EXIT.unsure : EXIT.problems;
}

function wantFrom(derived: Derived, asked: string): Want {
  const found = wantOf(derived.world, asked, conditionFrom(asked));
  if (found) return found;
  throw new UserError(
    `"${asked}" is neither a reference nor a condition. Write owner/repo#12, "!owner/repo#12", or '{ contained: { ref: "owner/repo#12", in: PIN } }'.`,
  );
}

function conditionFrom(asked: string): Condition | undefined {
  if (!asked.trimStart().startsWith("{") && !/^\w+:\s/.test(asked)) return undefined;
  let value: unknown;
  try {
    value = parse(asked);
  } catch (error) {
    throw new UserError(
      `"${asked}" is not readable YAML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    );
  }
  const outcome = condition.safeParse(value);
  if (outcome.success) return outcome.data;
  const issue = outcome.error.issues[0];
  throw new UserError(`"${asked}" is no condition: ${issue?.path.join(".") || "it"} ${issue?.message ?? ""}.`);
}

function chosen(derived: Derived, wants: readonly Want[], asked: string | undefined): string[] {
  const pinned = pinnedUpstreams(derived.world);
  if (asked !== undefined) {
    if (pinned.includes(asked)) return [asked];
    throw new UserError(`No live pin is built from "${asked}".${didYouMean(asked, pinned)} Known: ${listWords(pinned)}.`);
  }
  const named = upstreamsOf(derived.world, wants).filter((id) => pinned.includes(id));
  if (named.length === 1) return named;
  if (wants.length > 0) {
    throw new UserError(
      named.length === 0
        ? `What is wanted names no upstream that a pin is built from. Name one with --upstream: ${listWords(pinned)}.`
        : `What is wanted is of ${listWords(named)}; ask for one of them with --upstream.`,
    );
  }
  const count = (id: string) =>
    Object.values(derived.pins).filter((pin) => pin.live && derived.world.model.pin[pin.id]?.upstream === id).length;
  return pinned.filter((id) => count(id) > 1);
}

/** Plans with the observed facts, has a history answer what they do not tell, and plans again. */
async function planWith(loaded: Loaded, reader: Reader, upstream: string, wants: readonly Want[]): Promise<PlannedBuild[]> {
  const asked: Parameters<typeof ancestry>[2][number][] = [];
  const heard: ReturnType<typeof listening>[] = [];
  const first = planBuilds(worldOf(loaded.model, loaded.observed), upstream, wants, (world) => {
    const ear = listening(world);
    heard.push(ear);
    return ear.world;
  });
  asked.push(...heard.flatMap((ear) => ear.asked()));
  if (asked.length === 0) return first;
  return planBuilds(worldOf(loaded.model, await ancestry(loaded.observed, reader, asked)), upstream, wants);
}

/** Patches at the sources of the builds that do, from both ends, of the pins, and of the newest; nowhere else, because each costs a look. */
async function judgedAt(
  loaded: Loaded,
  reader: Reader,
  known: ReturnType<typeof nothingKnown>,
  upstream: string,
  plan: readonly PlannedBuild[],
): Promise<Map<string, PatchJudgement[]>> {
  const there = plan.filter(({ build }) => build.available !== "gone" && build.commit !== undefined);
  const fit = there.filter(({ satisfies }) => satisfies === "yes");
  const pins = Object.keys(loaded.model.pin).filter((id) => loaded.model.pin[id]?.upstream === upstream);
  const own = there.filter(({ build }) => pins.some((id) => loaded.model.pin[id]?.artifact === build.artifact));
  const some = new Set([
    ...(fit.length < plan.length ? [...fit.slice(0, COSTED), ...fit.slice(-COSTED)] : []),
    ...own,
    ...there.slice(-NEWEST),
  ]);
  const before = worldOf(loaded.model, loaded.observed);
  const judged = new Map<string, PatchJudgement[]>();
  for (const { build } of some) {
    if (build.commit === undefined || judged.has(build.commit)) continue;
    const world = worldAt(before, moved(before, pins, build), pins);
    const { judgements } = await surveyed(world, reader, casesAt(world, pins, build), known);
    judged.set(build.commit, judgements);
  }
  return judged;
}

function costFor({ build, satisfies }: PlannedBuild, judged: ReadonlyMap<string, PatchJudgement[]>): PlannedBuild["cost"] {
  const found = build.commit === undefined ? undefined : judged.get(build.commit);
  return found && satisfies !== "no" ? costOf(found) : null;
}
