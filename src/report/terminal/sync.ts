import type { Transition } from "../../model/shapes/observed.ts";
import { parseRef, shortRef } from "../../model/ref.ts";
import { groupBy } from "../../model/group.ts";
import { NEVER_OBSERVED, STATUSES } from "../../model/vocabulary.ts";
import type { Status } from "../../model/vocabulary.ts";
import type { Paint } from "../paint.ts";

/** What a sync found, as `sync --json` prints it. Other programs read this; fields are added, never renamed. */
export interface SyncReport {
  asOf: string;
  requests: { graphql: number; rest: number; git: number; registry: number };
  /** References, artifacts and histories that gave an answer. */
  observed: number;
  changed: { ref: string; field: string; from: unknown; to: unknown; proof: string }[];
  transitions: Transition[];
  failed: { ref: string; why: string }[];
  /** What this run was not to look at; said, and no error. */
  notChecked: string[];
  /** What a person should know and mend, such as a token that is not accepted. */
  notes: string[];
  /** Nothing was written. */
  dryRun: boolean;
  exitCode: 0 | 2;
}

const FIELDS_SHOWN = 4;
const REFS_SHOWN = 25;
const NAMES_SHOWN = 6;

/** What changed, what it means for the rows, and what could not be seen. */
export function syncText(report: SyncReport, paint: Paint): string {
  const lines: string[] = [];
  if (report.transitions.length > 0) {
    lines.push(paint.bold(`Statuses that changed (${report.transitions.length})`));
    for (const { item, from, to, because } of report.transitions) {
      lines.push(`  ${item}  ${words(from)} → ${words(to)}`, `      ${paint.dim(because)}`);
    }
    lines.push("");
  }
  const refs = [...new Set(report.changed.map(({ ref }) => ref))];
  if (refs.length > 0) {
    lines.push(paint.bold(`Facts that changed (${refs.length})`));
    for (const ref of refs.slice(0, REFS_SHOWN)) {
      const fields = report.changed.filter((change) => change.ref === ref);
      lines.push(`  ${parseRef(ref) ? shortRef(ref) : ref}  ${paint.dim(described(fields))}`);
    }
    if (refs.length > REFS_SHOWN) lines.push(`  and ${refs.length - REFS_SHOWN} more: npm run sync -- --json lists them`);
    lines.push("");
  }
  if (report.failed.length > 0) {
    lines.push(paint.bold(`Could not be observed (${report.failed.length}); the last known facts stay`));
    for (const [why, refs] of groupBy(report.failed, (failure) => failure.why)) {
      const names = refs.slice(0, NAMES_SHOWN).map(({ ref }) => (parseRef(ref) ? shortRef(ref) : ref));
      const rest = refs.length > names.length ? ` and ${refs.length - names.length} more` : "";
      lines.push(`  ${paint.yellow(`${names.join(", ")}${rest}`)}  ${why.replace(/\.$/, "")}.`);
    }
    lines.push("");
  }
  for (const note of report.notes) lines.push(paint.yellow(note));
  if (report.notChecked.length > 0) lines.push(`Not checked: ${report.notChecked.join(", ")}.`);
  const { graphql, rest, git, registry } = report.requests;
  const nothing = refs.length === 0 ? "Nothing changed. " : "";
  lines.push(
    `${nothing}${report.observed} observed with ${graphql} GraphQL, ${rest} REST, ${git} git and ${registry} registry requests. ${report.asOf === NEVER_OBSERVED ? "Nothing was observed so far" : `As of ${report.asOf}`}.${report.dryRun ? " Dry run: nothing was written." : ""}`,
  );
  return lines.join("\n");
}

/** New things by what they are, known ones by what changed in them. */
function described(fields: SyncReport["changed"]): string {
  const of = (name: string) => fields.find(({ field }) => field === name)?.to;
  if (fields.some(({ field, from }) => ["kind", "subject", "name"].includes(field) && from === null)) {
    const what = [of("kind"), of("state"), of("title") ?? of("subject")].filter((part) => typeof part === "string");
    return `seen for the first time${what.length > 0 ? `: ${what.join(", ")}` : ""}`;
  }
  const shown = fields.slice(0, FIELDS_SHOWN).map(({ field, from, to }) => `${field} ${value(from)} → ${value(to)}`);
  return `${shown.join(", ")}${fields.length > FIELDS_SHOWN ? `, and ${fields.length - FIELDS_SHOWN} more` : ""}`;
}

const words = (status: string | null): string => {
  const known = status === null ? undefined : STATUSES[status as Status];
  return known ? `${known.symbol} ${known.words}` : (status ?? "new");
};

function value(of: unknown): string {
  if (of === null || of === undefined) return "–";
  const text = typeof of === "string" ? of : JSON.stringify(of);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
