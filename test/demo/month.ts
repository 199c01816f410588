import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const repo = z.string().regex(/^[\w.-]+\/[\w.-]+$/);
const thread = z.string().regex(/^[\w.-]+\/[\w.-]+#\d+$/);
const files = z.record(z.string(), z.string());
const at = z.iso.datetime();

/** What can happen in the demo's world; the first key says which. `as` gives a commit a name that later messages write in braces. */
const event = z.union([
  z.strictObject({ commit: repo, on: z.string().default("main"), message: z.string(), files, as: z.string().optional() }),
  z.strictObject({ branch: repo, name: z.string() }),
  z.strictObject({ tag: repo, name: z.string(), of: z.string() }),
  z.strictObject({ release: repo, tag: z.string() }),
  z.strictObject({ issue: thread, title: z.string(), by: z.string() }),
  z.strictObject({ pull: thread, title: z.string(), by: z.string(), fixes: z.number().optional(), files }),
  z.strictObject({ comment: thread, by: z.string(), says: z.string() }),
  z.strictObject({ merge: thread, as: z.string().optional() }),
  z.strictObject({ close: thread, by: z.string().optional(), reason: z.enum(["completed", "not_planned"]).optional() }),
  // Built from what `of` names in a repository; the label of the image says so.
  z.strictObject({ image: z.string(), tags: z.array(z.string()), from: repo, of: z.string() }),
  z.strictObject({ remove: z.string(), tag: z.string() }),
  // What the people of the stack write in one of its files.
  z.strictObject({ write: z.string(), key: z.string(), value: z.union([z.string(), z.record(z.string(), z.string())]) }),
]);
export type Event = z.infer<typeof event>;

const month = z.strictObject({
  starts: z.iso.date(),
  days: z.array(z.strictObject({ at, says: z.string().optional(), happens: z.array(event) })),
});
export type Day = z.infer<typeof month>["days"][number];

/** The recorded month: what came before anybody looked, and the days that are looked at, each with a line for the reader. */
export function readMonth(): { history: Day[]; days: (Day & { says: string })[] } {
  const { starts, days } = month.parse(parse(readFileSync(new URL("month.yaml", import.meta.url), "utf8")));
  const history = days.filter((day) => day.at < starts);
  return { history, days: days.slice(history.length).map((day) => ({ ...day, says: z.string().parse(day.says) })) };
}
