import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";

/** Upstreams that GitHub calls by another name now, which their row does not know yet. The old one leads there until somebody takes it (field case A30). */
export function renamedUpstreams({ world }: Derived): Finding[] {
  return Object.entries(world.model.upstream).flatMap(([id, { repo, former }]): Finding[] => {
    const name = repo === undefined ? undefined : world.facts.renamedTo(repo);
    if (repo === undefined || name === undefined || former.includes(name)) return [];
    const message = `GitHub calls ${repo} ${name} now. Write repo: ${name}, and ${repo} under former:, so that its references keep working when somebody takes the old name.`;
    return [{ file: fileOf("upstream", id), path: ["repo"], level: "warning", rule: "renamed-upstream", message }];
  });
}
