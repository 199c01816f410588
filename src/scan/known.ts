import type { Model } from "../model/kinds.ts";
import { fileOf } from "../model/paths.ts";
import { namesOf, noNames } from "./names.ts";
import type { Known } from "./context.ts";

/** What the rows teach a scan: names of repositories, variables and commits of pins, flags of patches. */
export function knownOf(model: Model): Known {
  const pinOfEnv: [string, { kind: "git" | "pypi" | "npm" | "hf"; name: string; value: string; row: string }][] = [];
  const commits: { name: string; commit: string; written: string[] }[] = [];
  for (const [id, { artifact, env, retired, written }] of Object.entries(model.pin)) {
    const match = /^(git|pypi|npm|hf):(.+)@([^@]+)$/.exec(artifact);
    if (!match || retired) continue;
    const [, kind, name = "", value = ""] = match;
    if (env !== undefined) pinOfEnv.push([env, { kind: kind as "git", name, value, row: fileOf("pin", id) }]);
    if (kind === "git" && /^[0-9a-f]{7,40}$/.test(value)) commits.push({ name, commit: value, written: written.map(({ file }) => file) });
  }
  const flags = Object.values(model.patch).flatMap(({ env }) => env.map((flag) => flag.split("=")[0] ?? flag));
  return { names: namesOf(model), pinOfEnv: new Map(pinOfEnv), commits, flags: new Set(flags) };
}

/** A tree without any rows yet. */
export const nothingKnown = (own: string): Known => ({ names: noNames(own), pinOfEnv: new Map(), commits: [], flags: new Set() });
