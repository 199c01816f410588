import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import type { Problem } from "./problem.ts";
import { pathText } from "./problem.ts";
import { asOfFile, containmentFile, githubFile, gitFile, inventoryFile, registryFile, transition } from "./shapes/observed.ts";
import type { Observed, Transition } from "./shapes/observed.ts";
import { survivalFile } from "./shapes/survival.ts";
import { NEVER_OBSERVED } from "./vocabulary.ts";

const FOLDER = "data/observed";

/** Reads `data/observed/`. A file that does not fit its shape is a problem and is left out: its facts read as unknown. */
export function readObserved(root: string, problems: Problem[]): Observed {
  const read = <T>(file: string, shape: z.ZodType<T>): T | undefined => {
    const full = join(root, file);
    if (!existsSync(full)) return undefined;
    return check(file, readFileSync(full, "utf8"), shape, problems);
  };
  const folder = <T>(name: string, shape: z.ZodType<T>): Record<string, T> => {
    const found: Record<string, T> = {};
    for (const file of jsonFiles(join(root, FOLDER, name))) {
      const value = read(`${FOLDER}/${name}/${file}`, shape);
      if (value !== undefined) found[file.replace(/\.json$/, "")] = value;
    }
    return found;
  };
  const byRepo = <T>(files: Record<string, T>, nameOf: (file: T) => string) =>
    Object.fromEntries(Object.values(files).map((file) => [nameOf(file), file]));

  return {
    asOf: read(`${FOLDER}/as-of.json`, asOfFile)?.asOf ?? NEVER_OBSERVED,
    github: byRepo(folder("github", githubFile), (file) => file.repository.name),
    git: byRepo(folder("git", gitFile), (file) => file.repository),
    containment: read(`${FOLDER}/containment.json`, containmentFile) ?? {},
    registry: Object.assign({}, ...Object.values(folder("registry", registryFile))),
    inventory: read(`${FOLDER}/inventory.json`, inventoryFile),
    survival: read(`${FOLDER}/survival.json`, survivalFile),
    transitions: readTransitions(root, problems),
  };
}

function check<T>(file: string, text: string, shape: z.ZodType<T>, problems: Problem[], line = 1): T | undefined {
  const say = (rule: string, path: Problem["path"], message: string) =>
    problems.push({ file, line, column: 1, level: "error", rule, path, message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    say(
      "observed-json",
      [],
      `The file is not JSON (${error instanceof Error ? error.message : String(error)}). Restore it from git, or run npm run sync.`,
    );
    return undefined;
  }
  const outcome = shape.safeParse(value);
  if (outcome.success) return outcome.data;
  for (const issue of outcome.error.issues.slice(0, 5)) {
    const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
    say(
      "observed-shape",
      path,
      `${pathText(path) || "The file"} does not fit: ${issue.message}. Observed files are written by sync and scan; restore it from git.`,
    );
  }
  return undefined;
}

function jsonFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function readTransitions(root: string, problems: Problem[]): Transition[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^transitions-\d{4}\.jsonl$/.test(name))
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .flatMap((line, index) => {
          if (line === "") return [];
          const value = check(`${FOLDER}/${name}`, line, transition, problems, index + 1);
          return value === undefined ? [] : [value];
        }),
    );
}
