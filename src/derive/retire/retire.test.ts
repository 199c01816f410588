import { describe, expect, it } from "vitest";
import type { ShortStack } from "../../../test/world.ts";
import { stackOf } from "../../../test/world.ts";
import { derive } from "../derive.ts";
import { retirePatch } from "./patch.ts";
import { retirePin } from "./pin.ts";

const VARIANT = { title: "V", compose: "v.yml", cards: 1, standing: "available", workloads: ["all"], summary: "One." };
const at = (line: number) => ({ service: "s", file: "v.yml", line });
const user = { file: "v.yml", line: 3, service: "s", archived: false };
const image = (users: object[]) => ({ images: [{ image: "up:old", raw: ["up:old"], mutability: "immutable", users }] });
const derived = (stack: ShortStack) => {
  const { model, observed } = stackOf({
    pins: { old: { artifact: "oci:up:old", commit: "a" }, new: { artifact: "oci:up:new", commit: "b" } },
    ...stack,
  });
  return derive(model, observed);
};
const options = { on: "2026-06-01" };

describe("retiring a pin", () => {
  it("with users left: who they are comes first, and it is not ready", () => {
    const found = retirePin(derived({ variants: { v: { ...VARIANT, pin: "old" } }, facts: { inventory: image([user]) } }), "old", {
      ...options,
      to: "new",
    });
    expect(found).toMatchObject({ kind: "pin", ready: "no", because: "1 place uses it, and 1 variant runs on it." });
    const lines = found?.todo.map(({ text }) => text) ?? [];
    expect(lines.slice(0, 3)).toEqual([
      "Check that new works for every user: npm run check-pins -- --to new --pin old.",
      "Move v.yml (line 3, s) to new.",
      "Set pin: new in data/variants/v.yaml.",
    ]);
    expect(lines.at(-1)).toBe("Remove the cached image: docker image rm up:old.");
  });

  it("without users: ready, with a date, a reason and what replaces it", () => {
    const found = retirePin(derived({ facts: { inventory: image([{ ...user, archived: true }]) } }), "old", { ...options, to: "new" });
    expect(found).toMatchObject({ ready: "yes", because: "Nothing in the stack uses it." });
    expect(found?.edits).toEqual([
      {
        file: "data/pins/old.yaml",
        path: [],
        do: "add",
        key: "retired",
        value: { on: "2026-06-01", because: "Nothing in the stack uses it.", replaced_by: "new" },
      },
    ]);
  });

  it("without a scan nobody knows who uses it", () => {
    expect(retirePin(derived({}), "old", options)).toMatchObject({ ready: "unknown" });
  });

  it("rows that name it: conditions, reaches, patches that only it needs, and where it is written", () => {
    const found = retirePin(
      derived({
        pins: {
          old: { artifact: "oci:up:old", commit: "a", written: [{ file: "docs/PINS.md", line: 12 }], env: "UP_PIN" },
          new: { artifact: "oci:up:new", commit: "b" },
        },
        items: { row: { reaches: ["old"], reaches_because: "It runs it." }, both: { reaches: ["new", "old"], reaches_because: "Both." } },
        patches: { only: { required_by: ["v"], drop: { contained: { ref: "u/r#1", in: "old" } } } },
        variants: { v: { ...VARIANT, pin: "old" } },
        facts: { inventory: image([]) },
      }),
      "old",
      { ...options, to: "new" },
    );
    const text = found?.todo.map((one) => one.text).join("\n") ?? "";
    expect(text).toContain("Only variants on this pin need only");
    expect(text).toContain("data/patches/only.yaml names this pin in a condition");
    expect(text).toContain("Remove it from docs/PINS.md (line 12).");
    expect(text).toContain("Remove the variable UP_PIN");
    expect(found?.edits.slice(1)).toEqual([
      { file: "data/items/row.yaml", path: ["reaches", 0], do: "set", value: "new" },
      { file: "data/items/both.yaml", path: ["reaches", 1], do: "remove" },
    ]);
  });

  it("one that is retired already gives no edit", () => {
    const pins = { old: { artifact: "oci:up:old", commit: "a", retired: { on: "2026-01-01", because: "Gone." } } };
    expect(retirePin(derived({ pins }), "old", options)?.edits).toEqual([]);
    expect(retirePin(derived({}), "nobody", options)).toBeUndefined();
  });
});

describe("retiring a patch", () => {
  const patches = {
    it: {
      delivery: "sidecar",
      files: ["p/it.py", "p/shared.py"],
      env: ["UP_IT"],
      covers: ["u/r#1"],
      required_by: [],
      drop: { manual: { what: "Fixed.", done: "2026-05-01" } },
    },
    other: { files: ["p/shared.py"] },
  };
  const inventory = {
    ...image([user]),
    mounts: [{ source: "p/it.py", target: "/p/it.py", ...at(10) }],
    invocations: [{ path: "/p/it.py", ...at(20) }],
    envFlags: [{ name: "UP_IT", value: "1", ...at(5) }],
    references: [{ ref: "u/r#1", file: "docs/UPSTREAM.md", line: 7 }],
    files: ["p/it.py", "p/shared.py"],
  };

  it("lists flag, mount, run, the files that nobody else needs, the documents, and the rows", () => {
    const found = retirePatch(
      derived({
        patches,
        variants: { v: { ...VARIANT, pin: "old", patches: ["it"] } },
        items: {
          row: { local: "vendored", workaround: { what: "W.", patches: ["it"] } },
          shared: { local: "vendored", workaround: { what: "W.", patches: ["it", "other"] } },
        },
        facts: { inventory },
      }),
      "it",
      options,
    );
    expect(found).toMatchObject({ kind: "patch", ready: "yes" });
    const lines = found?.todo.map(({ text }) => text) ?? [];
    expect(lines.slice(0, 4)).toEqual([
      "Remove the flag in v.yml (line 5, s).",
      "Remove the mount in v.yml (line 10, s).",
      "Remove the run in v.yml (line 20, s).",
      "Delete p/it.py.",
    ]);
    expect(lines).toContain("Look at docs/UPSTREAM.md (line 7), which speaks of r#1.");
    expect(lines).toContain("data/items/shared.yaml names it in its workaround; see what is left of that.");
    expect(lines).not.toContain("Delete p/shared.py.");
    expect(found?.edits).toEqual([
      {
        file: "data/patches/it.yaml",
        path: [],
        do: "add",
        key: "dropped",
        value: { on: "2026-06-01", because: expect.stringMatching(/^It can go: .*Fixed\.$/) },
      },
      { file: "data/variants/v.yaml", path: ["patches", 0], do: "remove" },
      { file: "data/items/row.yaml", path: ["local"], do: "set", value: "retired" },
    ]);
  });

  it("is not ready while its condition does not hold, and ready when nothing has it", () => {
    const waiting = { it: { ...patches.it, required_by: ["v"], drop: { manual: { what: "Fixed." } } } };
    expect(
      retirePatch(derived({ patches: waiting, variants: { v: { ...VARIANT, pin: "old" } }, facts: { inventory } }), "it", options),
    ).toMatchObject({ ready: "no" });
    const nowhere = { it: { ...patches.it, drop: { manual: { what: "Fixed." } } } };
    expect(retirePatch(derived({ patches: nowhere, facts: { inventory: image([user]) } }), "it", options)).toMatchObject({ ready: "yes" });
  });
});
