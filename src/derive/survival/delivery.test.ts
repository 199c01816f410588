import { describe, expect, it } from "vitest";
import { worldFrom } from "../../../test/world.ts";
import { judgeDelivery } from "./delivery.ts";

const VARIANT = { title: "V", compose: "v.yml", pin: "p", cards: 1, standing: "available", workloads: ["all"], summary: "One." };
const at = (more: object, line = 10) => ({ service: "s", file: "v.yml", line, ...more });
const mount = (source: string, target: string, more: object = {}, line = 10) => at({ source, target, ...more }, line);
const PYTHON = "/usr/lib/python3.12/dist-packages";

function judge(patch: object, inventory: object | undefined, more: object = {}, flags: Parameters<typeof judgeDelivery>[3] = []) {
  const world = worldFrom({
    pins: { p: { commit: "a" } },
    patches: { it: { required_by: ["v"], ...patch } },
    variants: { v: VARIANT },
    ...more,
    facts: {
      inventory: inventory && {
        images: [
          { image: "up:1", raw: ["up:1"], mutability: "immutable", users: [{ file: "v.yml", line: 1, service: "s", archived: false }] },
        ],
        ...inventory,
      },
    },
  });
  const row = world.model.patch.it;
  if (!row) throw new Error("the patch is not there");
  return judgeDelivery(world, "it", row, flags)[0];
}

describe("an overlay", () => {
  const overlay = { delivery: "overlay", files: ["p/x.py"], targets: [{ path: "up/x.py" }] };
  const files = ["p/x.py"];

  it.each([
    ["mounted at its target", { mounts: [mount("p/x.py", `${PYTHON}/up/x.py`)] }, "delivered", "mounted at"],
    ["its folder mounted", { mounts: [mount("p", `${PYTHON}/up`)] }, "delivered", `${PYTHON}/up/x.py`],
    ["not mounted", { mounts: [] }, "not-mounted", "p/x.py is not mounted"],
    ["D6 mounted somewhere else", { mounts: [mount("p/x.py", `${PYTHON}/up/y.py`)] }, "not-mounted", "which is not up/x.py"],
    [
      "another file on the same place",
      { mounts: [mount("p/x.py", `${PYTHON}/up/x.py`), mount("q/x.py", `${PYTHON}/up/x.py`, {}, 12)] },
      "overwritten",
      "q/x.py is mounted",
    ],
    ["only in another compose", { mounts: [{ ...mount("p/x.py", `${PYTHON}/up/x.py`), file: "w.yml" }] }, "not-mounted", "not mounted"],
  ])("%s", (_, inventory, verdict, because) => {
    expect(judge(overlay, { files, ...inventory })).toMatchObject({ variant: "v", verdict, because: expect.stringContaining(because) });
  });

  it("D10 its file is not in the tree", () => {
    expect(judge(overlay, { files: [], mounts: [mount("p/x.py", `${PYTHON}/up/x.py`)] })).toMatchObject({ verdict: "file-missing" });
  });

  it("says how many of its files are missing", () => {
    const two = {
      ...overlay,
      files: ["p/x.py", "p/y.py", "p/z.py"],
      targets: [{ path: "up/x.py" }, { path: "up/y.py" }, { path: "up/z.py" }],
    };
    const mounts = [mount("p/x.py", `${PYTHON}/up/x.py`)];
    expect(judge(two, { files: two.files, mounts })).toMatchObject({
      verdict: "not-mounted",
      because: expect.stringContaining("(2 of 3 files)"),
    });
  });
});

describe("a script", () => {
  const script = { delivery: "sidecar", files: ["p/fix.py"], targets: [{ path: "up/x.py" }] };
  const mounts = [mount("p/fix.py", "/patches/fix.py")];
  const run = (line: number) => ({ invocations: [at({ path: "/patches/fix.py" }, line)] });
  const base = { files: ["p/fix.py"], mounts };

  it.each([
    ["D7 mounted and never run", { ...base }, "not-invoked", "nothing runs it"],
    [
      "run before the server",
      { ...base, ...run(20), starts: [at({ command: "serve" }, 30)] },
      "delivered",
      "before the server starts at line 30",
    ],
    [
      "run after the server",
      { ...base, ...run(40), starts: [at({ command: "serve" }, 30)] },
      "too-late",
      "after the server is started at line 30",
    ],
    ["run, and starts were not looked for", { ...base, ...run(20) }, "delivered", "was not scanned"],
    ["run, not mounted", { files: ["p/fix.py"], ...run(20) }, "not-mounted", "p/fix.py is not mounted"],
    [
      "a script of the same name, which is another file",
      { ...base, invocations: [at({ path: "/patches/fix.py", source: "q/fix.py" })] },
      "not-invoked",
      "nothing runs it",
    ],
    [
      "D5 its target is mounted read-only",
      { ...base, ...run(20), mounts: [...mounts, mount("q/x.py", `${PYTHON}/up/x.py`, { readonly: true }, 15)] },
      "target-locked",
      "mounted read-only over up/x.py (line 15)",
    ],
    [
      "its target is mounted, and writable",
      { ...base, ...run(20), mounts: [...mounts, mount("q/x.py", `${PYTHON}/up/x.py`)] },
      "delivered",
      "is run at line 20",
    ],
  ])("%s", (_, inventory, verdict, because) => {
    expect(judge(script, inventory)).toMatchObject({ verdict, because: expect.stringContaining(because) });
  });
});

