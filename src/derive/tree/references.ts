import { groupBy } from "../../model/group.ts";
import type { Model } from "../../model/kinds.ts";
import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { parseRef, shortRef, threadOf } from "../../model/ref.ts";
import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { TreeFinding } from "../../model/tree.ts";
import { TREE_RULES, andMore, finding } from "../../model/tree.ts";
import { STATUSES } from "../../model/vocabulary.ts";
import type { Derived } from "../derive.ts";
import type { Exceptions } from "./exceptions.ts";

type Citation = InventoryFile["references"][number];

/** References under their repositories' present names, and those that the rows name anywhere. */
interface RefNames {
  canonical: (ref: string) => string;
  tracked: ReadonlySet<string>;
}

const NAMES = new WeakMap<Derived, RefNames>();

/** Worked out once a derivation: a tree cites the same few references a thousand times. */
function namesOf(derived: Derived): RefNames {
  const known = NAMES.get(derived) ?? makeNames(derived);
  NAMES.set(derived, known);
  return known;
}

function makeNames({ world }: Derived): RefNames {
  const cache = new Map<string, string>();
  const present = (ref: string) => {
    const parsed = parseRef(threadOf(ref));
    return parsed?.type === "thread" ? `${world.facts.canonical(parsed.repo)}#${parsed.number}` : ref;
  };
  const canonical = (ref: string) => {
    const name = cache.get(ref) ?? present(ref);
    cache.set(ref, name);
    return name;
  };
  const tracked = new Set<string>();
  const { tracker: _, ...rows } = world.model;
  const visit = (value: unknown) => {
    if (typeof value === "string") {
      if (value.includes("#") && !value.includes(" ") && parseRef(value)?.type === "thread") tracked.add(canonical(value));
    } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  visit(rows);
  return { canonical, tracked };
}

/** Live citations outside of documents whose citations are history. */
const judged = ({ references }: InventoryFile, skip: (file: string) => boolean): Citation[] =>
  references.filter(({ archived, file }) => archived !== true && !skip(file));

/** References that the tree cites and no row names: one finding each, at the first place (pain E8). */
export function untrackedReferences(
  derived: Derived,
  inventory: InventoryFile,
  exceptions: Exceptions,
  skip: (file: string) => boolean,
): TreeFinding[] {
  const { canonical, tracked } = namesOf(derived);
  const open = judged(inventory, skip).filter(({ ref }) => !tracked.has(canonical(ref)));
  return [...groupBy(open, ({ ref }) => canonical(ref))].flatMap(([ref, places]) => {
    const [first, ...more] = places.filter(({ file }) => !exceptions.allowed(ref, file));
    if (!first) return [];
    const also = andMore(more.length, "place", "in ");
    return [finding("untracked-reference", first, `Cites ${ref}${also}, and no row has it. ${addRow(ref)}`)];
  });
}

const addRow = (ref: string) => `Add a row: npm run add-item -- "${ref}".`;

/** Rows none of whose references is cited anywhere: nothing in the code points back to them. */
export function uncitedRows(derived: Derived, inventory: InventoryFile): Finding[] {
  const { canonical } = namesOf(derived);
  const cited = new Set(inventory.references.map(({ ref }) => canonical(ref)));
  return Object.entries(derived.world.model.item).flatMap(([id, item]): Finding[] => {
    const refs = item.refs
      .filter(({ ref, role }) => role !== "context" && parseRef(ref)?.type === "thread")
      .map(({ ref }) => canonical(ref));
    if (refs.length === 0 || refs.some((ref) => cited.has(ref) || isOwn(derived.world.model, ref))) return [];
    const names = refs.map(shortRef).join(", ");
    const message = `No comment or document of the tree cites ${names}. Point back to the row where its workaround stands, or note that nothing depends on it.`;
    return [{ file: fileOf("item", id), path: ["refs"], level: TREE_RULES["uncited-row"].level, rule: "uncited-row", message }];
  });
}

const isOwn = (model: Model, ref: string) => ref.toLowerCase().startsWith(`${model.tracker.repo.toLowerCase()}#`);

/**
 * The lint of `scan --refs`: citations that need a person. Closed: every row of the reference is resolved or closed, or without a
 * row it was closed unmerged. Landed: every row's change is in every pin that waits for it, so what the comment excuses can go.
 * A reference that is merged and not yet in the pins is exactly what a comment should cite, and passes.
 */
export function lintReferences(
  derived: Derived,
  inventory: InventoryFile,
  exceptions: Exceptions,
  skip: (file: string) => boolean,
): TreeFinding[] {
  const { canonical, tracked } = namesOf(derived);
  const rows = new Map<string, string[]>();
  for (const [id, { refs }] of Object.entries(derived.world.model.item))
    for (const { ref } of refs) rows.set(canonical(ref), [...(rows.get(canonical(ref)) ?? []), id]);
  return [...groupBy(judged(inventory, skip), ({ ref, file }) => `${canonical(ref)} ${file}`)].flatMap(
    ([key, [first, ...more]]): TreeFinding[] => {
      if (!first) return [];
      const ref = key.slice(0, key.indexOf(" "));
      const verdict = judge(derived, ref, rows.get(ref) ?? [], tracked.has(ref));
      if (!verdict || exceptions.allowed(ref, first.file)) return [];
      const also = more.length > 0 ? ` (also on ${more.length > 1 ? "lines" : "line"} ${more.map(({ line }) => line).join(", ")})` : "";
      return [finding(verdict.rule, first, `Cites ${shortRef(ref)}${also}${verdict.message}`, "error")];
    },
  );
}

interface Verdict {
  rule: "closed-reference" | "landed-reference" | "untracked-reference";
  message: string;
}

function judge(derived: Derived, ref: string, rows: string[], tracked: boolean): Verdict | undefined {
  const statuses = rows.flatMap((id) => derived.items[id]?.status ?? []);
  const [id = ""] = rows;
  const words = statuses[0] && `${STATUSES[statuses[0]].symbol} ${STATUSES[statuses[0]].words.toLowerCase()}`;
  if (statuses.length > 0 && statuses.every((status) => status === "landed")) {
    return {
      rule: "landed-reference",
      message: `, and every pin that needs it contains it (row ${id}: ${words}). Remove what it excuses, or allow it with a reason.`,
    };
  }
  if (statuses.length > 0 && statuses.every((status) => ["landed", "resolved", "closed-unfixed"].includes(status))) {
    return {
      rule: "closed-reference",
      message: `, and nothing waits for it any more (row ${id}: ${words}). Update the comment, or allow it with a reason.`,
    };
  }
  if (statuses.length > 0) return undefined;
  const thread = derived.world.facts.thread(ref);
  if (thread?.state === "closed" && thread.merged !== true) {
    return {
      rule: "closed-reference",
      message: `, which was closed${thread.closedAt ? ` on ${thread.closedAt.slice(0, 10)}` : ""} upstream, and no row says what that means here. ${addRow(ref)}`,
    };
  }
  return tracked ? undefined : { rule: "untracked-reference", message: `, and no row has it. ${addRow(ref)}` };
}
