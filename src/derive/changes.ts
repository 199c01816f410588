import { parseRef, shortRef } from "../model/ref.ts";
import type { Item } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import type { Status } from "../model/vocabulary.ts";
import { inWords } from "./condition.ts";
import type { Facts, World } from "./facts.ts";
import { countedBranches } from "./landing.ts";
import { pinTarget } from "./propagation.ts";
import type { Decision } from "./status.ts";
import { decide } from "./status.ts";

/** One change of the observed facts, or of the authored row. */
export type FactChange =
  | { set: "row"; row: Partial<Item> }
  | { set: "thread"; ref: string; thread: Partial<Thread> }
  | { set: "containment"; repo: string; commits: string[]; inside: string; answer: "yes" | "no" }
  | { set: "revert"; repo: string; commit: string };

/** What would change a row's status: an event upstream, and the status it would lead to. */
export interface Change {
  when: string;
  to: Status;
  change: FactChange[];
}

/**
 * Events that would change a row's status. Each is tried: the facts are changed as the event would change them,
 * and the row is decided again, so the answer is what the table says and not what somebody remembers of it.
 */
export function changesOf(world: World, item: Item, decision: Decision): Change[] {
  const found = new Map<string, Change>();
  for (const { when, change } of candidates(world, item, decision)) {
    const row: Item = Object.assign({}, item, ...change.map((one) => (one.set === "row" ? one.row : {})));
    const to = decide({ ...world, facts: change.reduce(withChange, world.facts) }, row).status;
    if (to !== decision.status && !found.has(when)) found.set(when, { when, to, change });
  }
  return [...found.values()];
}

type Candidate = Omit<Change, "to">;

/** A commit that no pin contains, for "if it merged today". */
const NEW_COMMIT = "f".repeat(40);

function candidates(world: World, item: Item, decision: Decision): Candidate[] {
  if (decision.rule === "0") return [{ when: "the override is removed", change: [{ set: "row", row: { override: undefined } }] }];
  if (decision.rule === "1") {
    const confirmed = item.refs.map((ref) => ({ ...ref, confirmed: world.asOf.slice(0, 10) }));
    return [{ when: "a person confirms in the row that this reference is meant", change: [{ set: "row", row: { refs: confirmed } }] }];
  }
  if (decision.deciding.length === 0) return filingEvents(world, item);
  if (decision.rule === "3") return arrivalEvents(world, item);
  if (decision.rule.startsWith("5")) return [...propagationEvents(world, decision), ...revertEvents(decision)];
  return decision.deciding.flatMap(({ end }) => {
    const parsed = parseRef(end);
    if (parsed?.type !== "thread") return [];
    const linked = world.facts.thread(end)?.closedBy ?? [];
    return [end, ...linked].flatMap((ref) => threadEvents(world, ref, item));
  });
}

/** An asset or package that has not arrived: what if the row's own condition held. */
function arrivalEvents(world: World, item: Item): Candidate[] {
  if (!item.lands_when) return [];
  const when = inWords(item.lands_when);
  const held = { manual: { what: when, done: world.asOf.slice(0, 10) } };
  return [{ when, change: [{ set: "row", row: { lands_when: held } }] }];
}

/** Nothing is filed: what if somebody did. */
function filingEvents(world: World, item: Item): Candidate[] {
  const repo = world.model.upstream[item.upstream]?.repo;
  if (repo === undefined) return [];
  const ref = `${repo}#999999`;
  const thread: Partial<Thread> = { kind: "pull-request", title: item.title, state: "open" };
  return [
    {
      when: `a pull request for it is opened in ${repo} and named in the row`,
      change: [
        { set: "row", row: { refs: [...item.refs, { ref, role: "fix" }] } },
        { set: "thread", ref, thread },
      ],
    },
  ];
}