describe("a flag of a patch layer", () => {
  const flag = { delivery: "env-flag", env: ["LAYER_ENABLE_X"], part_of: "layer" };
  const more = {
    upstreams: { up: {}, "genesis-layer": { title: "Layer", repo: "o/layer", aliases: ["genesis"] } },
    pins: { p: { commit: "a" }, layer: { upstream: "genesis-layer", artifact: `git:o/layer@${"b".repeat(40)}` } },
  };
  const set = (value: string) => ({ envFlags: [at({ name: "LAYER_ENABLE_X", value }, 5)] });
  const mounted = { mounts: [mount("p/genesis/up/_genesis", "/x/up/_genesis")] };
  const run = { invocations: [at({ path: "up._genesis.apply_all" }, 20)] };

  it.each([
    ["set, and the layer is mounted and run", { ...set("1"), ...mounted, ...run }, "delivered", "LAYER_ENABLE_X is set (line 5)"],
    ["not set", { ...mounted, ...run }, "flag-off", "is not set"],
    ["switched off", { ...set("0"), ...mounted, ...run }, "flag-off", "is 0 (line 5)"],
    ["set, and nothing runs the layer", { ...set("1"), ...mounted }, "not-invoked", "nothing runs it"],
    ["D8 set, and the layer is not there", { ...set("1") }, "not-mounted", "neither mounted nor run"],
  ])("%s", (_, inventory, verdict, because) => {
    expect(judge(flag, inventory, more)).toMatchObject({ verdict, because: expect.stringContaining(because) });
  });

  it("D3 set to a name that the source does not know", () => {
    const known = [{ flag: "LAYER_ENABLE_X", verdict: "flag-unknown" as const, because: "layer does not know LAYER_ENABLE_X" }];
    expect(judge(flag, { ...set("1"), ...mounted, ...run }, more, known)).toMatchObject({ verdict: "flag-unknown" });
  });
});

describe("other ways", () => {
  it("a template, a package, an install script", () => {
    const template = { delivery: "template", files: ["p/chat.jinja"] };
    expect(judge(template, { files: ["p/chat.jinja"], mounts: [mount("p/chat.jinja", "/etc/chat.jinja")] })?.verdict).toBe("delivered");
    expect(judge(template, { files: ["p/chat.jinja"] })?.verdict).toBe("not-mounted");
    const pip = { delivery: "pip", covers: ["pypi:thing@>=2"] };
    expect(judge(pip, { pins: [{ kind: "pypi", name: "thing", value: "2.1", file: "v.yml", line: 3 }] })?.verdict).toBe("delivered");
    expect(judge(pip, { pins: [{ kind: "pypi", name: "thing", value: "2.1", file: "w.yml", line: 3 }] })?.verdict).toBe("not-installed");
    const install = { delivery: "install-script", files: ["p/setup_fix.py"] };
    expect(
      judge(install, { files: ["p/setup_fix.py"], invocations: [{ path: "p/setup_fix.py", service: "setup", file: "setup.sh", line: 4 }] })
        ?.verdict,
    ).toBe("delivered");
    expect(judge(install, { files: ["p/setup_fix.py"] })?.verdict).toBe("not-invoked");
  });

  it("is not told without a scan, or of a compose the scan does not know", () => {
    expect(judge({ delivery: "overlay", files: ["p/x.py"] }, undefined)).toMatchObject({
      verdict: "unknown",
      because: expect.stringContaining("npm run scan"),
    });
    expect(judge({ delivery: "overlay", files: ["p/x.py"] }, { images: [] })).toMatchObject({ verdict: "unknown" });
  });
});
