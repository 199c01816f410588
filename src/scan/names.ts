import type { Model } from "../model/kinds.ts";
import { parseRef } from "../model/ref.ts";

/** How a comment may name a repository, and which numbers are known to be whose. */
export interface Names {
  /** The stack's own repository; a bare `#12` on GitHub means an issue there. */
  own: string;
  /** Lower-case alias, repository, repository name or owner -> repository. */
  repos: ReadonlyMap<string, string>;
  /** Upstream repositories by every reference number that the rows name. */
  numbers: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Names without any rows: only the stack's own repository. */
export const noNames = (own: string): Names => ({ own, repos: new Map([[own.toLowerCase(), own]]), numbers: new Map() });

/** Collects aliases and known numbers of every upstream, so that `vllm#40361`, `ggml-org#24528` and a bare `#40361` can be read. */
export function namesOf(model: Model): Names {
  const own = model.tracker.repo;
  const repos = new Map<string, string>();
  const owners = new Map<string, Set<string>>();
  const add = (name: string, repo: string) => {
    if (!repos.has(name.toLowerCase())) repos.set(name.toLowerCase(), repo);
  };
  add(own, own);
  add(own.split("/")[1] ?? own, own);
  const upstreams = Object.values(model.upstream).filter(({ repo }) => repo !== undefined);
  for (const { repo = "", former, aliases } of upstreams) {
    for (const name of [repo, ...former]) add(name, repo);
    for (const name of aliases) if (/^[A-Za-z][\w.-]*$/.test(name)) add(name, repo);
    for (const name of [repo, ...former]) {
      const [owner = ""] = name.split("/");
      owners.set(owner.toLowerCase(), (owners.get(owner.toLowerCase()) ?? new Set()).add(repo));
    }
  }
  for (const { repo = "", former } of upstreams) for (const name of [repo, ...former]) add(name.split("/")[1] ?? name, repo);
  for (const [owner, named] of owners) if (named.size === 1) add(owner, [...named][0] ?? "");
  const numbers = new Map<number, Set<string>>();
  const { tracker: _, ...rows } = model;
  eachText(rows, (text) => {
    const ref = mayBeThread(text) ? parseRef(text) : undefined;
    if (ref?.type !== "thread") return;
    const repo = repos.get(ref.repo.toLowerCase()) ?? ref.repo;
    numbers.set(ref.number, (numbers.get(ref.number) ?? new Set()).add(repo));
  });
  return { own, repos, numbers };
}

/** A cheap look before a text is read as a reference: most texts of the rows are prose. */
const mayBeThread = (text: string) => text.length < 200 && text.includes("#") && !text.includes(" ");

/** Calls back for every string inside a value. */
export function eachText(value: unknown, call: (text: string) => void): void {
  if (typeof value === "string") call(value);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) eachText(inner, call);
}
