import { didYouMean } from "../src/model/suggest.ts";
import { threadOf } from "../src/model/ref.ts";
import { paint } from "../src/report/paint.ts";
import { explainJson, explainText } from "../src/report/terminal/explain.ts";
import { UserError, cli, print, printJson } from "./cli.ts";
import { openStack } from "./stack.ts";

export const command = () =>
  cli("explain", "Says why a row has its status: facts, pins, proof, and what would change it.")
    .argument("<ref-or-id>", "a row's id, or a reference such as vllm#40361 or vllm-project/vllm#40361")
    .option("--json", "print JSON")
    .action(async (asked: string, options: { root: string; json?: boolean }) => {
      const { derived } = await openStack(options.root);
      const { model } = derived.world;
      const ids = Object.entries(model.item)
        .filter(
          ([id, item]) =>
            id === asked || item.refs.some(({ ref }) => ref === asked || threadOf(ref) === asked || threadOf(ref).endsWith(`/${asked}`)),
        )
        .map(([id]) => id);
      if (ids.length === 0)
        throw new UserError(
          `No row is named "${asked}" or cites it.${didYouMean(asked, Object.keys(model.item))} npm run status lists the rows.`,
        );
      if (options.json) printJson(ids.map((id) => explainJson(derived, id)));
      else print(ids.map((id) => explainText(derived, id, paint(process.stdout.isTTY && !process.env.NO_COLOR))).join("\n\n"));
    });
