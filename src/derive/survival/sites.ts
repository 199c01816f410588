import type { Version } from "../../model/source.ts";
import type { Anchor } from "../../model/shapes/patch.ts";
import { EVERYWHERE, hintFor, lineOf, needleOf, placesOf } from "./anchors.ts";
import type { Needle } from "./anchors.ts";
import type { AnchorJudgement } from "./judgement.ts";
import { changeName } from "./judgement.ts";
import { lastLoss } from "./loss.ts";
import type { LossSearch, Presence } from "./loss.ts";
import type { Sources } from "./sources.ts";

/** A target's history, as far as it is known: undefined while the question is open. */
export type History = { versions: Version[]; whole: boolean } | { failed: string } | undefined;

/**
 * Judges the anchors of a target at one commit. Undefined: an answer is still missing, and the question was left.
 * @param text the target's text; undefined when the file is gone, so every anchor is
 * @param history the target's own history, asked for only when an anchor is lost
 */
export function judgeAnchors(
  sources: Sources,
  repo: string,
  anchors: readonly Anchor[],
  text: string | undefined,
  history: () => History,
): AnchorJudgement[] | undefined {
  const judged = anchors.map((anchor, index) => judgeAnchor(sources, repo, anchor, anchor.id ?? String(index + 1), text, history));
  return judged.some((one) => one === undefined) ? undefined : (judged as AnchorJudgement[]);
}

function judgeAnchor(
  sources: Sources,
  repo: string,
  anchor: Anchor,
  id: string,
  text: string | undefined,
  history: () => History,
): AnchorJudgement | undefined {
  const needle = needleOf(sources, anchor);
  if (needle === undefined) return undefined;
  const base = { id, required: anchor.required, wanted: anchor.count, lines: [], lostAt: null };
  if (needle.kind === "unusable" || needle.kind === "unknown") {
    return { ...base, verdict: needle.kind, because: needle.why, matches: null };
  }
  const places = text === undefined ? [] : placesOf(needle, text, sources.sha256);
  if (places === undefined) {
    return { ...base, verdict: "unknown", because: "the file is too long to be searched with a regular expression", matches: null };
  }
  const matches = places.length;
  const lines = places.slice(0, 20).map(({ from }) => lineOf(text ?? "", from));
  const seen = { ...base, matches, lines };
  if (matches > EVERYWHERE && matches > anchor.count) {
    return { ...seen, verdict: "unusable", because: `it matches ${matches} times, so it names no place` };
  }
  if (matches === anchor.count) return { ...seen, verdict: "applies", because: `matches ${times(matches)}` };
  if (matches > anchor.count) {
    return {
      ...seen,
      verdict: "anchor-ambiguous",
      because: `matches ${times(matches)} (lines ${lines.join(", ")}), ${anchor.count === 1 ? "once" : `${anchor.count} times`} is meant`,
    };
  }
  return judgeLoss(sources, repo, anchor, needle, text, history, seen);
}

function judgeLoss(
  sources: Sources,
  repo: string,
  anchor: Anchor,
  needle: Needle,
  text: string | undefined,
  history: () => History,
  seen: Omit<AnchorJudgement, "verdict" | "because">,
): AnchorJudgement | undefined {
  const known = history();
  if (known === undefined) return undefined;
  const hint = text === undefined ? undefined : hintFor(needle, text);
  const some = seen.matches ? `matches ${times(seen.matches)} of ${anchor.count}` : "is not in the file";
  const lost = (because: string, lostAt: AnchorJudgement["lostAt"] = null): AnchorJudgement => ({
    ...seen,
    verdict: "anchor-lost",
    because: [because, hint].filter((part) => part !== undefined).join("; "),
    lostAt,
  });
  if ("failed" in known) return lost(`${some}; since when is not known (${known.failed})`);
  const search = lastLoss(known, (blob) => enough(sources, repo, needle, anchor, blob));
  switch (search.state) {
    case "need":
      sources.want(search.blobs.map((blob) => ({ ask: "blob", repo, blob })));
      return undefined;
    case "found":
      return lost(`${some} since ${sinceWords(search)}`, search.loss);
    case "never":
      return lost(`${some}, and in no version of it that led here`);
    case "unread":
      return lost(`${some}; since when is not known: an older version of the file could not be read`);
    case "older":
      return lost(`${some}; it was lost before the part of the history that was read`);
  }
}

const sinceWords = ({ loss }: Extract<LossSearch, { state: "found" }>) =>
  `${changeName(loss)} of ${loss.at.slice(0, 10)}, "${loss.subject}"${loss.by === "bisect" ? " (found by bisection: it may have come back and gone again since)" : ""}`;

/** Whether a version has the anchor often enough. */
function enough(sources: Sources, repo: string, needle: Needle, anchor: Anchor, blob: string): Presence {
  const memo = sources.presence(anchor);
  const known = memo.get(blob);
  if (known !== undefined) return known;
  const answer = sources.blob(repo, blob);
  if (answer === undefined) return undefined;
  if (answer.state === "failed") return "unread";
  const has = answer.state === "text" && (placesOf(needle, answer.text, sources.sha256)?.length ?? 0) >= anchor.count;
  memo.set(blob, has);
  return has;
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);
