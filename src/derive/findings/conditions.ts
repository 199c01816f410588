import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { shortRef } from "../../model/ref.ts";
import type { Condition } from "../../model/shapes/condition.ts";
import { carries } from "../carry.ts";
import { evaluate } from "../condition.ts";
import type { Derived } from "../derive.ts";
import type { Never } from "../proof.ts";

/** A condition that waits for what cannot happen any more, such as the merge of a pull request that was closed unmerged. */
export function hopelessConditions({ pins, patches, triggers, followUps, world }: Derived): Finding[] {
  const { model } = world;
  const say = (file: string, path: Finding["path"], never: Never | undefined): Finding[] =>
    never
      ? [
          {
            file,
            path,
            level: "warning",
            rule: "never-true",
            message: `This can never come true: ${never.because}.${never.instead ? ` Name ${shortRef(never.instead)} instead.` : " Name what replaced it, or a manual step."}`,
          },
        ]
      : [];
  const never = (condition: Condition | undefined) => (condition ? evaluate(world, condition).never : undefined);
  return [
    ...Object.entries(model.item).flatMap(([id, item]) => [
      ...(carries(item) ? say(fileOf("item", id), ["workaround", "drop"], never(item.workaround?.drop)) : []),
      ...say(fileOf("item", id), ["lands_when"], never(item.lands_when)),
    ]),
    ...Object.values(pins).flatMap(({ id, retirement }) =>
      model.pin[id]?.retired ? [] : say(fileOf("pin", id), ["retire", "when"], retirement.never),
    ),
    ...Object.values(patches).flatMap(({ id, carried, never }) => (carried ? say(fileOf("patch", id), ["drop"], never) : [])),
    ...Object.values(triggers).flatMap(({ id, never }) => say(fileOf("trigger", id), ["when"], never)),
    ...Object.values(followUps).flatMap(({ id, never }) => say(fileOf("followUp", id), ["when"], never)),
  ];
}
