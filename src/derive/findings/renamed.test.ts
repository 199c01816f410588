import { expect, it } from "vitest";
import { stackOf } from "../../../test/world.ts";
import { derive } from "../derive.ts";
import { renamedUpstreams } from "./renamed.ts";

it("A30 a repository that GitHub renamed is told, with what to write; one that was not is not", () => {
  const { model, observed } = stackOf({ facts: { threads: { "u/r#1": {} } } });
  expect(renamedUpstreams(derive(model, observed))).toEqual([]);
  const repository = observed.github["u/r"]?.repository;
  if (repository) repository.renamedTo = "new/r";
  expect(renamedUpstreams(derive(model, observed))).toEqual([
    {
      file: "data/upstreams/up.yaml",
      path: ["repo"],
      level: "warning",
      rule: "renamed-upstream",
      message:
        "GitHub calls u/r new/r now. Write repo: new/r, and u/r under former:, so that its references keep working when somebody takes the old name.",
    },
  ]);
  const up = model.upstream.up;
  if (up) up.former = ["new/r"];
  expect(renamedUpstreams(derive(model, observed))).toEqual([]);
});
