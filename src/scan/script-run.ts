import type { Context, ImageUse, Invocation, PinUse, Start } from "./found.ts";
import { interpolate } from "./interpolate.ts";
import { isRevision } from "./packages.ts";
import type { Word } from "./shell.ts";

/** Where a script stands, and which of the files it runs belong to the stack. */
export interface Script {
  file: string;
  service: string;
  /** Is the script or module that is run here part of the stack, such as a patch? */
  isOurs: (path: string, module: boolean) => boolean;
}

/** A script while it is read: its variables, and what it was found to do so far. */
export interface Run extends Script {
  context: Context;
  variables: Map<string, Word>;
  /** Repositories cloned so far, by folder; the last one is what a bare `git checkout` means. */
  clones: { kind: "git" | "hf"; name: string; folder: string }[];
  images: ImageUse[];
  pins: PinUse[];
  invocations: Invocation[];
  starts: Start[];
}

/** What a script does, as far as it matters here. */
export type Doings = Pick<Run, "images" | "pins" | "invocations" | "starts" | "variables">;

/** A word with its variables put in; its line is that of the literal it comes from. */
export function expand(run: Run, word: Word): Word {
  if (!word.text.includes("$")) return word;
  let line = word.line;
  const { text } = interpolate(word.text.replace(/(\$\{\w+):=/g, "$1:-").replace(/(\$\{\w+)=/g, "$1-"), (name) => {
    const known = run.variables.get(name);
    if (known) line = known.line;
    return known?.text;
  });
  return { text, line };
}

export function addPin(run: Run, pin: Pick<PinUse, "kind" | "name" | "value">, line: number) {
  if (!run.pins.some((known) => known.kind === pin.kind && known.name === pin.name && known.value === pin.value && known.line === line))
    run.pins.push({ ...pin, file: run.file, line });
}

export function addRevision(run: Run, model: Word, revision: Word) {
  const value = expand(run, revision);
  if (isRevision(value.text)) addPin(run, { kind: "hf", name: expand(run, model).text, value: value.text }, value.line);
}

export function addInvocation(run: Run, path: string, line: number) {
  if (!run.invocations.some((known) => known.path === path && known.line === line))
    run.invocations.push({ path, service: run.service, file: run.file, line });
}

/** `--name value` or `--name=value`. */
export function optionValue(words: Word[], names: string[]): Word | undefined {
  for (const [index, word] of words.entries()) {
    if (names.includes(word.text)) return words[index + 1];
    const name = names.find((known) => word.text.startsWith(`${known}=`));
    if (name !== undefined) return { text: word.text.slice(name.length + 1), line: word.line };
  }
  return undefined;
}
