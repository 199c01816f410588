import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { WORKFLOW, citedRepos, firstRows, handKept, ignoreLines, profileGlobs, workflow } from "../src/import/first-stack.ts";
import type { CitedRepo } from "../src/import/first-stack.ts";
import { load } from "../src/model/load.ts";
import type { InventoryFile } from "../src/model/shapes/observed.ts";
import { scanSettings } from "../src/model/shapes/scan.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { leavesHole } from "../src/model/tree.ts";
import type { TreeFinding } from "../src/model/tree.ts";
import type { PlannedFile } from "../src/publish/files.ts";
import { plural } from "../src/report/words.ts";
import { nothingKnown } from "../src/scan/known.ts";
import { scan } from "../src/scan/scan.ts";
import { ask, canAsk } from "./ask.ts";
import { UserError, cli, print, printJson, progress } from "./cli.ts";
import { writeOrSay } from "./import.ts";
import { initText } from "./init-text.ts";
import type { InitReport } from "./init-text.ts";
import { ownRepo } from "./own-repo.ts";
import { schemasOf } from "./schemas-of.ts";
import { readTree } from "./tree.ts";

const INVENTORY = "data/observed/inventory.json";
/** A repository cited less often is not made an upstream unless somebody says so. */
const OFTEN = 2;

interface Options {
  root: string;
  yes?: boolean;
  repo?: string;
  json?: boolean;
}

export const command = () =>
  cli("init", "Makes a repository a stack: its tracker, its upstreams, a first inventory and a workflow.")
    .option("--yes", "ask nothing, take what was found")
    .option("--repo <owner/name>", "the stack's own repository (default: its GitHub remote)")
    .option("--json", "print JSON; asks nothing")
    .addHelpText(
      "after",
      "\nFiles that exist are left as they are; .gitignore gets the lines it lacks. Exit code: 0 done, 3 unusable folder or arguments.",
    )
    .action(async (options: Options) => {
      const { root } = options;
      if (!existsSync(root) || !statSync(root).isDirectory())
        throw new UserError(`${root} is not a folder. Name the folder of the repository with --root.`);
      const asking = options.yes !== true && options.json !== true;
      if (asking && !canAsk())
        throw new UserError(
          "There is no terminal to ask on. Run npm run init -- --yes to take what is found, with --repo owner/name where git does not tell.",
        );
      const repo = await whichRepo(options, asking);
      const seen = await look(root, repo);
      const answers = asking ? await questions(root, repo, seen.cited) : unasked(root, repo, seen.cited);
      const schemas = schemasOf(root);
      const { name, dependency } = packageOf(root);
      const planned: PlannedFile[] = [
        ...firstRows({ repo, schemas, profiles: seen.profiles, ...answers }),
        ...(seen.stop.length === 0 ? [{ path: INVENTORY, content: sortedJson(seen.inventory) }] : []),
        ...(name === "landfall" ? [] : [{ path: WORKFLOW, content: workflow() }]),
      ];
      const fresh = planned.filter(({ path }) => !existsSync(join(root, path)));
      const ignored = ignoring(root);
      writeOrSay(root, [...fresh, ...ignored]);
      const wrong = load(root).problems.filter(({ level, rule }) => level === "error" && rule !== "empty-stack");
      const report: InitReport = {
        repo,
        written: [...fresh, ...ignored].map(({ path }) => path),
        kept: planned.filter((file) => !fresh.includes(file)).map(({ path }) => path),
        cited: seen.cited,
        upstreams: answers.upstreams,
        handKept: seen.handKept,
        notInventoried: seen.stop.map(({ file, line, message }) => ({ file, line, message })),
        problems: wrong.map(({ file, line, message }) => ({ file, line, message })),
        needsPackage: !dependency && fresh.some(({ path }) => path === WORKFLOW),
      };
      if (options.json) printJson(report);
      else print(initText(root, report));
    });

