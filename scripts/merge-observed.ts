import { load } from "../src/model/load.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { observedFiles } from "../src/observe/files.ts";
import { mergeObserved } from "../src/observe/merge.ts";
import { groupBy } from "../src/model/group.ts";
import { writeFiles } from "../src/publish/files.ts";
import { cli, print } from "./cli.ts";

export const command = () =>
  cli("merge-observed", "Puts the observations of the shards of one sync together into the stack.")
    .argument("<roots...>", "copies of the stack, each synced with another --shard from the same starting point")
    .action((roots: string[], options: { root: string }) => {
      const { observed: base } = load(options.root);
      const merged = mergeObserved(
        base,
        roots.map((root) => load(root).observed),
      );
      const added = merged.transitions.filter((one) => !base.transitions.some((known) => JSON.stringify(known) === JSON.stringify(one)));
      const logs = [...groupBy(merged.transitions, ({ at }) => at.slice(0, 4))].map(([year, lines]) => ({
        path: `data/observed/transitions-${year}.jsonl`,
        content: lines.map(({ at, because, from, item, to }) => `${JSON.stringify({ at, because, from, item, to })}\n`).join(""),
      }));
      const files = [
        ...(added.length > 0 ? logs : []),
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