function threadEvents(world: World, ref: string, item: Item): Candidate[] {
  const parsed = parseRef(ref);
  if (parsed?.type !== "thread") return [];
  const thread = world.facts.thread(ref);
  const name = shortRef(ref);
  const event = (when: string, change: Partial<Thread>): Candidate => ({ when, change: [{ set: "thread", ref, thread: change }] });
  const base = countedBranches(world, parsed.repo)[0] ?? "main";
  const at = world.asOf;
  const unseen = { state: "open" as const, title: item.refs.find((known) => known.ref === ref)?.title ?? item.title };
  if (!thread) {
    const kind = item.refs.find((known) => known.ref === ref)?.kind ?? "issue";
    return [
      event(`${name} is observed and open`, { ...unseen, kind }),
      event(`${name} is observed and closed`, { ...unseen, kind, state: "closed" }),
    ];
  }
  if (thread.kind === "pull-request") {
    if (thread.state === "open") {
      return [
        event(`${name} is merged`, { state: "closed", merged: true, mergedAt: at, closedAt: at, mergeCommit: NEW_COMMIT, base }),
        event(`${name} is closed without merging`, { state: "closed", merged: false, closedAt: at }),
      ];
    }
    return thread.merged === true ? [] : [event(`${name} is reopened`, { state: "open", closedAt: undefined })];
  }
  if (thread.state === "open") {
    return [
      event(`${name} is closed by a commit on ${base}`, {
        state: "closed",
        closedAt: at,
        closer: { ref: `${parsed.repo}@${NEW_COMMIT}`, at },
      }),
      event(`${name} is closed with no fix`, { state: "closed", closedAt: at, stateReason: "not-planned" }),
    ];
  }
  return [
    event(`${name} is reopened`, { state: "open", closedAt: undefined, stateReason: "reopened", closer: undefined }),
    event(`${name} turns out to be closed by a commit on ${base}`, { closer: { ref: `${parsed.repo}@${NEW_COMMIT}`, at } }),
  ];
}

function propagationEvents(world: World, decision: Decision): Candidate[] {
  const repo = decision.landings[0]?.repo;
  if (repo === undefined) return [];
  const commits = decision.landings.flatMap(({ shas }) => shas);
  const flip = (pins: Decision["pins"], answer: "yes" | "no") =>
    pins.flatMap(({ pin }): FactChange[] => {
      const row = world.model.pin[pin];
      const inside = row && pinTarget(world, pin, row).commit;
      return inside === undefined || commits.includes(inside) ? [] : [{ set: "containment", repo, commits, inside, answer }];
    });
  const lacking = decision.pins.filter(({ verdict }) => verdict !== "contained");
  const having = decision.pins.filter(({ verdict }) => verdict === "contained");
  const names = (pins: Decision["pins"]) => pins.map(({ pin }) => pin).join(" and ");
  return [
    ...(lacking.length > 0
      ? [{ when: `${names(lacking)} ${lacking.length > 1 ? "are" : "is"} moved to a build that contains it`, change: flip(lacking, "yes") }]
      : []),
    ...(having.length > 0 && lacking.length === 0
      ? [{ when: `${having[0]?.pin} is moved to a build without it`, change: flip(having.slice(0, 1), "no") }]
      : []),
  ];
}

function revertEvents(decision: Decision): Candidate[] {
  return [
    {
      when: "it is reverted upstream",
      change: decision.landings.flatMap(({ repo, shas }) => shas.map((commit): FactChange => ({ set: "revert", repo, commit }))),
    },
  ];
}

/** The facts as they would be after a change. */
export function withChange(facts: Facts, change: FactChange): Facts {
  switch (change.set) {
    case "row":
      return facts;
    case "thread":
      return {
        ...facts,
        thread: (ref) => {
          if (ref.split("#", 2).join("#") !== change.ref && ref !== change.ref) return facts.thread(ref);
          const before = facts.thread(ref);
          return { kind: "issue", title: change.ref, state: "open", source: "supposed", asOf: null, ...before, ...change.thread };
        },
      };
    case "containment":
      return {
        ...facts,
        contains: (repo, commit, inside) =>
          facts.canonical(repo) === facts.canonical(change.repo) && inside === change.inside && change.commits.includes(commit)
            ? change.answer
            : facts.contains(repo, commit, inside),
      };
    case "revert":
      return {
        ...facts,
        revertsOf: (repo, commit) =>
          facts.canonical(repo) === facts.canonical(change.repo) && commit === change.commit
            ? [{ commit: "e".repeat(40), of: commit, at: "9999-12-31", evidence: "supposed" }]
            : facts.revertsOf(repo, commit),
      };
  }
}
