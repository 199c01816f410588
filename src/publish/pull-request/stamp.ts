import { createHash } from "node:crypto";
import type { Plan } from "./types.ts";

/** What the bot wrote into the body of its pull request, for its next run to read. */
export interface Stamp {
  /** Hash of what is proposed. */
  content: string;
  /** When it was written: a comment by a person moves the pull request's own date, and would put updates off. */
  at: string;
  /** Hashes of the urgent things that it tells. */
  told: readonly string[];
}

/** The hash of what is proposed: files, title and text. */
export function contentOf({ files, title, identity }: Plan): string {
  const hash = createHash("sha256");
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`${path}\0${content}\0`);
  return hash.update(`${title}\0${identity}`).digest("hex").slice(0, 24);
}

const short = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 8);

/** Names of a list that the stamp does not tell yet. */
export const untold = (names: readonly string[], stamp: Stamp | undefined): string[] =>
  names.filter((name) => stamp?.told.includes(short(name)) !== true);

/** So many fit into the room that the body's limit leaves for the stamp. */
const MOST = 400;

/** The body with the stamp at its end, and boxes ticked that a person ticked before. */
export function stamped(plan: Plan, at: string, before: string | null): string {
  const told = [...new Set([...plan.urgent, ...plan.reopens])].slice(0, MOST).map(short).join(",");
  return `${keepTicks(plan.body, before ?? "").trimEnd()}\n\n<!-- landfall:content ${contentOf(plan)} ${at} ${told} -->\n`;
}

function keepTicks(body: string, before: string): string {
  const ticked = new Set([...before.matchAll(/^\s*[*-] \[[xX]\] (.+)$/gm)].map(([, text]) => text?.trim()));
  return body.replaceAll(/^(\s*[*-] )\[ \] (.+)$/gm, (line, lead: string, text: string) =>
    ticked.has(text.trim()) ? `${lead}[x] ${text}` : line,
  );
}

export function stampOf(body: string | null | undefined): Stamp | undefined {
  const [, content, at, told] = /<!-- landfall:content ([0-9a-f]+) (\S+) ([0-9a-f,]*) ?-->/.exec(body ?? "") ?? [];
  return content === undefined || at === undefined ? undefined : { content, at, told: (told ?? "").split(",") };
}
