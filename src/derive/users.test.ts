import { describe, expect, it } from "vitest";
import { real } from "../../test/real.ts";
import { stackOf } from "../../test/world.ts";
import { deliveriesOf, isLive, reachedPins, sameImage, usersOfPin } from "./users.ts";

const user = (file: string, archived = false) => ({ file, line: 3, service: "server", archived });
const image = (name: string, users: object[]) => ({ image: name, raw: [name], mutability: "immutable", users });

function users(artifact: string, inventory: Record<string, unknown> | undefined) {
  const { model, observed } = stackOf({ pins: { p: { artifact } }, facts: inventory ? { inventory } : {} });
  return model.pin.p && usersOfPin(observed.inventory, model.pin.p)?.map(({ file }) => file);
}

describe("who uses a pin", () => {
  it("is not known without an inventory, which is not nobody", () => {
    expect(users("oci:n:1", undefined)).toBeUndefined();
    expect(users("oci:n:1", {})).toEqual([]);
  });
  it("counts every service that runs the image", () => {
    const inventory = { images: [image("docker.io/o/n:1", [user("a.yml"), user("b.yml")]), image("docker.io/o/n:2", [user("c.yml")])] };
    expect(users("oci:docker.io/o/n:1", inventory)).toEqual(["a.yml", "b.yml"]);
    expect(users("oci:o/n:1", inventory)).toEqual(["a.yml", "b.yml"]);
    expect(users("oci:o/n", inventory)).toEqual([]);
  });
  it.each([
    ["o/n:1", "docker.io/o/n:1", true],
    ["n", "docker.io/library/n:latest", true],
    ["n:latest", "n", true],
    ["o/n:1", "ghcr.io/o/n:1", false],
    ["o/n:1", "o/n:2", false],
    ["127.0.0.1:5000/n", "127.0.0.1:5000/n:latest", true],
    ["n@sha256:a", "n", false],
  ])("%s and %s are one image: %s", (a, b, same) => {
    expect(sameImage(a, b)).toBe(same);
  });
  const at = (kind: string, name: string, value: string) => ({ pins: [{ kind, name, value, file: "setup.sh", line: 1 }] });
  it("a commit may be written short", () => {
    expect(users("git:u/r@aaaaaaaaaa", at("git", "u/r", "aaaaaaa"))).toEqual(["setup.sh"]);
    expect(users("git:u/r@aaaaaaa", at("git", "u/r", "aaaaaaaaaa"))).toEqual(["setup.sh"]);
    expect(users("git:u/r@aaaaaaa", at("git", "u/r", "a"))).toEqual([]);
    expect(users("git:u/r@aaaaaaa", at("git", "x/y", "aaaaaaa"))).toEqual([]);
  });
  it("a version may not: 1.1 is not 1.10", () => {
    expect(users("pypi:n@1.10", at("pypi", "n", "1.10"))).toEqual(["setup.sh"]);
    expect(users("pypi:n@1.10", at("pypi", "n", "1.1"))).toEqual([]);
    expect(users("pypi:n@1.1", at("pypi", "n", "1.10"))).toEqual([]);
    expect(users("npm:n@1.1", at("pypi", "n", "1.1"))).toEqual([]);
    expect(users("npm:@s/n@1.1", at("npm", "@s/n", "1.1"))).toEqual(["setup.sh"]);
  });
  it("counts the real stack's users as the compose files have them, not as a document says", () => {
    const counts = Object.entries(real.model.pin).map(([id, pin]) => [
      id,
      usersOfPin(real.observed.inventory, pin)?.filter(({ archived }) => !archived).length,
    ]);
    expect(Object.fromEntries(counts)).toMatchObject({
      "vllm-nightly-clean": 29,
      "vllm-nightly-mtp": 1,
      "vllm-nightly-dflash": 2,
      "llama-cpp-server-cuda": 2,
      transformers: 3,
    });
    expect(real.model.pin["vllm-nightly-mtp"]?.claim?.users).toBe(19);
  });
});

