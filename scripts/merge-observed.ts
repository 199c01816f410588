import { derive } from "../src/derive/derive.ts";
import { transitionsBetween } from "../src/derive/transitions.ts";
import type { Model } from "../src/model/kinds.ts";
import { load } from "../src/model/load.ts";
import type { Observed, Transition } from "../src/model/shapes/observed.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { observedFiles } from "../src/observe/files.ts";
import { mergeObserved } from "../src/observe/merge.ts";
import { writeFiles } from "../src/publish/files.ts";
import { cli, print } from "./cli.ts";
import { transitionLogs } from "./transition-logs.ts";

export const command = () =>
  cli("merge-observed", "Puts the observations of the shards of one sync together into the stack.")
    .argument("<roots...>", "copies of the stack, each synced with another --shard from the same starting point")
    .action((roots: string[], options: { root: string }) => {
      const { model, observed: base } = load(options.root);
      const parts = mergeObserved(
        base,
        roots.map((root) => load(root).observed),
      );
      const merged = { ...parts, transitions: [...parts.transitions, ...unlogged(model, base, parts)] };
      const files = [
        ...transitionLogs(base.transitions, merged.transitions),
        ...observedFiles(base, merged),
        ...(merged.asOf === base.asOf ? [] : [{ path: "data/observed/as-of.json", content: sortedJson({ asOf: merged.asOf }) }]),
      ];
      writeFiles(options.root, files);
      print(
        files.length === 0
          ? "The shards learnt nothing new."
          : `Merged ${roots.length} shards: ${files.map(({ path }) => path).join(", ")}.`,
      );
    });

/** Changes of status that no share saw alone, because what decides them lies in several. */
function unlogged(model: Model, base: Observed, merged: Observed): Transition[] {
  return transitionsBetween(derive(model, base), derive(model, merged), merged.transitions);
}
