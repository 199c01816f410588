import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Anchor } from "../../src/model/shapes/patch.ts";
import type { Answer, Question, Version } from "../../src/model/source.ts";

/** Where recorded observations of a real upstream lie, when they are on this machine. */
const FACTS = fileURLToPath(new URL("../../../shared/facts/", import.meta.url));
export const CASES = `${FACTS}anchor-cases.json`;
export const hasCases = existsSync(CASES);

/** A real anchor with the history of its presence on the main branch; its text is known by hash only. */
export interface AnchorCase {
  genesis: string;
  patch: string;
  sub: string;
  required: boolean;
  target: string;
  anchorLines: number;
  anchorFirstLine: string;
  anchorSha256: string;
  mainHistory: { from: string; date: string; pr: number | null; subject: string; state: "ok" | "missing" | "file_missing" }[];
  atPins: Record<string, "ok" | "missing" | "file_missing">;
}

export const readCases = (): AnchorCase[] => JSON.parse(readFileSync(CASES, "utf8")) as AnchorCase[];

export const anchorOf = (one: AnchorCase): Anchor => ({
  id: one.sub,
  hash: { sha256: one.anchorSha256, lines: one.anchorLines, starts: one.anchorFirstLine },
  required: one.required,
  count: 1,
});

/** Parents of every commit of the real history. */
export function readGraph(): Map<string, string[]> {
  const text = gunzipSync(readFileSync(`${FACTS}graph-vllm-project+vllm.tsv.gz`)).toString("utf8");
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [sha = "", parents = ""] = line.split("\t");
        return [sha, parents.split(" ").filter((parent) => parent !== "")];
      }),
  );
}

/** The commit and everything it contains. */
export function ancestorsOf(graph: ReadonlyMap<string, string[]>, commit: string): Set<string> {
  const seen = new Set<string>();
  const open = [commit];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return seen;
}

/** The full hash behind a label such as "nightly e47c98ef" or "v0.19.2rc1.dev205 (07351e088)". */
export function commitOf(graph: ReadonlyMap<string, string[]>, label: string): string {
  const named: Record<string, string> = { "v0.23.0": "0fc695fc6d", "v0.24.0": "217c64a976", "main 2026-08-17": "017e9f4448" };
  const short = named[label] ?? /\(([0-9a-f]{7,})\)/.exec(label)?.[1] ?? label.split(" ").at(-1) ?? "";
  const found = [...graph.keys()].filter((sha) => sha.startsWith(short));
  if (found.length !== 1) throw new Error(`${label} is ${found.length} commits`);
  return found[0] ?? "";
}

/** A stand-in text for an anchor: right first line, right number of lines. {@link fakeSha} gives it the hash of the real one. */
const standIn = (one: AnchorCase): string =>
  [one.anchorFirstLine, ...Array.from({ length: one.anchorLines - 1 }, (_, n) => `line ${n + 2}`)]
    .map((line, n) => (n === 0 ? line : `  ${line}`))
    .join("\n");

/** The hash that a stand-in would have if it were the real text; other texts get one that nothing matches. */
export const fakeSha = (cases: readonly AnchorCase[]) => {
  const known = new Map(cases.map((one) => [standIn(one), one.anchorSha256]));
  return (text: string): string => known.get(text) ?? `${text.length}`.padStart(64, "0");
};

/**
 * Answers questions about one target as the recorded history says: every recorded change is a version of the file, which holds the
 * stand-ins of those anchors that were present then.
 */
export function answerFrom(
  cases: readonly AnchorCase[],
  ancestors: (commit: string) => ReadonlySet<string>,
): (question: Question) => Answer {
  const textAt = (target: string, inside: ReadonlySet<string>): string | null => {
    const here = cases.filter((one) => one.target === target);
    const states = here.map((one) => one.mainHistory.findLast(({ from }) => inside.has(from))?.state ?? "file_missing");
    if (states.every((state) => state === "file_missing")) return null;
    return here.map((one, index) => `# place ${index}\n${states[index] === "ok" ? standIn(one) : "something else"}\n`).join("");
  };
  const changes = (target: string) => {
    const all = cases.filter((one) => one.target === target).flatMap(({ mainHistory }) => mainHistory);
    return [...new Map(all.map((change) => [change.from, change])).values()];
  };
  const texts = new Map<string, string>();
  const blobOf = (text: string) => {
    const blob = `blob-${text.length}-${[...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 7)}`;
    texts.set(blob, text);
    return blob;
  };
  return (question) => {
    switch (question.ask) {
      case "file": {
        const text = textAt(question.path, ancestors(question.commit));
        return text === null ? { state: "absent" } : { state: "text", blob: blobOf(text), text };
      }
      case "history": {
        const inside = ancestors(question.commit);
        const versions = changes(question.path)
          .filter(({ from }) => inside.has(from))
          .sort((a, b) => (inside.has(a.from) && ancestors(b.from).has(a.from) ? 1 : -1))
          .map(({ from, date, subject }): Version => {
            const text = textAt(question.path, ancestors(from));
            return { commit: from, at: date, subject, blob: text === null ? null : blobOf(text) };
          });
        return { state: "seen", versions, whole: true };
      }
      case "blob":
        return { state: "text", text: texts.get(question.blob) ?? "" };
      default:
        return { state: "failed", why: "the recorded history does not tell" };
    }
  };
}
