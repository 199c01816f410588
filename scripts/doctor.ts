import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { namedThreads, questionsOf } from "../src/derive/questions.ts";
import type { Model } from "../src/model/kinds.ts";
import type { Observed } from "../src/model/shapes/observed.ts";
import { cloneUrl } from "../src/observe/git/url.ts";
import { githubClient } from "../src/observe/github/client.ts";
import { newBudget } from "../src/observe/github/budget.ts";
import { siteOf, upstreamAccess } from "../src/observe/github/endpoint.ts";
import type { Samples } from "../src/observe/github/examine.ts";
import { examine } from "../src/observe/github/examine.ts";
import { proxyProblem } from "../src/observe/github/proxy.ts";
import { threadOf } from "../src/observe/threads.ts";
import { paint } from "../src/report/paint.ts";
import type { DoctorCheck } from "../src/report/terminal/doctor.ts";
import { doctorText } from "../src/report/terminal/doctor.ts";
import { EXIT, cli, print, progress } from "./cli.ts";
import { gitRunner } from "./git-host.ts";
import { outside } from "./outside.ts";
import { loadStack } from "./stack.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const command = () =>
  cli("doctor", "Tries, online, everything that sync needs: the machine, the token, the budget, one request of each kind.")
    .option("--json", "print JSON")
    .option("--offline", "look at the machine alone")
    .addHelpText("after", "\nExit code: 0 everything works, 1 something will not work, 2 something could not be told, 3 unusable input.")
    .action(async (options: { root: string; json?: boolean; offline?: boolean }) => {
      const { hide } = outside({ root: options.root, offline: true, say: progress });
      const checks = await diagnose(options.root, options.offline === true, process.env);
      const text = options.json
        ? JSON.stringify({ checks, exitCode: exitOf(checks) }, undefined, 2)
        : doctorText(checks, paint(process.stdout.isTTY && !process.env.NO_COLOR));
      print(hide(text));
      process.exitCode = exitOf(checks);
    });

const exitOf = (checks: readonly DoctorCheck[]): number =>
  checks.some(({ verdict }) => verdict === "wrong")
    ? EXIT.problems
    : checks.some(({ verdict }) => verdict === "unsure")
      ? EXIT.unsure
      : EXIT.fine;

/** Everything that was tried. Reads the stack for things to try with; changes nothing. */
export async function diagnose(root: string, offline: boolean, env: Env): Promise<DoctorCheck[]> {
  const { model, observed } = await loadStack(root, undefined, ({ rule }) => rule === "empty-stack");
  const checks = await machine(root, env);
  if (offline) return checks;
  const access = upstreamAccess(env);
  const now = () => new Date();
  const client = githubClient({ fetch, now, token: access.token, api: access.api, budget: newBudget(), say: progress });
  checks.push({
    area: "GitHub",
    name: "address",
    verdict: "fine",
    text: `${access.api}, ${access.token ? `token from ${access.from}` : `without a token${access.from ? ` (${access.from})` : ""}`}.`,
  });
  checks.push(...(await examine(client, samplesOf(model, observed), now())).map((check) => ({ area: "GitHub" as const, ...check })));
  checks.push(...(await histories(model, observed, env)));
  checks.push(...(await registries(root, model, observed, env)));
  return checks;
}

