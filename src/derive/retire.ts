import type { Path } from "../model/problem.ts";
import { fileOf } from "../model/paths.ts";
import { shortRef } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import type { Item } from "../model/shapes/item.ts";
import type { Truth } from "../model/vocabulary.ts";
import { carriesCode } from "./carry.ts";
import type { Derived } from "./derive.ts";
import { clause } from "./proof.ts";
import { variantsOf } from "./survival/together.ts";
import { deliveriesOf } from "./users.ts";

/** One thing to do, in the order in which it is to be done. */
export interface Todo {
  text: string;
  /** Nothing is left to do about it. */
  done: boolean;
  /** `--apply` does it. */
  applied: boolean;
}

/** One change of an authored file that keeps every other byte. */
export type RowEdit = { file: string; path: Path } & (
  | { do: "set"; value: string }
  | { do: "add"; key: string; value: unknown }
  | { do: "remove" }
);

export interface Retirement {
  kind: "pin" | "patch";
  id: string;
  /** Nothing stands against it. */
  ready: Truth;
  because: string;
  todo: Todo[];
  edits: RowEdit[];
}

export interface RetireOptions {
  /** Day of the stack's zone. */
  on: string;
  /** The reason to be written down; default: what was derived. */
  because?: string | undefined;
  /** The pin that takes over. */
  to?: string | undefined;
}

const todo = (text: string, done = false): Todo => ({ text, done, applied: false });
const applied = (text: string): Todo => ({ text, done: false, applied: true });

/** What goes with a pin, in order: users, then rows that name it, then places it is written, then the row, then the cached image. */
export function retirePin(derived: Derived, id: string, options: RetireOptions): Retirement | undefined {
  const { model } = derived.world;
  const pin = model.pin[id];
  const state = derived.pins[id];
  if (!pin || !state) return undefined;
  const to = options.to ?? pin.retire?.to;
  const users = state.users?.filter((user) => !user.archived);
  const variants = Object.entries(model.variant).filter(([, variant]) => variant.pin === id);
  const patches = Object.entries(model.patch).filter(([name, patch]) => {
    const needed = variantsOf(model, name);
    return !patch.dropped && needed.length > 0 && needed.every((variant) => model.variant[variant]?.pin === id);
  });
  const reaching = Object.entries(model.item).filter(([, item]) => item.reaches?.includes(id));
  const naming = namesOf(derived, id);
  const ready: Truth = users === undefined ? "unknown" : users.length === 0 && variants.length === 0 ? "yes" : "no";
  const reason = options.because ?? (ready === "yes" ? "Nothing in the stack uses it." : state.retirement.because);
  const row = { on: options.on, because: reason, ...(to === undefined ? {} : { replaced_by: to }) };
  return {
    kind: "pin",
    id,
    ready,
    because: readiness(users?.length, variants.length),
    todo: [
      to === undefined
        ? todo("Choose the build that takes over: npm run plan.", users?.length === 0)
        : todo(`Check that ${to} works for every user: npm run check-pins -- --to ${to} --pin ${id}.`, users?.length === 0),
      ...(users ?? []).map((user) =>
        todo(`Move ${user.file} (line ${user.line}${user.service ? `, ${user.service}` : ""}) to ${to ?? "the replacement"}.`),
      ),
      ...variants.map(([name]) => todo(`Set pin: ${to ?? "the replacement"} in ${fileOf("variant", name)}.`)),
      ...patches.map(([name]) =>
        todo(
          `Only variants on this pin need ${name}: retire it too, or see that it works on ${to ?? "the replacement"} (npm run retire -- ${name}).`,
        ),
      ),
      ...naming.map((place) => todo(`${place} names this pin in a condition; let it name ${to ?? "the replacement"}.`)),
      ...reaching.map(([name]) =>
        to === undefined
          ? todo(`${fileOf("item", name)} reaches this pin; take it off the list.`)
          : applied(`Let ${fileOf("item", name)} reach ${to} instead.`),
      ),
      ...pin.written
        .filter(({ file }) => !users?.some((user) => user.file === file))
        .map(({ file, line }) => todo(`Remove it from ${file}${line === undefined ? "" : ` (line ${line})`}.`)),
      ...(pin.env === undefined ? [] : [todo(`Remove the variable ${pin.env} where it is set.`)]),
      applied(`Mark it as retired in ${fileOf("pin", id)}: on ${row.on}, because ${clause(reason)}.`),
      todo("Render the pages: npm run render."),
      todo(cached(pin.artifact)),
    ],
    edits: pin.retired
      ? []
      : [
          { file: fileOf("pin", id), path: [], do: "add", key: "retired", value: row },
          ...(to === undefined ? [] : reaching.flatMap(([name, item]) => reachEdit(name, item, id, to))),
        ],
  };
}

const readiness = (users: number | undefined, variants: number): string =>
  users === undefined
    ? "Who uses it is not known: the tree was never scanned (npm run scan)."
    : users + variants === 0
      ? "Nothing in the stack uses it."
      : `${users} ${users === 1 ? "place uses" : "places use"} it${variants > 0 ? `, and ${variants} ${variants === 1 ? "variant runs" : "variants run"} on it` : ""}.`;

function reachEdit(name: string, item: Item, id: string, to: string): RowEdit[] {
  const index = item.reaches?.indexOf(id) ?? -1;
  const path: Path = ["reaches", index];
  const file = fileOf("item", name);
  return item.reaches?.includes(to) ? [{ file, path, do: "remove" }] : [{ file, path, do: "set", value: to }];
}

const cached = (artifact: string): string =>
  artifact.startsWith("oci:")
    ? `Remove the cached image: docker image rm ${artifact.slice(4)}.`
    : `Remove the cached ${artifact.replace(/^\w+:/, "")}.`;

/** Rows whose conditions name a pin. */
function namesOf({ world: { model } }: Derived, id: string): string[] {
  const names = (condition: Condition | undefined): boolean =>
    condition !== undefined &&
    (condition.contained?.in === id ||
      condition.available === id ||
      [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])].some(names));
  return [
    ...Object.entries(model.patch).flatMap(([name, row]) => (!row.dropped && names(row.drop) ? [fileOf("patch", name)] : [])),
    ...Object.entries(model.item).flatMap(([name, row]) =>
      names(row.workaround?.drop) || names(row.lands_when) ? [fileOf("item", name)] : [],
    ),
    ...Object.entries(model.trigger).flatMap(([name, row]) => (!row.done && names(row.when) ? [fileOf("trigger", name)] : [])),
    ...Object.entries(model.followUp).flatMap(([name, row]) => (!row.done && names(row.when) ? [fileOf("followUp", name)] : [])),
    ...Object.entries(model.pin).flatMap(([name, row]) =>
      name !== id && !row.retired && (names(row.retire?.when) || row.retire?.to === id) ? [fileOf("pin", name)] : [],
    ),
  ];
}

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
