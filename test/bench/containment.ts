import { gitRunner, mirrorHost } from "../../scripts/git-host.ts";
import { containment } from "../../src/observe/git/contains.ts";
import { openMirror } from "../../src/observe/git/mirror.ts";
import type { Question } from "../../src/observe/git/types.ts";
import type { Plan, Planned } from "../git/repository.ts";
import { temporaryFolder, writeRepository } from "../git/repository.ts";
import type { Figure } from "./figure.ts";
import { figure, median } from "./figure.ts";

const COMMITS = 20_000;
const REFS = 1000;
const PINS = 10;
/** Pairs for which git is asked one by one; all 10,000 would take minutes. */
const SAMPLE = 60;

/**
 * Containment of 1,000 refs in 10 pins on a history of 20,000 commits, with the mirror in place: opening the mirror (one look at
 * the upstream, one read of its history) and all answers. Beside it one `git merge-base --is-ancestor` for each pair of a sample,
 * on the same mirror with its commit-graph, and whether both say the same.
 *
 * @param plan history to measure on; default: a made-up one with release branches and merges
 */
export async function benchContainment(plan: Plan = madeUpHistory()): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  try {
    const shas = Object.values(await writeRepository(`${folder}/upstream.git`, plan));
    const host = mirrorHost(`${folder}/cache`);
    const url = `file://${folder}/upstream.git`;
    await openMirror(host, url);
    const every = (count: number, shift: number) =>
      Array.from({ length: count }, (_, n) => shas[Math.floor(((n + shift) * shas.length) / (count + 1))] ?? "");
    const questions: Question[] = every(PINS, 1).flatMap((inside) => every(REFS, 0.5).map((commit) => ({ commit, inside })));

    const measured = [];
    for (let run = 0; run < 3; run++) {
      const start = performance.now();
      const look = await openMirror(host, url);
      if (look.state !== "seen") throw new Error(`The mirror could not be opened: ${JSON.stringify(look)}`);
      const answers = containment(look.value.graph, questions);
      measured.push({ ms: performance.now() - start, answers, dir: look.value.dir });
    }
    const ours = median(measured.map(({ ms }) => ms));
    const { answers, dir } = measured[0] ?? { answers: [], dir: "" };

    const git = gitRunner();
    const sample = answers.filter((_, n) => n % Math.floor(answers.length / SAMPLE) === 0);
    let different = 0;
    const before = performance.now();
    for (const { commit, inside, answer } of sample) {
      const { code } = await git([`--git-dir=${dir}`, "merge-base", "--is-ancestor", commit, inside]);
      if (answer !== (code === 0 ? "yes" : code === 1 ? "no" : "failure")) different++;
    }
    const theirs = ((performance.now() - before) / sample.length) * questions.length;
    return [
      figure(`containment of ${REFS} refs in ${PINS} pins, ${shas.length} commits`, ours, "ms", { atMost: 1000 }),
      figure("times faster than git merge-base for each pair", theirs / ours, "x", { atLeast: 20 }),
      figure(`answers that differ from git's, of ${sample.length}`, different, "answers", { atMost: 0 }),
    ];
  } finally {
    await remove();
  }
}

/** A main branch with a short side branch merged now and then, and a release branch of 20 commits every 2,000. */
export function madeUpHistory(count = COMMITS): Plan {
  const commits: Planned[] = [];
  const branches: Record<string, string> = {};
  const tags: Record<string, string> = {};
  let main: string | undefined;
  const add = (parents: readonly (string | undefined)[]): string => {
    const id = `c${commits.length}`;
    commits.push({
      id,
      parents: parents.filter((parent) => parent !== undefined),
      message: `Change ${commits.length} (#${commits.length})`,
    });
    return id;
  };
  while (commits.length < count) {
    const n = commits.length;
    if (main !== undefined && n % 50 === 49) {
      const side = add([add([main])]);
      main = add([add([main]), side]);
    } else {
      main = add([main]);
    }
    if (n % 2000 === 1000) {
      let tip = main;
      for (let pick = 0; pick < 20; pick++) tip = add([tip]);
      const release = Object.keys(tags).length + 1;
      branches[`release/${release}`] = tip;
      tags[`v${release}`] = tip;
    }
  }
  return { commits, branches: { ...branches, main: main ?? "" }, tags };
}
