import { casesAt } from "../src/derive/survival/at.ts";
import { pinnedUpstreams, resolveCandidate } from "../src/derive/candidate.ts";
import { nothingKnown } from "../src/derive/survival/sources.ts";
import { casesOf } from "../src/derive/survival/cases.ts";
import type { Case } from "../src/derive/survival/cases.ts";
import { merged, recordOf } from "../src/derive/survival/recorded.ts";
import type { Derived } from "../src/derive/derive.ts";
import { didYouMean } from "../src/model/suggest.ts";
import { writeFiles } from "../src/publish/files.ts";
import { paint } from "../src/report/paint.ts";
import { patchRows, patchesExit, patchesJson } from "../src/report/survival.ts";
import { patchesText } from "../src/report/terminal/patches.ts";
import { UserError, cli, print, printJson, progress } from "./cli.ts";
import { sha256 } from "./hash.ts";
import { sourceReader, surveyed } from "./sources.ts";
import { openStack } from "./stack.ts";

interface Options {
  root: string;
  at?: string;
  record?: boolean;
  offline?: boolean;
  json?: boolean;
}

export const command = () =>
  cli("patches", "Says for every patch whether it still does what it is for: on its pins' sources, and on its way into each variant.")
    .argument("[patch...]", "only these patches")
    .option("--at <build>", "judge at another build: a tag, a commit, an image or a pin")
    .option("--record", "keep what was found in data/observed/survival.json, for pages and for machines without the sources")
    .option("--offline", "make no request; say what could not be checked")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 fine, 1 a load-bearing patch is broken or undelivered, 2 could not be told, 3 unusable input.")
    .action(async (patches: string[], options: Options) => {
      const { loaded, derived } = await openStack(options.root);
      for (const id of patches) {
        const known = Object.keys(derived.patches);
        if (!known.includes(id)) throw new UserError(`No patch is named "${id}".${didYouMean(id, known)} They are in data/patches/.`);
      }
      const { cases, notChecked } =
        options.at === undefined ? casesOf(derived.world) : { cases: casesElsewhere(derived, options.at), notChecked: [] };
      const wanted = patches.length > 0 ? cases.filter(({ patch }) => patches.includes(patch)) : cases;
      const known = nothingKnown(sha256);
      const reader = sourceReader(options.root, derived.world, { offline: options.offline === true });
      const { judgements } = await surveyed(derived.world, reader, wanted, known);
      if (options.record) record(options.root, derived, loaded.observed.survival, judgements, known);
      const rows = patchRows(derived, judgements, patches);
      const failed = [
        ...new Set([...known.answers.values()].flatMap((answer) => (answer.state === "failed" && "why" in answer ? [answer.why] : []))),
      ];
      if (options.json) printJson(patchesJson(rows));
      else print(patchesText(rows, [...notChecked, ...failed.slice(0, 6)], paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      process.exitCode = patchesExit(rows);
    });

function casesElsewhere(derived: Derived, at: string): Case[] {
  const found = resolveCandidate(derived.world, at, pinnedUpstreams(derived.world));
  if (found.state === "unclear") throw new UserError(found.why);
  const pins = Object.values(derived.pins).filter((pin) => pin.live && derived.world.model.pin[pin.id]?.upstream === found.upstream);
  if (found.build.commit === undefined)
    throw new UserError(`What ${found.build.name} is built from is not known: ${found.build.why ?? "not observed"}.`);
  return casesAt(
    derived.world,
    pins.map(({ id }) => id),
    found.build,
  );
}

/** Facts about a commit and a patch that is written the same never change, so records only ever add up. */
function record(
  root: string,
  derived: Derived,
  before: Parameters<typeof merged>[1],
  judgements: Awaited<ReturnType<typeof surveyed>>["judgements"],
  known: ReturnType<typeof nothingKnown>,
): void {
  const provenance = { source: "the upstream's source", asOf: new Date().toISOString().slice(0, 10) };
  const records = judgements.flatMap((judged) => {
    const found = recordOf(derived.world, known, judged, provenance);
    return found ? [{ patch: judged.patch, commit: judged.commit, record: found }] : [];
  });
  writeFiles(root, [
    { path: "data/observed/survival.json", content: `${JSON.stringify(merged(derived.world, before, records), undefined, 2)}\n` },
  ]);
  progress(`Recorded ${records.length} of ${judgements.length} judgements in data/observed/survival.json.`);
}
