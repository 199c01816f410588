import type { Patch } from "../../model/shapes/patch.ts";
import { applyHunks, reversed } from "./apply.ts";
import type { HunkOutcome } from "./apply.ts";
import { findTarget } from "./follow.ts";
import type { TargetJudgement } from "./judgement.ts";
import { changeName } from "./judgement.ts";
import { outside } from "./paths.ts";
import type { Sources } from "./sources.ts";
import { readDiff } from "./unified.ts";
import type { DiffFile, Hunk } from "./unified.ts";

export interface DiffSpec {
  file: string;
  strip: number;
  root?: string | undefined;
}

/** The diffs of a patch: those it names, and its files that end like one. */
export function diffsOf(patch: Pick<Patch, "diffs" | "files">): DiffSpec[] {
  const named = patch.diffs ?? [];
  const others = patch.files.filter((file) => /\.(diff|patch)$/.test(file) && !named.some((diff) => diff.file === file));
  return [...named, ...others.map((file) => ({ file, strip: 1 }))];
}

/** Judges the diffs of a patch one after the other, as they would be applied. Undefined: a question is open. */
export function judgeDiffs(
  sources: Sources,
  at: { repo: string; commit: string },
  specs: readonly DiffSpec[],
): TargetJudgement[] | undefined {
  const changed = new Map<string, string | undefined>();
  const judged: (TargetJudgement | undefined)[] = specs.flatMap((spec) => {
    const own = sources.own(spec.file);
    if (own === undefined) return [undefined];
    const about = (verdict: TargetJudgement["verdict"], because: string): TargetJudgement[] => [
      { path: spec.file, verdict, because, anchors: [] },
    ];
    if (own.state === "absent") return about("unusable", `the stack has no file ${spec.file}`);
    if (own.state === "failed") return about("unknown", own.why);
    const { files, problem } = readDiff(own.text, spec.strip);
    if (problem !== undefined) return about("unusable", `${spec.file}: ${problem}`);
    return files.map((file) => judgeFile(sources, at, spec, file, changed));
  });
  return judged.some((one) => one === undefined) ? undefined : (judged as TargetJudgement[]);
}

function judgeFile(
  sources: Sources,
  { repo, commit }: { repo: string; commit: string },
  spec: DiffSpec,
  file: DiffFile,
  changed: Map<string, string | undefined>,
): TargetJudgement | undefined {
  const rooted = (path: string) => (spec.root === undefined ? path : `${spec.root.replace(/\/$/, "")}/${path}`);
  const path = rooted(file.from ?? file.to ?? "");
  const say = (verdict: TargetJudgement["verdict"], because: string, more: Partial<TargetJudgement> = {}): TargetJudgement => ({
    path,
    verdict,
    because,
    anchors: [],
    ...more,
  });
  const paths = [file.from, file.to].filter((name) => name !== undefined).map(rooted);
  const bad = paths.map((name) => [name, outside(name)] as const).find(([, why]) => why !== undefined);
  if (bad) return say("unusable", `${bad[0]} is no target: ${bad[1]}`);
  if (changed.has(path) && file.from !== undefined) {
    const text = changed.get(path);
    if (text === undefined) return say("conflict", "an earlier part of the patch does not apply, or takes the file away");
    return judgeHunks(text, file.hunks, say, (after) => changed.set(path, after));
  }
  const found = findTarget(sources, repo, commit, path);
  if (found === undefined) return undefined;
  if (found.state === "unusable" || found.state === "unknown") return say(found.state, found.why);
  if (file.from === undefined) return judgeCreation(found.state === "text" ? found.text : undefined, file.hunks, say);
  if (found.state === "gone") {
    if (file.to === undefined) return say("already-upstream", "upstream took the file away too");
    return say(
      "target-gone",
      `upstream has no such file${found.since ? ` since ${changeName(found.since)}, "${found.since.subject}"` : ""}`,
      {
        ...(found.since ? { since: found.since } : {}),
      },
    );
  }
  if (found.state === "renamed") {
    const there = judgeHunks(found.text, file.hunks, say, () => undefined);
    return say(
      "target-renamed",
      `it is ${found.path} since ${changeName(found.since)} (${found.how}); there the change ${there.verdict === "applies" || there.verdict === "applies-with-offset" ? "applies" : `does not apply: ${there.because}`}`,
      {
        since: found.since,
        followedTo: found.path,
        ...(there.hunks ? { hunks: there.hunks } : {}),
      },
    );
  }
  const judged = judgeHunks(found.text, file.hunks, say, (after) => changed.set(path, after));
  const applies = judged.verdict === "applies" || judged.verdict === "applies-with-offset";
  if (file.to === undefined && applies && changed.get(path) !== "")
    return say("conflict", "it takes the file away, and upstream's has more in it");
  if (file.rename && file.to !== undefined && applies) {
    const goal = sources.file(repo, commit, rooted(file.to));
    if (goal === undefined) return undefined;
    if (goal.state !== "absent") return say("conflict", `it renames the file to ${rooted(file.to)}, which upstream has already`);
  }
  return judged;
}

