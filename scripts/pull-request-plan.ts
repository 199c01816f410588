import { derive } from "../src/derive/derive.ts";
import type { Derived } from "../src/derive/derive.ts";
import { pressing } from "../src/derive/news.ts";
import { outlineOf, transitionsBetween } from "../src/derive/transitions.ts";
import { load } from "../src/model/load.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import type { Observed } from "../src/model/shapes/observed.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import { observedFiles } from "../src/observe/files.ts";
import { mergeObserved } from "../src/observe/merge.ts";
import type { PlannedFile } from "../src/publish/files.ts";
import { writeFiles } from "../src/publish/files.ts";
import type { Plan, Stacks } from "../src/publish/pull-request/types.ts";
import { Refused } from "../src/publish/pull-request/types.ts";
import { renderPages } from "../src/report/pages/pages.ts";
import type { News } from "../src/report/pull-request/body.ts";
import { pullRequestBody } from "../src/report/pull-request/body.ts";
import { commitMessage, pullRequestTitle } from "../src/report/pull-request/title.ts";
import { dataFiles, withCopy } from "./stack-copy.ts";
import { transitionLogs } from "./transition-logs.ts";

/** What the pull request holds: the facts of all sides, and the pages of the stack as people have it on the branch. */
export function planner(root: string, failed: News["failed"]): (stacks: Stacks) => Plan {
  const local = load(root).observed;
  return ({ base, head, proposed, news }) => {
    const before = withCopy(root, base, readable);
    const others = [before?.observed, withCopy(root, proposed, readable)?.observed].filter((one) => one !== undefined);
    return withCopy(root, head, (copy) => {
      const { model, observed } = sound(load(copy));
      const known = joined(observed, others);
      const facts = news ? settle(model, known, joined(known, [local]), local.asOf) : known;
      writeFiles(copy, factFiles(observed, facts));
      const loaded = sound(load(copy));
      const after = derive(loaded.model, loaded.observed);
      const past = before && derive(before.model, before.observed);
      return planOf(past, after, failed, [
        ...dataFiles(copy)
          .filter(({ path }) => path.startsWith("data/observed/"))
          .map(({ path, content }) => ({ path, content: content.toString("utf8") })),
        ...renderPages(after),
      ]);
    });
  };
}

function planOf(before: Derived | undefined, after: Derived, failed: News["failed"], files: PlannedFile[]): Plan {
  const news: News = { before, after, transitions: before ? transitionsBetween(before, after) : [], failed };
  return {
    files,
    title: pullRequestTitle(news),
    body: pullRequestBody(news),
    identity: pullRequestBody({ ...news, failed: [] }),
    message: commitMessage(news),
    ...pressing(before, after, news.transitions),
  };
}

/** Observed facts of several sides, where none is the others' starting point. */
const joined = (first: Observed, more: readonly Observed[]): Observed =>
  mergeObserved({ ...first, github: {}, git: {}, containment: {}, registry: {}, transitions: [] }, [first, ...more]);

/** The moment everything is derived as of: the new one when facts changed, or when time alone changed what is derived. */
function settle(model: Loaded["model"], known: Observed, all: Observed, localAsOf: string): Observed {
  const asOf = Date.parse(localAsOf) > Date.parse(known.asOf) ? localAsOf : known.asOf;
  const changed = observedFiles(known, all).length > 0;
  const aged = !changed && outlineOf(derive(model, { ...all, asOf })) !== outlineOf(derive(model, { ...all, asOf: known.asOf }));
  return { ...all, asOf: changed || aged ? asOf : known.asOf };
}

/** The files of a copy that say something else than the facts. */
function factFiles(written: Observed, facts: Observed): PlannedFile[] {
  return [
    ...transitionLogs(written.transitions, facts.transitions),
    ...observedFiles(written, facts),
    ...(written.asOf === facts.asOf ? [] : [{ path: "data/observed/as-of.json", content: sortedJson({ asOf: facts.asOf }) }]),
  ];
}

/** @throws {Refused} when the rows on the branch have errors: an answer that leaves one out would be wrong */
function sound(loaded: Loaded): Loaded {
  const [first] = loaded.problems.filter(({ level }) => level === "error");
  if (!first) return loaded;
  throw new Refused(
    `The rows on the branch have an error, so nothing was rendered: ${first.file}:${first.line} ${first.message} Mend it on the branch; the next run goes on.`,
  );
}

/** A side whose data cannot be read says nothing. */
function readable(copy: string): Loaded | undefined {
  try {
    return load(copy);
  } catch {
    return undefined;
  }
}
