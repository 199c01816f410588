import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { shortRef } from "../../model/ref.ts";
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
  return [
    ...Object.values(pins).flatMap(({ id, retirement }) =>
      model.pin[id]?.retired ? [] : say(fileOf("pin", id), ["retire", "when"], retirement.never),
    ),
    ...Object.values(patches).flatMap(({ id, carried, never }) => (carried ? say(fileOf("patch", id), ["drop"], never) : [])),
    ...Object.values(triggers).flatMap(({ id, never }) => say(fileOf("trigger", id), ["when"], never)),
    ...Object.values(followUps).flatMap(({ id, never }) => say(fileOf("followUp", id), ["when"], never)),
  ];
}
