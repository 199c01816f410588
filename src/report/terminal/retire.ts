import type { Retirement } from "../../derive/retire/retirement.ts";
import type { Paint } from "../paint.ts";

/** The checklist of a retirement, in order. */
export function retireText(found: Retirement, done: boolean, paint: Paint): string {
  const sign = found.ready === "yes" ? paint.green("✔ ready") : found.ready === "no" ? paint.red("✖ not ready") : "? not to be told";
  return [
    `${paint.bold(`${found.kind} ${found.id}`)}  ${sign}: ${found.because}`,
    ...found.todo.map(
      (one) => `  [${one.done || (done && one.applied) ? "x" : " "}] ${one.text}${one.applied && !done ? paint.dim(" (--apply)") : ""}`,
    ),
  ].join("\n");
}