describe("which pins are live, and which a row waits for", () => {
  const { model, observed } = stackOf({
    upstreams: { up: {}, other: { repo: "x/y" } },
    pins: {
      used: { artifact: "oci:n:1" },
      archived: { artifact: "oci:n:2" },
      unused: { artifact: "oci:n:3" },
      retired: { artifact: "oci:n:1", retired: { on: "2026-05-01", because: "Replaced." } },
      elsewhere: { artifact: "oci:n:1", upstream: "other" },
    },
    facts: { inventory: { images: [image("n:1", [user("a.yml"), user("old.yml", true)]), image("n:2", [user("old.yml", true)])] } },
  });
  it.each([
    ["used", true, true],
    ["archived", false, true],
    ["unused", false, true],
    ["retired", false, false],
  ])("%s: live %s, and %s when nobody looked", (id, live, unseen) => {
    const pin = model.pin[id];
    expect(pin && isLive(observed.inventory, pin)).toBe(live);
    expect(pin && isLive(undefined, pin)).toBe(unseen);
  });
  it("every live pin of the upstream, unless the row names them", () => {
    expect(reachedPins(model, observed.inventory, { upstream: "up" })).toEqual(["used"]);
    expect(reachedPins(model, observed.inventory, { upstream: "up", reaches: ["unused", "no-such-pin"] })).toEqual(["unused"]);
    expect(reachedPins(model, observed.inventory, { upstream: "up", reaches: [] })).toEqual([]);
    expect(reachedPins(model, undefined, { upstream: "up" })).toEqual(
      ["archived", "unused", "used"].sort((a, b) => Object.keys(model.pin).indexOf(a) - Object.keys(model.pin).indexOf(b)),
    );
  });
});

describe("where a patch is delivered", () => {
  const found = (patch: Record<string, unknown>, inventory: Record<string, unknown> | undefined) => {
    const { model, observed } = stackOf({ patches: { x: patch }, facts: inventory ? { inventory } : {} });
    return model.patch.x && deliveriesOf(observed.inventory, model.patch.x)?.map(({ file, how }) => `${how} in ${file}`);
  };
  const where = { service: "server", line: 1 };
  const mount = (source: string, file = "a.yml") => ({ source, target: "/t", file, ...where });
  it("is not known without an inventory", () => {
    expect(found({ files: ["p/f.py"] }, undefined)).toBeUndefined();
    expect(found({ files: ["p/f.py"] }, {})).toEqual([]);
  });
  it("by a mount of the file, of its folder, or of a file in its folder", () => {
    const files = ["p/f.py"];
    expect(found({ files }, { mounts: [mount("p/f.py")] })).toEqual(["mounted in a.yml"]);
    expect(found({ files }, { mounts: [mount("p")] })).toEqual(["mounted in a.yml"]);
    expect(found({ files: ["p/"] }, { mounts: [mount("p/f.py")] })).toEqual(["mounted in a.yml"]);
    expect(found({ files }, { mounts: [mount("p/f.pyc"), mount("q/f.py"), mount("p/f")] })).toEqual([]);
  });
  it("by a run of its script", () => {
    expect(found({ files: ["p/f.py"] }, { invocations: [{ path: "/patches/f.py", file: "a.yml", ...where }] })).toEqual([
      "invoked in a.yml",
    ]);
    expect(found({ files: ["p/f.py"] }, { invocations: [{ path: "/patches/g.py", file: "a.yml", ...where }] })).toEqual([]);
  });
  it("by its flag, unless the flag is off", () => {
    const flag = (value: string) => ({ envFlags: [{ name: "ENABLE_X", value, file: "a.yml", ...where }] });
    for (const on of ["1", "true", "yes", "2"]) expect(found({ env: ["ENABLE_X"] }, flag(on))).toEqual(["enabled in a.yml"]);
    expect(found({ env: ["ENABLE_X=1"] }, flag("1"))).toEqual(["enabled in a.yml"]);
    for (const off of ["", "0", "false", "FALSE", "off", "no"]) expect(found({ env: ["ENABLE_X"] }, flag(off))).toEqual([]);
  });
  it("in the order of the files, whatever the way", () => {
    const inventory = {
      mounts: [mount("p/f.py", "c.yml"), mount("p/f.py", "a.yml")],
      invocations: [{ path: "f.py", file: "b.yml", ...where }],
    };
    expect(found({ files: ["p/f.py"] }, inventory)).toEqual(["mounted in a.yml", "invoked in b.yml", "mounted in c.yml"]);
  });
});
