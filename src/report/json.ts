import { changesOf } from "../derive/changes.ts";
import type { Derived } from "../derive/derive.ts";
import type { PinCheck } from "../derive/pin-check.ts";
import type { Problem } from "../model/problem.ts";
import { parseRef } from "../model/ref.ts";

/** The state of a reference as observed: open, closed, merged; landed for commits and tags; unknown when never seen. */
export function refState(derived: Derived, ref: string): string {
  const { facts } = derived.world;
  const parsed = parseRef(ref);
  const thread = facts.thread(ref);
  if (thread) return thread.merged === true ? "merged" : thread.draft === true && thread.state === "open" ? "draft" : thread.state;
  if (parsed?.type === "commit") return facts.commit(parsed.repo, parsed.sha) ? "committed" : "unknown";
  if (parsed?.type === "tag") return facts.tag(parsed.repo, parsed.tag) ? "tagged" : "unknown";
  return "unknown";
}

/** `status --json`. Other programs read this; fields are added, never renamed. */
export function statusJson(derived: Derived) {
  const { model } = derived.world;
  return {
    asOf: derived.asOf,
    items: Object.entries(derived.items).map(([id, decision]) => {
      const item = model.item[id];
      return {
        id,
        title: item?.title,
        upstream: item?.upstream,
        refs: item?.refs.map(({ ref, role }) => ({ ref, role, state: refState(derived, ref) })),
        status: decision.status,
        facets: decision.facets,
        reaches: decision.pins,
        matters: item?.why.trim(),
        because: decision.because,
        changesWhen: item ? changesOf(derived.world, item, decision).map(({ when, to }) => ({ when, to })) : [],
      };
    }),
    counts: derived.counts,
    contradictions: derived.contradictions,
  };
}

/** `check-pins --json`. */
export function pinsJson(derived: Derived, check: PinCheck) {
  return {
    asOf: derived.asOf,
    pins: check.pins.map(({ id, artifact, source, availability, users, verdicts, retirement }) => ({
      id,
      artifact,
      source,
      availability,
      users: users?.length ?? null,
      verdicts: verdicts.map(({ item, ref, landing, verdict, proof, stake, waits, carried, reverted }) => ({
        item,
        ref,
        landing,
        verdict,
        proof,
        stake,
        waits,
        carried,
        reverted,
      })),
      retirement: { ready: retirement.ready, because: retirement.because, todo: retirement.todo },
    })),
    droppable: Object.values(derived.patches)
      .filter((patch) => patch.carried && patch.droppable === "yes")
      .map(({ id, because }) => ({ patch: id, because })),
    broken: check.broken.map(({ patch, pins, verdict, because }) => ({ patch, pins, verdict, because })),
    triggers: Object.values(derived.triggers).map(({ id, fired, proof }) => ({ id, fired, proof })),
    summary: check.summary,
    exitCode: check.exitCode,
  };
}

export interface DataReport {
  problems: Problem[];
  notChecked: string[];
  counts: { rows: number; broken: number; errors: number; warnings: number; notices: number };
}

export function dataReport(problems: Problem[], rows: number, notChecked: string[]): DataReport {
  const count = (level: Problem["level"]) => problems.filter((problem) => problem.level === level).length;
  return {
    problems,
    notChecked,
    counts: {
      rows,
      broken: new Set(problems.filter((problem) => problem.level === "error").map((problem) => problem.file)).size,
      errors: count("error"),
      warnings: count("warning"),
      notices: count("notice"),
    },
  };
}
