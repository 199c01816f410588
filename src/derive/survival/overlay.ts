import type { OwnAnswer } from "../../model/source.ts";
import type { PatchTarget } from "../../model/shapes/patch.ts";
import { changesSince, findTarget } from "./follow.ts";
import type { TargetJudgement } from "./judgement.ts";
import { changeName } from "./judgement.ts";
import { lineChanges } from "./similar.ts";
import type { Sources } from "./sources.ts";

/** What an overlay was made for: a commit, and who says so. */
export interface Base {
  commit: string;
  from: string;
}

/**
 * Judges one whole-file overlay: it hides whatever the target became since its base (pain D6).
 * Undefined: a question is open.
 */
export function judgeOverlay(
  sources: Sources,
  { repo, commit }: { repo: string; commit: string },
  target: PatchTarget,
  file: string | undefined,
  base: Base | undefined,
): TargetJudgement | undefined {
  const say = (verdict: TargetJudgement["verdict"], because: string, more: Partial<TargetJudgement> = {}): TargetJudgement => ({
    path: target.path,
    verdict,
    because,
    anchors: [],
    ...more,
  });
  const own = file === undefined ? ({ state: "failed", why: "no file of the patch matches this target" } as OwnAnswer) : sources.own(file);
  const found = findTarget(sources, repo, commit, target.path);
  if (own === undefined || found === undefined) return undefined;
  if (own.state === "absent") return say("unusable", `the stack has no file ${file}`);
  const atBase = base !== undefined && commit.startsWith(base.commit);
  if (found.state === "unknown" && atBase)
    return say("applies", `this is the commit it was made for (${base.from}); the file itself was not read`);
  if (found.state === "unusable" || found.state === "unknown") return say(found.state, found.why);
  if (target.adds === true) return judgeAdded(found.state === "text" ? found.text : undefined, own, say);
  if (found.state === "gone") {
    return say(
      "target-gone",
      `upstream has no such file${found.since ? ` since ${changeName(found.since)}, "${found.since.subject}"` : ""}`,
      {
        ...(found.since ? { since: found.since } : {}),
      },
    );
  }
  if (found.state === "renamed") {
    return say(
      "target-renamed",
      `it is ${found.path} since ${changeName(found.since)} (${found.how}); an overlay under the old name is never loaded`,
      {
        since: found.since,
        followedTo: found.path,
      },
    );
  }
  if (own.state === "text" && own.text === found.text) return say("already-upstream", "upstream's file is the same, byte for byte");
  if (!base) return say("unknown", "the commit it was made for is not written down (base:), so nothing tells what it hides");
  if (atBase) return say("applies", `this is the commit it was made for (${base.from})`);
  return judgeSinceBase(sources, { repo, commit }, target, found, base, say);
}

type Say = (verdict: TargetJudgement["verdict"], because: string, more?: Partial<TargetJudgement>) => TargetJudgement;

function judgeAdded(upstream: string | undefined, own: OwnAnswer, say: Say): TargetJudgement {
  if (upstream === undefined) return say("applies", "it adds the file, and upstream has none of that name");
  if (own.state === "text" && own.text === upstream) return say("already-upstream", "upstream has the same file now");
  return say("conflict", "it adds this file, and upstream has another one of that name now");
}

function judgeSinceBase(
  sources: Sources,
  { repo, commit }: { repo: string; commit: string },
  target: PatchTarget,
  found: { path: string; blob: string; text: string },
  base: Base,
  say: Say,
): TargetJudgement | undefined {
  const then = sources.file(repo, base.commit, found.path);
  if (then === undefined) return undefined;
  const short = base.commit.slice(0, 10);
  if (then.state === "absent") return say("conflict", `its base ${short} (${base.from}) has no ${target.path}, and this commit has one`);
  if (then.state !== "text") return say("unknown", `its base ${short} could not be read${then.state === "failed" ? `: ${then.why}` : ""}`);
  if (then.blob === found.blob) return say("base-differs", `made for ${short} (${base.from}); the file is the same here`);
  const changes = changesSince(sources, repo, base.commit, commit, found.path);
  if (changes === undefined) return undefined;
  const lines = lineChanges(then.text, found.text);
  const amount = lines ? `+${lines.added} −${lines.removed} lines` : "more lines than could be counted";
  const list = "failed" in changes ? [] : changes;
  const by =
    list.length > 0 ? ` by ${list.map(changeName).slice(0, 8).join(", ")}${list.length > 8 ? ` and ${list.length - 8} more` : ""}` : "";
  return say("target-changed", `upstream changed it since ${short} (${base.from}): ${amount}${by}; the overlay takes all of that back`, {
    ...(list.at(-1) ? { since: list.at(-1) } : {}),
    changed: { base: base.commit, added: lines?.added ?? null, removed: lines?.removed ?? null, changes: list },
  });
}
