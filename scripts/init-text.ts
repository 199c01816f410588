import { join } from "node:path";
import { WORKFLOW } from "../src/import/first-stack.ts";
import type { CitedRepo } from "../src/import/first-stack.ts";
import { spoken } from "./spoken.ts";

interface Place {
  file: string;
  line: number;
  message: string;
}

/** What `init --json` prints. Other programs read this; fields are added, never renamed. */
export interface InitReport {
  repo: string;
  written: string[];
  kept: string[];
  cited: CitedRepo[];
  upstreams: string[];
  handKept: { path: string; rows: number }[];
  notInventoried: Place[];
  problems: Place[];
  /** The workflow was written, and the repository does not install what it runs. */
  needsPackage: boolean;
}

/** What was done, what is to be mended and what comes next. */
export function initText(root: string, report: InitReport): string {
  const [document] = report.handKept;
  return [
    `${report.repo} is a stack with ${report.upstreams.length === 1 ? "1 upstream" : `${report.upstreams.length} upstreams`}.`,
    ...report.written.map((path) => `  wrote ${path}`),
    ...report.kept.map((path) => `  kept  ${path}`),
    ...(report.notInventoried.length > 0
      ? [
          "The inventory was not written, because it would not be whole:",
          ...report.notInventoried.slice(0, 5).map(({ file, line, message }) => `  ${file}:${line}  ${message}`),
        ]
      : []),
    ...(report.problems.length > 0
      ? ["To mend:", ...report.problems.map(({ file, line, message }) => `  ${file}:${line}  ${message}`)]
      : []),
    "",
    "Next:",
    ...nextSteps(root, document),
    ...(report.needsPackage
      ? [
          "",
          `${WORKFLOW} runs the landfall among this repository's own packages; it has none yet. The guide "Adopt it elsewhere" says how.`,
        ]
      : []),
  ].join("\n");
}

/** Commands to go on with, as they are typed where init was, and what each is for. */
function nextSteps(root: string, document: { path: string; rows: number } | undefined): string[] {
  const there = root === "." ? "" : `--root ${root}`;
  const steps: [name: string, args: string, what: string][] = [
    document
      ? ["import", join(root, document.path), `${document.rows} rows with links look like a tracker kept by hand`]
      : ["add-item", "owner/repo#12", "the first row"],
    ["scan", "", "what is pinned, patched and cited, and has no row"],
    ["sync", "", "look upstream"],
    ["status", "", "where every row stands"],
  ];
  const typed = steps.map(([name, ...rest]) => {
    const args = [rest[0], there].filter((arg) => arg !== "").join(" ");
    return spoken(`npm run ${name}${args === "" ? "" : ` -- ${args}`}`);
  });
  const width = Math.max(...typed.map((line) => line.length));
  return steps.map(([, , what], at) => `  ${typed[at]?.padEnd(width)}  ${what}`);
}
