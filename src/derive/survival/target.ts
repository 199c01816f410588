import type { Survival } from "../../model/vocabulary.ts";
import type { Anchor, PatchTarget } from "../../model/shapes/patch.ts";
import { findTarget, historyOf } from "./follow.ts";
import type { Found } from "./follow.ts";
import type { AnchorJudgement, TargetJudgement } from "./judgement.ts";
import { changeName } from "./judgement.ts";
import { judgeAnchors } from "./sites.ts";
import type { Sources } from "./sources.ts";
import { worst } from "./verdicts.ts";

/**
 * Judges a target that a script edits at start-up, by its anchors and markers. Undefined: a question is open.
 * Without anchors only the file itself is judged, and the verdict says so.
 */
export function judgeTarget(
  sources: Sources,
  { repo, commit }: { repo: string; commit: string },
  target: PatchTarget,
): TargetJudgement | undefined {
  const found = findTarget(sources, repo, commit, target.path);
  if (found === undefined) return undefined;
  if (found.state === "unusable" || found.state === "unknown") {
    return { path: target.path, verdict: found.state, because: found.why, anchors: [] };
  }
  const text = found.state === "gone" ? undefined : found.text;
  const at = found.state === "gone" ? target.path : found.path;
  const steps = found.state === "renamed" ? found.steps : [];
  const anchors = judgeAnchors(sources, repo, target.anchors, text, () => historyOf(sources, repo, commit, at, steps));
  if (anchors === undefined) return undefined;
  const gone = goneOrRenamed(target, found, anchors);
  if (gone) return gone;
  const marked = markers(target, text ?? "", anchors);
  if (marked) return { path: target.path, anchors, ...marked };
  return { path: target.path, anchors, ...byAnchors(target, anchors) };
}

function goneOrRenamed(target: PatchTarget, found: Found, anchors: AnchorJudgement[]): TargetJudgement | undefined {
  const base = { path: target.path, anchors };
  if (found.state === "gone") {
    if (target.adds === true) return { ...base, verdict: "applies", because: "it adds the file, and upstream has none of that name" };
    const { since } = found;
    return {
      ...base,
      verdict: "target-gone",
      because: `upstream has no such file${since ? ` since ${changeName(since)}, "${since.subject}"` : ""}`,
      ...(since ? { since } : {}),
    };
  }
  if (found.state !== "renamed") return undefined;
  const lost = anchors.filter(({ verdict }) => verdict === "anchor-lost").length;
  const there =
    anchors.length === 0 ? "" : lost === 0 ? "; there all its anchors match" : `; there ${lost} of ${anchors.length} anchors are lost`;
  return {
    ...base,
    verdict: "target-renamed",
    because: `it is ${found.path} since ${changeName(found.since)} (${found.how})${there}`,
    followedTo: found.path,
    since: found.since,
  };
}

function byAnchors(target: PatchTarget, anchors: AnchorJudgement[]): { verdict: Survival; because: string } {
  if (target.anchors.length === 0) {
    return {
      verdict: "unknown",
      because: "the file is there; its anchors are not written down, so whether the patch finds its places was not checked",
    };
  }
  const deciding = anchors.filter(({ required, verdict }) => required || verdict !== "anchor-lost");
  const verdict = deciding.length === 0 ? "anchor-lost" : worst(deciding.map((anchor) => anchor.verdict));
  const optional = anchors.filter(({ required, verdict: found }) => !required && found === "anchor-lost");
  const notes = optional.map(({ id }) => `${id}, which is optional, is not there`);
  if (verdict === "applies") {
    return {
      verdict,
      because: [anchors.length === 1 ? "its anchor matches" : `${deciding.length} of ${anchors.length} anchors match`, ...notes].join("; "),
    };
  }
  const shown = (deciding.length === 0 ? anchors : deciding).filter((anchor) => anchor.verdict === verdict);
  return { verdict, because: shown.map((anchor) => `${anchor.id} ${anchor.because}`).join("; ") };
}

/** What the loader's markers would make of the source (pain D14: they skip or abort a patch that is needed). */
function markers(target: PatchTarget, text: string, anchors: AnchorJudgement[]): { verdict: Survival; because: string } | undefined {
  const own = ownCollision(target);
  if (own) return { verdict: "marker-false-positive", because: own };
  const required = anchors.filter((anchor) => anchor.required);
  const lost = required.filter(({ verdict }) => verdict === "anchor-lost");
  const drift = (target.drift ?? []).find((marker) => text.includes(marker));
  const applied = target.anchors.find((anchor) => anchor.marker !== undefined && text.includes(anchor.marker));
  const marker = drift ?? applied?.marker;
  if (marker === undefined) return undefined;
  const says = drift === undefined ? "that the patch was applied" : "that upstream has the change";
  if (lost.length === 0) {
    return {
      verdict: "marker-false-positive",
      because: `unpatched source holds its marker "${short(marker)}", by which the loader believes ${says}; the anchors still match, so it would be skipped wrongly`,
    };
  }
  if (lost.length < required.length) return undefined;
  return {
    verdict: "already-upstream",
    because: `its anchors are gone and its marker "${short(marker)}" is in the source, which says ${says}`,
  };
}

/** A marker for "upstream has it" that the patch itself writes would stop its own later parts, or its second start. */
function ownCollision(target: PatchTarget): string | undefined {
  for (const marker of target.drift ?? []) {
    const writer = target.anchors.find((anchor: Anchor) => anchor.replacement?.includes(marker) || anchor.marker?.includes(marker));
    if (writer)
      return `its marker "${short(marker)}" for "upstream has the change" is part of what the patch itself writes${writer.id ? ` (${writer.id})` : ""}`;
  }
  return undefined;
}

const short = (text: string) => text.trim().slice(0, 60);
