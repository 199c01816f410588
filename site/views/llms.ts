import { plain } from "../../src/report/markdown/build.ts";
import { plural } from "../../src/report/words.ts";
import { DOCUMENTS } from "../api/documents.ts";
import { rowPath } from "../links.ts";
import { fullUrl } from "../origin.ts";
import { stack } from "../stack.ts";
import { statusWords } from "./words.ts";

const MOST = 400;

/** What the site holds and where, for language models (llmstxt.org): short lines, text only. */
export function llmsText(): string {
  const { derived } = stack();
  const { model } = derived.world;
  const link = (title: string, path: string, about = "") =>
    `- [${plain(title).replaceAll(/[[\]]/g, "")}](${fullUrl(path)})${about ? `: ${plain(about)}` : ""}`;
  const items = Object.keys(derived.items);
  return [
    `# ${plain(model.tracker.title)} upstream`,
    "",
    `> ${plain(model.tracker.summary ?? "What a stack waits for upstream.").trim()}`,
    "",
    `Facts as of ${derived.asOf}. A status is derived from observed facts and never stored. Merged does not mean usable: a change has landed only when every pin that needs it is proved to contain it. Unknown is an answer, not a gap.`,
    "",
    "## Pages",
    "",
    link("What needs attention", "attention/", plural(derived.attention.length, "thing")),
    link("Tracker", "tracker/", plural(items.length, "row")),
    link("Matrix of changes and pins", "matrix/"),
    link("What changed", "changes/"),
    link("Choose a configuration", "cards/"),
    link("How to read a verdict", "guides/read-a-verdict/"),
    "",
    "## Machine-readable",
    "",
    ...DOCUMENTS.map(({ name, about }) => link(`${name}.json`, `api/v1/${name}.json`, about)),
    "",
    "## Pins",
    "",
    ...Object.entries(model.pin).map(([id, pin]) => link(pin.title, rowPath("pin", id), pin.artifact)),
    "",
    "## Cliffs",
    "",
    ...Object.entries(model.cliff).map(([id, cliff]) => link(`${cliff.short}: ${cliff.title}`, rowPath("cliff", id), cliff.standing)),
    "",
    "## Rows",
    "",
    ...items
      .slice(0, MOST)
      .map((id) =>
        link(
          model.item[id]?.title ?? id,
          rowPath("item", id),
          `${statusWords(derived.items[id]?.status ?? "unknown")}. ${derived.items[id]?.because}`,
        ),
      ),
    ...(items.length > MOST ? [`- ${items.length - MOST} more: ${fullUrl("api/v1/status.json")}`] : []),
    "",
  ].join("\n");
}