/** `.gitignore` with the lines it lacks; nothing when it has them. */
function ignoring(root: string): PlannedFile[] {
  const path = join(root, ".gitignore");
  const content = ignoreLines(existsSync(path) ? readFileSync(path, "utf8") : "", existsSync(join(root, "dist")));
  return content === undefined ? [] : [{ path: ".gitignore", content }];
}

/** The repository's own package, if it has one, and whether it installs this tool. */
function packageOf(root: string): { name: string | undefined; dependency: boolean } {
  const path = join(root, "package.json");
  if (!existsSync(path)) return { name: undefined, dependency: false };
  try {
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    return {
      name: typeof name === "string" ? name : undefined,
      dependency: "landfall" in { ...(dependencies ?? {}), ...(devDependencies ?? {}) },
    };
  } catch {
    return { name: undefined, dependency: false };
  }
}

/** The stack's own repository: said, its remote, or asked. */
async function whichRepo({ root, repo }: Options, asking: boolean): Promise<string> {
  const found = repo ?? (await ownRepo(root));
  const answer = asking && repo === undefined ? await ask("The stack's own repository, owner/name?", found) : found;
  if (answer === undefined || !/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(answer)) {
    throw new UserError(
      answer
        ? `"${answer}" is not owner/name.`
        : "git tells no GitHub repository for this folder. Name it: npm run init -- --yes --repo owner/name.",
    );
  }
  return answer;
}

interface Seen {
  inventory: InventoryFile;
  cited: CitedRepo[];
  profiles: string[];
  handKept: { path: string; rows: number }[];
  /** Why the inventory would not be whole; it is then not written. */
  stop: TreeFinding[];
}

async function look(root: string, repo: string): Promise<Seen> {
  progress("Scanning the tree…");
  const settings = scanSettings.parse({});
  const first = await readTree(root, repo, settings);
  const profiles = profileGlobs(first.files);
  const told = profiles.length > 0 ? scanSettings.parse({ profiles: { files: profiles } }) : settings;
  const { inventory, findings } = await scan(first, told, nothingKnown(repo));
  const stop = findings.filter(leavesHole);
  return { inventory, cited: citedRepos(inventory, repo), profiles, handKept: handKept(first.files), stop };
}

interface Answers {
  title: string;
  zone: string;
  include: string[] | undefined;
  upstreams: string[];
}

/** Repositories cited often; in a tree that cites none often, which a small one does not, all of them. */
function often(cited: readonly CitedRepo[]): string[] {
  const some = cited.filter(({ references }) => references >= OFTEN);
  return (some.length > 0 ? some : cited).map(({ repo }) => repo);
}

function unasked(root: string, repo: string, cited: readonly CitedRepo[]): Answers {
  return { title: repo.split("/")[1] ?? basename(resolve(root)), zone: "UTC", include: undefined, upstreams: often(cited) };
}

async function questions(root: string, repo: string, cited: readonly CitedRepo[]): Promise<Answers> {
  const title = await ask("The stack's name?", unasked(root, repo, cited).title);
  const zone = await ask("The time zone in which dates such as `after:` are meant?", "UTC");
  if (zone !== "UTC" && !Intl.supportedValuesOf("timeZone").includes(zone))
    throw new UserError(`"${zone}" is not a time zone; write one such as Europe/Berlin or UTC.`);
  const globs = await ask("Which files hold what you run, as globs with commas between?", "**/*");
  for (const { repo: found, references, files } of cited.slice(0, 20))
    progress(`  ${found}  cited ${references === 1 ? "once" : `${references} times in ${plural(files, "file")}`}`);
  const upstreams = await ask("Which of these are your upstreams, with commas between?", often(cited).join(", "));
  return {
    title,
    zone,
    include: globs === "**/*" ? undefined : list(globs),
    upstreams: list(upstreams).filter((one) => {
      if (/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(one)) return true;
      progress(`"${one}" is not owner/name and is left out.`);
      return false;
    }),
  };
}

const list = (answer: string) => [
  ...new Set(
    answer
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
];
