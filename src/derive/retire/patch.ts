import { fileOf } from "../../model/paths.ts";
import { shortRef } from "../../model/ref.ts";
import type { Truth } from "../../model/vocabulary.ts";
import { carriesCode } from "../carry.ts";
import type { Derived } from "../derive.ts";
import { clause } from "../proof.ts";
import { deliveriesOf } from "../users.ts";
import { applied, todo } from "./retirement.ts";
import type { RetireOptions, Retirement, RowEdit } from "./retirement.ts";

/** What goes with a patch, in order: the ways it is delivered, its files, the documents that speak of it, the rows. */
export function retirePatch(derived: Derived, id: string, options: RetireOptions): Retirement | undefined {
  const { model, facts } = derived.world;
  const patch = model.patch[id];
  const state = derived.patches[id];
  if (!patch || !state) return undefined;
  const ways = deliveriesOf(facts.inventory, patch)?.filter(({ archived }) => !archived);
  const shared = new Set(
    Object.entries(model.patch).flatMap(([name, other]) => (name === id || other.dropped ? [] : [...other.files, ...other.env])),
  );
  const variants = Object.entries(model.variant).filter(([, variant]) => variant.patches.includes(id));
  const items = Object.entries(model.item).filter(([, item]) => item.workaround?.patches.includes(id));
  const free = items.filter(
    ([, item]) => carriesCode(item) && item.workaround?.patches.every((name) => name === id || model.patch[name]?.dropped),
  );
  const unused = ways !== undefined && ways.length === 0 && variants.length === 0 && patch.required_by.length === 0;
  const ready: Truth = unused ? "yes" : state.droppable;
  const reason = options.because ?? (unused ? "Nothing delivers it, and no variant needs it." : state.because);
  const gone = patch.files.filter((file) => !shared.has(file) && exists(derived, file));
  return {
    kind: "patch",
    id,
    ready,
    because: unused ? "Nothing delivers it, and no variant needs it." : state.because,
    todo: [
      ...(ways ?? []).map((way) => todo(wayText(way))),
      ...pipLines(derived, id).map((text) => todo(text)),
      ...gone.map((file) => todo(`Delete ${file}.`)),
      ...patch.env.filter((flag) => shared.has(flag)).map((flag) => todo(`${flag} also switches another patch; see that it may go.`)),
      ...documents(derived, patch.covers).map((text) => todo(text)),
      ...variants.map(([name]) => applied(`Take it off the patches of ${fileOf("variant", name)}.`)),
      ...free.map(([name]) => applied(`Set local: retired in ${fileOf("item", name)}; nothing is carried for it any more.`)),
      ...items
        .filter(([name]) => !free.some(([other]) => other === name))
        .map(([name]) => todo(`${fileOf("item", name)} names it in its workaround; see what is left of that.`)),
      applied(`Mark it as dropped in ${fileOf("patch", id)}: on ${options.on}, because ${clause(reason)}.`),
      todo("Run the checks of every variant that had it, then render the pages: npm run render."),
    ],
    edits: patch.dropped
      ? []
      : [
          { file: fileOf("patch", id), path: [], do: "add", key: "dropped", value: { on: options.on, because: reason } },
          ...variants.map(
            ([name, variant]): RowEdit => ({ file: fileOf("variant", name), path: ["patches", variant.patches.indexOf(id)], do: "remove" }),
          ),
          ...free.map(([name]): RowEdit => ({ file: fileOf("item", name), path: ["local"], do: "set", value: "retired" })),
        ],
  };
}

function wayText({
  how,
  file,
  line,
  service,
}: {
  how: "mounted" | "invoked" | "enabled";
  file: string;
  line: number;
  service?: string | undefined;
}): string {
  const what = { mounted: "the mount", invoked: "the run", enabled: "the flag" }[how];
  return `Remove ${what} in ${file} (line ${line}${service ? `, ${service}` : ""}).`;
}

/** Lines that install the packages a pip patch covers. */
function pipLines({ world: { model, facts } }: Derived, id: string): string[] {
  const patch = model.patch[id];
  if (patch?.delivery !== "pip") return [];
  const names = patch.covers.flatMap((ref) => /^(?:pypi|npm):([^@\s]+)/.exec(ref)?.[1] ?? []);
  return (facts.inventory?.pins ?? [])
    .filter((found) => found.archived !== true && names.includes(found.name))
    .map(({ file, line, name, value }) => `Remove the installation of ${name} ${value} in ${file} (line ${line}).`);
}

const exists = ({ world: { facts } }: Derived, file: string): boolean =>
  facts.inventory?.files.some((known) => known === file || known.startsWith(`${file.replace(/\/$/, "")}/`)) ?? false;

/** Documents of the tree that cite what it stood in for. */
function documents({ world: { facts } }: Derived, covers: readonly string[]): string[] {
  return (facts.inventory?.references ?? [])
    .filter(({ ref, file, archived }) => archived !== true && covers.includes(ref) && /\.(md|mdx|ya?ml|txt)$/.test(file))
    .map(({ file, line, ref }) => `Look at ${file} (line ${line}), which speaks of ${shortRef(ref)}.`)
    .slice(0, 20);
}
