import { fileURLToPath } from "node:url";
import type { Derived } from "../src/derive/derive.ts";
import { derive } from "../src/derive/derive.ts";
import type { Model } from "../src/model/kinds.ts";
import { load } from "../src/model/load.ts";
import type { GithubFile, Observed, Thread } from "../src/model/shapes/observed.ts";

/** This repository's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

const loaded = load(ROOT);

/** The real stack on the recorded facts. Do not change it; take {@link copyOf}. */
export const real: { model: Model; observed: Observed; derived: Derived } = {
  model: loaded.model,
  observed: loaded.observed,
  derived: derive(loaded.model, loaded.observed),
};

/** A deep copy of the authored rows and the observed facts, to be changed at will. */
export const copyOf = () => structuredClone({ model: real.model, observed: real.observed });

/** The recorded thread of a reference, to be changed in place. */
export function threadIn(observed: Observed, ref: string): Thread {
  const { file, number } = placeOf(observed, ref);
  const thread = file.threads[number];
  if (!thread) throw new Error(`${ref} was never observed`);
  return thread;
}

/** Sets fields of a thread; makes the file and the thread when they are not there. */
export function setThread(observed: Observed, ref: string, change: Partial<Thread>): void {
  const { file, number } = placeOf(observed, ref);
  const before = file.threads[number] ?? { kind: "issue", title: ref, state: "open", source: "supposed", asOf: null };
  file.threads[number] = { ...before, ...change };
}

function placeOf(observed: Observed, ref: string): { file: GithubFile; number: string } {
  const [repo = "", number = ""] = ref.split("#");
  const file = observed.github[repo] ?? { repository: { name: repo, source: "supposed", asOf: null }, threads: {} };
  observed.github[repo] = file;
  return { file, number };
}