async function machine(root: string, env: Env): Promise<DoctorCheck[]> {
  const check = (name: string, verdict: DoctorCheck["verdict"], text: string): DoctorCheck => ({ area: "machine", name, verdict, text });
  const git = await gitRunner()(["--version"]);
  const version = git.stdout.trim().replace(/^git version /, "");
  const proxy = proxyProblem(env, process.execArgv);
  const authority = env.NODE_EXTRA_CA_CERTS;
  return [
    check("Node", "fine", `${process.versions.node} on ${process.platform} ${process.arch}.`),
    git.code === 0
      ? check("git", "fine", `${version}.`)
      : check(
          "git",
          "note",
          "Not installed: containment is asked of GitHub pair by pair, and tags, reverts and cherry-picks are not looked for.",
        ),
    ...(proxy === undefined ? [] : [check("proxy", "wrong", proxy)]),
    ...(authority === undefined
      ? []
      : [
          check(
            "certificates",
            existsSync(authority) ? "fine" : "wrong",
            existsSync(authority) ? `Also trusting ${authority}.` : `NODE_EXTRA_CA_CERTS names ${authority}, which is not there.`,
          ),
        ]),
    check(
      "cache",
      writable(join(root, ".landfall")) ? "fine" : "wrong",
      writable(join(root, ".landfall")) ? ".landfall/ can be written." : ".landfall/ cannot be written: every run clones anew.",
    ),
  ];
}

function writable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Threads and commits of the stack to try with: those of the upstream it names most. */
export function samplesOf(model: Model, observed: Observed): Samples {
  const named = namedThreads(model);
  const kindOf = (ref: string) => threadOf(observed, ref)?.kind ?? named.find((one) => one.ref === ref)?.kind;
  const repos = new Map<string, number>();
  for (const { ref } of named) repos.set(ref.split("#")[0] ?? "", (repos.get(ref.split("#")[0] ?? "") ?? 0) + 1);
  const repo = [...repos].sort((a, b) => b[1] - a[1])[0]?.[0];
  const own = named.filter(({ ref }) => ref.startsWith(`${repo}#`));
  const merged = own.map(({ ref }) => threadOf(observed, ref)?.mergeCommit).filter((sha) => sha !== undefined);
  const [first, second] = [merged[0], merged[1] ?? merged[0]];
  return {
    refs: [...own, ...named.filter((one) => !own.includes(one))].map(({ ref }) => ({ ref, discussion: kindOf(ref) === "discussion" })),
    issue: own.find(({ ref }) => kindOf(ref) === "issue")?.ref,
    pull: own.find(({ ref }) => kindOf(ref) === "pull-request")?.ref,
    repo,
    commits: first !== undefined && second !== undefined ? [first, second] : undefined,
  };
}

async function histories(model: Model, observed: Observed, env: Env): Promise<DoctorCheck[]> {
  const first = questionsOf(model, observed).histories[0];
  if (!first) return [];
  const url = first.url ?? cloneUrl(first.repo, env.LANDFALL_GIT_URL ?? siteOf(upstreamAccess(env).api));
  const git = gitRunner();
  if ((await git(["--version"])).code !== 0) return [];
  const answer = await git(["ls-remote", "--heads", url], { timeoutMs: 30_000 });
  const heads = answer.stdout.trim().split("\n").length;
  return [
    answer.code === 0
      ? { area: "git", name: first.repo, verdict: "fine", text: `${heads} ${heads === 1 ? "branch" : "branches"} at ${url}.` }
      : {
          area: "git",
          name: first.repo,
          verdict: "wrong",
          text: `${url} cannot be read: ${answer.stderr.trim().split("\n").at(-1) ?? "no reason given"}`,
        },
  ];
}

/** One artifact of each registry that the stack uses. */
async function registries(root: string, model: Model, observed: Observed, env: Env): Promise<DoctorCheck[]> {
  const { artifact } = await outside({ root, offline: false, say: progress }, env).sources(model, observed);
  const firsts = new Map(questionsOf(model, observed).artifacts.map((question) => [question.key.split(":")[0] ?? "", question]));
  const checks: DoctorCheck[] = [];
  for (const [scheme, question] of firsts) {
    const look = await artifact?.({ ...question, known: undefined, etag: undefined });
    if (!look) continue;
    const failed = look.state === "failed";
    checks.push({
      area: "registries",
      name: scheme,
      verdict: failed ? "unsure" : "fine",
      text: failed ? look.why : look.state === "gone" ? `answers; ${look.why}.` : `${question.key} read from ${look.source}.`,
    });
  }
  return checks;
}