type Say = (verdict: TargetJudgement["verdict"], because: string, more?: Partial<TargetJudgement>) => TargetJudgement;

function judgeCreation(upstream: string | undefined, hunks: readonly Hunk[], say: Say): TargetJudgement {
  if (upstream === undefined) return say("applies", "it adds the file, and upstream has none of that name");
  const same = hunks.map((hunk) => hunk.after.join("")).join("") === upstream;
  return same
    ? say("already-upstream", "upstream has the same file now")
    : say("conflict", "it adds this file, and upstream has another one of that name");
}

function judgeHunks(text: string, hunks: readonly Hunk[], say: Say, keep: (after: string | undefined) => void): TargetJudgement {
  const outcome = applyHunks(text, hunks);
  const count = hunks.length;
  if (outcome.text !== undefined) {
    keep(outcome.text);
    const moved = outcome.hunks.filter((hunk) => hunk.state === "offset" || hunk.landsIn !== undefined);
    if (moved.length === 0)
      return say("applies", `${count === 1 ? "its hunk fits" : `all ${count} hunks fit`} where written`, { hunks: outcome.hunks });
    return say(moved.some((hunk) => hunk.state === "offset") ? "applies-with-offset" : "applies", moved.map(movedWords).join("; "), {
      hunks: outcome.hunks,
    });
  }
  const back = applyHunks(text, reversed(hunks));
  if (back.text !== undefined) {
    keep(text);
    return say("already-upstream", "the change is in the file already: it applies the other way round", { hunks: outcome.hunks });
  }
  keep(undefined);
  const failed = outcome.hunks.filter((hunk) => hunk.state === "failed");
  const words = failed.map((hunk) => {
    const one = hunks[hunk.hunk - 1];
    const there = one !== undefined && applyHunks(text, reversed([one])).text !== undefined;
    return failedWords(hunk, count, there);
  });
  return say("conflict", words.join("; "), { hunks: outcome.hunks });
}

const hunkName = ({ hunk, heading }: HunkOutcome) => `hunk ${hunk}${heading === "" ? "" : ` (${heading})`}`;

const movedWords = (hunk: HunkOutcome) => {
  const by =
    hunk.offset === 0
      ? "lands where written"
      : `lands ${Math.abs(hunk.offset)} ${Math.abs(hunk.offset) === 1 ? "line" : "lines"} ${hunk.offset > 0 ? "later" : "earlier"}, at line ${hunk.line}`;
  return `${hunkName(hunk)} ${by}${hunk.landsIn === undefined ? "" : `, in another place: ${hunk.landsIn}`}`;
};

const failedWords = (hunk: HunkOutcome, count: number, there: boolean) =>
  `${hunkName(hunk)} of ${count} does not fit at line ${hunk.line}${there ? ": that part is upstream already" : hunk.missing === undefined ? "" : `: "${hunk.missing.slice(0, 60)}" is not in the file`}`;
