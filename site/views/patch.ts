import type { Derived } from "../../src/derive/derive.ts";
import { threadOf } from "../../src/model/ref.ts";
import type { Stake, Status } from "../../src/model/vocabulary.ts";
import { refState } from "../../src/report/json.ts";

export interface Coverage {
  repo: string;
  refs: { ref: string; state: string; title: string }[];
  items: { id: string; status: Status; stake: Stake }[];
  variants: string[];
  cliffs: string[];
}

/** What a patch stands in for and who leans on it. */
export function coverage(derived: Derived, id: string): Coverage {
  const { model, facts } = derived.world;
  const patch = model.patch[id];
  const covers = new Set((patch?.covers ?? []).map(threadOf));
  const variants = Object.keys(model.variant).filter((name) => model.variant[name]?.patches.includes(id));
  return {
    repo: (patch && model.upstream[patch.upstream]?.repo) ?? "",
    refs: (patch?.covers ?? []).map((ref) => ({ ref, state: refState(derived, ref), title: facts.thread(ref)?.title ?? "" })),
    items: Object.entries(model.item).flatMap(([name, item]) => {
      const status = derived.items[name]?.status;
      const tied =
        item.workaround?.patches.includes(id) || item.refs.some(({ ref, role }) => role !== "context" && covers.has(threadOf(ref)));
      return tied && status !== undefined ? [{ id: name, status, stake: item.stake }] : [];
    }),
    variants: [...new Set([...(patch?.required_by ?? []), ...variants])].sort(),
    cliffs: Object.keys(model.cliff).filter((name) => model.cliff[name]?.mitigations.some(({ patches }) => patches.includes(id))),
  };
}
