import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { shortRef } from "../../model/ref.ts";
import type { Derived } from "../derive.ts";

const KIND = { "wrong-then": "was wrong on that day", outdated: "is outdated", undated: "does not hold; since when is not known" } as const;

/** Claims that the facts contradict. They inform and never fail a check. */
export function contradictedClaims({ contradictions }: Derived): Finding[] {
  return contradictions.map(({ item, ref, claim, fact, kind }) => ({
    file: fileOf("item", item),
    path: ["claim", "says"],
    level: "notice",
    rule: "contradiction",
    message: `${shortRef(ref)} was believed ${claim.says} on ${claim.on}; it is ${fact.state}${fact.since ? ` since ${fact.since.slice(0, 10)}` : ""}. The claim ${KIND[kind]}.`,
  }));
}
