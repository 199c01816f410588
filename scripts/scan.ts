import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { derive } from "../src/derive/derive.ts";
import { compareReferences, compareTree } from "../src/derive/tree/compare.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import type { Path, Problem } from "../src/model/problem.ts";
import type { InventoryFile } from "../src/model/shapes/observed.ts";
import type { ScanSettings } from "../src/model/shapes/scan.ts";
import { leavesHole } from "../src/model/tree.ts";
import type { TreeFinding, TreeRule, TreeScan } from "../src/model/tree.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { writeFiles } from "../src/publish/files.ts";
import { paint } from "../src/report/paint.ts";
import { scanReport } from "../src/report/scan.ts";
import { scanText } from "../src/report/terminal/scan.ts";
import { matcher } from "../src/scan/globs.ts";
import { knownOf, nothingKnown } from "../src/scan/known.ts";
import { scan } from "../src/scan/scan.ts";
import { lineFinder } from "../src/scan/yaml-nodes.ts";
import { EXIT, UserError, cli, print, printJson, progress } from "./cli.ts";
import { loadStack } from "./stack.ts";
import { readTree } from "./tree.ts";

const INVENTORY = "data/observed/inventory.json";
const TRACKER = "data/tracker.yaml";

interface Options {
  root: string;
  json?: boolean;
  notices?: boolean;
  fix?: boolean;
  refs?: boolean;
}

export const command = () =>
  cli("scan", "Finds everything pinned, patched or cited in the stack's own tree, and compares it with data/.")
    .argument("[tree]", "the folder to scan; scan.tree of data/tracker.yaml when absent")
    .option("--fix", `write what was found to ${INVENTORY}; nothing that people write is touched`)
    .option("--refs", "judge only the references that comments and documents cite: closed, landed or without a row fails")
    .option("--json", "print JSON")
    .option("--notices", "also list notices, which inform and never fail")
    .addHelpText("after", "\nExit code: 0 no findings of level error, 1 findings of level error, 3 unusable folder or arguments.")
    .action(async (tree: string | undefined, options: Options) => {
      const loaded = await rowsOf(options);
      const settings = await settingsOf(loaded);
      const folder = tree ?? join(options.root, settings.tree);
      if (tree === undefined && loaded && !existsSync(folder)) {
        throw new UserError(
          `The stack's tree ${settings.tree} does not exist (scan.tree in data/tracker.yaml). Clone ${loaded.model.tracker.repo} there, or name a folder: npm run scan -- FOLDER.`,
        );
      }
      const { found, seen } = await look(folder, loaded, settings);
      const findings = options.refs
        ? judgeReferences(loaded, found, settings)
        : [...seen, ...compare(options.root, loaded, found, settings)];
      const notChecked = loaded ? [] : [`the comparison with rows (there is no ${TRACKER} yet)`];
      const report = scanReport(found.inventory, findings, notChecked);
      if (options.fix) fix(options.root, found, report.findings);
      if (options.json) printJson(report);
      else {
        const show = { images: !options.refs, notices: options.notices === true };
        print(scanText(report, show, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      }
      process.exitCode = report.exitCode === 0 ? EXIT.fine : EXIT.problems;
    });

/** The rows, or undefined where there are none yet: a tree can be looked at before anything is written. */
async function rowsOf({ root, refs, fix }: Options): Promise<Loaded | undefined> {
  if (existsSync(join(root, TRACKER))) return loadStack(root, undefined, mended);
  // A folder that may not be read hides its tracker, which is not the same as having none.
  if (existsSync(join(root, "data"))) readdirSync(join(root, "data"));
  if (refs || fix) {
    const what = refs ? "there are no rows to judge references by" : "there is nowhere to write the inventory";
    throw new UserError(`${resolve(root)} has no ${TRACKER}, so ${what}. Run npm run init, or name the folder with --root.`);
  }
  progress(`There is no ${TRACKER} yet: the tree is scanned, and compared with nothing.`);
  return undefined;
}

/** What a scan is there to mend stops no scan: the inventory's own errors, and a stack that has no rows yet. */
const mended = ({ file, rule }: Problem) => file === INVENTORY || rule === "empty-stack";

/** The settings of the stack with their defaults, which only the schema knows. */
async function settingsOf(loaded: Loaded | undefined): Promise<ScanSettings> {
  if (loaded?.model.tracker.scan) return loaded.model.tracker.scan;
  const { scanSettings } = await import("../src/model/shapes/scan.ts");
  return scanSettings.parse({});
}

async function look(folder: string, loaded: Loaded | undefined, settings: ScanSettings): Promise<{ found: TreeScan; seen: TreeFinding[] }> {
  const repo = loaded?.model.tracker.repo ?? `local/${basename(resolve(folder)).replace(/[^A-Za-z0-9._-]/g, "-")}`;
  const tree = await readTree(folder, repo, settings);
  const found = await scan(tree, settings, loaded ? knownOf(loaded.model) : nothingKnown(repo));
  return { found, seen: found.findings };
}

const pathTests = (settings: ScanSettings) => ({
  isSide: matcher(settings.side),
  skip: matcher([...settings.history, ...settings.references.skip]),
});
const withInventory = (loaded: Loaded, inventory: InventoryFile) => derive(loaded.model, { ...loaded.observed, inventory });

function compare(root: string, loaded: Loaded | undefined, found: TreeScan, settings: ScanSettings): TreeFinding[] {
  if (!loaded) return [];
  const { tree, rows } = compareTree(withInventory(loaded, found.inventory), found, settings, pathTests(settings));
  return [...tree, ...placed(root, rows)];
}

function judgeReferences(loaded: Loaded | undefined, found: TreeScan, settings: ScanSettings): TreeFinding[] {
  if (!loaded) return [];
  const empty = found.findings.filter((one) => leavesHole(one) && one.rule !== "syntax");
  return [...empty, ...compareReferences(withInventory(loaded, found.inventory), found, settings, pathTests(settings)).tree];
}

/** Findings in rows, at the line of the value they speak of, or of its nearest parent. */
function placed(root: string, rows: ReturnType<typeof compareTree>["rows"]): TreeFinding[] {
  const files = new Map<string, (path: Path) => number>();
  return rows.map(({ rule, level, file, path, message }) => {
    const lineOf = files.get(file) ?? lineFinder(readFileSync(join(root, file), "utf8"));
    files.set(file, lineOf);
    return { rule: rule as TreeRule, level, file, line: lineOf(path), message };
  });
}

/**
 * Writes the inventory when all of the tree could be read. A tree of which a part is unknown must not replace a good inventory:
 * what was not read would look as if it were not used.
 */
function fix(root: string, { inventory }: TreeScan, findings: readonly TreeFinding[]): void {
  const stop = findings.filter(leavesHole);
  if (stop[0]) {
    progress(
      `${INVENTORY} was left as it is: ${stop[0].file}:${stop[0].line} ${stop[0].message}${stop.length > 1 ? ` (and ${stop.length - 1} more)` : ""}`,
    );
    return;
  }
  const content = sortedJson(inventory);
  const full = join(root, INVENTORY);
  if (existsSync(full) && readFileSync(full, "utf8") === content) {
    progress(`${INVENTORY} is up to date.`);
    return;
  }
  writeFiles(root, [{ path: INVENTORY, content }]);
  progress(`Wrote ${INVENTORY}. Look at the change, and commit it.`);
}
