import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GitAnswers } from "../../src/observe/git/types.ts";
import { readHistory } from "./real-history.ts";
import type { Plan } from "./repository.ts";
import type { Stand } from "./stand.ts";
import { stand, verdict } from "./stand.ts";

/** Recorded histories and what was found out about them by other means; a checkout has them only where they are laid beside it. */
const facts = new URL("../../../shared/facts/", import.meta.url);
const REPOSITORY = "vllm-project/vllm";

interface Fact {
  ref: string;
  merged?: boolean;
  mergeCommit?: string;
  containedIn?: string[];
  notContainedIn?: string[];
}

const rows = (name: string): string[][] =>
  readFileSync(new URL(name, facts), "utf8")
    .split("\n")
    .filter((row) => row !== "" && !row.startsWith("#"))
    .map((row) => row.split("\t"));

/** The named builds of the facts, such as "v0.24.0 (branch …, inferred)", as commits. */
function buildCommit(plan: Plan, name: string): string | undefined {
  const short = (name.split(/[ @]/)[0] ?? "").replace(/^nightly-(\w{8}).*/, "nightly-$1");
  const all = { ...plan.branches, ...plan.tags };
  return all[`releases/${short}`] ?? all[short] ?? Object.entries(all).find(([known]) => known.startsWith(short))?.[1];
}

describe.skipIf(!existsSync(facts))("the real history of vLLM", () => {
  let world: Stand;
  let plan: Plan;
  const tracked: Fact[] = existsSync(facts)
    ? (JSON.parse(readFileSync(new URL("facts.json", facts), "utf8")) as Fact[]).filter(
        (fact) => fact.merged && fact.ref.startsWith(`${REPOSITORY}#`),
      )
    : [];
  const ask = (commits: readonly string[], targets: readonly string[]): Promise<GitAnswers> =>
    world.ask({
      names: [REPOSITORY],
      versions: "pep440",
      releaseBranches: ["releases/*"],
      commits: commits.map((sha) => world.at[sha] ?? sha),
      targets: targets.map((sha) => world.at[sha] ?? sha),
    });

  beforeAll(async () => {
    plan = readHistory(facts, REPOSITORY);
    world = await stand(plan);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  it("all tracked merged pull requests are in the named builds that the facts say, and in no other", async () => {
    const names = [...new Set(tracked.flatMap((fact) => [...(fact.containedIn ?? []), ...(fact.notContainedIn ?? [])]))];
    const builds = new Map(names.map((name) => [name, buildCommit(plan, name) ?? ""]));
    const answers = await ask(
      tracked.map((fact) => fact.mergeCommit ?? ""),
      [...builds.values()],
    );
    const judged = tracked.flatMap((fact) =>
      [...(fact.containedIn ?? []).map((name) => [name, "yes"]), ...(fact.notContainedIn ?? []).map((name) => [name, "no"])].map(
        ([name = "", expected]) => {
          const inside = builds.get(name) ?? "";
          const answer = verdict(world, answers, fact.mergeCommit ?? "", inside);
          const picked = answers.picks.some(
            (pick) => pick.of === world.at[fact.mergeCommit ?? ""] && isIn(answers, pick.commit, world.at[inside] ?? ""),
          );
          return { pair: `${fact.ref} in ${name}`, expected, answer: answer === "no" && picked ? "yes" : answer };
        },
      ),
    );
    expect(tracked.length).toBeGreaterThan(20);
    expect(judged.length).toBe(tracked.length * names.length);
    expect(judged.filter(({ expected, answer }) => expected !== answer)).toEqual([]);
  });

  it("A16 A18 every revert on main that names its change is found, with what it really takes back", async () => {
    const known = rows("vllm-reverts.tsv").filter(([, , , , of = ""]) => of !== "");
    const answers = await ask(
      known.map(([, , , , of = ""]) => of),
      [],
    );
    const found = answers.reverts.map(({ commit, of }) => `${commit} of ${of}`);
    const missed = known.filter(([revert = "", , , , of = ""]) => !found.includes(`${world.at[revert]} of ${world.at[of]}`));
    expect(known.length).toBeGreaterThan(40);
    // By number: a return to an older comparison that names where it came from; a revert of a second try; a revert of a revert.
    expect(missed.map(([, , pull]) => pull).sort()).toEqual(["29086", "29121", "29179"]);
    const commitOf = (pull: number) => world.at[plan.commits.find(({ message }) => message?.endsWith(`(#${pull})`))?.id ?? ""];
    expect(answers.reverts).toContainEqual(expect.objectContaining({ commit: commitOf(29121), of: commitOf(28771) }));
    expect(answers.reverts).toContainEqual(
      expect.objectContaining({ commit: commitOf(29159), of: commitOf(28875), relandedBy: commitOf(29179) }),
    );
  });

  it("B07 every commit of a release branch with a twin on main is found as its pick", async () => {
    const known = rows("vllm-release-picks.tsv").filter(([, , pick = "", , , main = ""]) => main !== "" && world.at[pick] !== undefined);
    const answers = await ask(
      known.map(([, , , , , main = ""]) => main),
      [],
    );
    const found = answers.picks.map(({ commit, of }) => `${commit} of ${of}`);
    expect(known.length).toBeGreaterThan(50);
    expect(
      known.map(([, , pick = "", , , main = ""]) => `${world.at[pick]} of ${world.at[main]}`).filter((pair) => !found.includes(pair)),
    ).toEqual([]);
  });

  it("a date proves nothing: merged hours before a release and not in it, in it as a pick alone, in a nightly before its revert", async () => {
    const byPull = (pull: number) =>
      plan.commits.find(({ message }) => message?.endsWith(`(#${pull})`) && !message.startsWith("Revert"))?.id ?? "";
    const nightly = buildCommit(plan, "nightly-1acd67a795") ?? "";
    const release = buildCommit(plan, "v0.20.0") ?? "";
    const answers = await ask([byPull(40941), byPull(40950), byPull(39917)], [nightly, release]);
    expect(verdict(world, answers, byPull(40941), release)).toBe("no");
    expect(answers.picks.some(({ of }) => of === world.at[byPull(40941)])).toBe(false);
    const pick = answers.picks.find(({ of }) => of === world.at[byPull(40950)]);
    expect(isIn(answers, pick?.commit ?? "", world.at[release] ?? "")).toBe(true);
    const revert = answers.reverts.find(({ of }) => of === world.at[byPull(39917)]);
    expect(verdict(world, answers, byPull(39917), nightly)).toBe("yes");
    expect(isIn(answers, revert?.commit ?? "", world.at[nightly] ?? "")).toBe(false);
  });
});

function isIn(answers: GitAnswers, commit: string, inside: string): boolean {
  return answers.containment.some((pair) => pair.commit === commit && pair.inside === inside && pair.answer === "yes");
}
