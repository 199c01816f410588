import type { Path } from "../../model/problem.ts";
import { fileOf } from "../../model/paths.ts";
import type { Condition } from "../../model/shapes/condition.ts";
import type { Item } from "../../model/shapes/item.ts";
import type { Truth } from "../../model/vocabulary.ts";
import { asksFor } from "../condition-names.ts";
import type { Derived } from "../derive.ts";
import { clause } from "../proof.ts";
import { variantsOf } from "../survival/together.ts";
import { applied, todo } from "./retirement.ts";
import type { RetireOptions, Retirement, RowEdit } from "./retirement.ts";

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
  const names = (condition: Condition | undefined) => asksFor(condition, id);
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
