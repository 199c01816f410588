// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose and the shell write their variables so
import { describe, expect, it } from "vitest";
import { pinsIn, rulesIn, scanOf, usersIn } from "../../test/scan/tree.ts";

const SHA = "1acd67a795ebccdf9b9db7697ae9082058301657";
const DIGEST = `sha256:${"b".repeat(64)}`;

const one = async (text: string, more: Record<string, string> = {}, settings = {}) =>
  scanOf({ "a/b/compose.yml": text, ...more }, { settings });

describe("images of compose files", () => {
  it.each([
    ["a literal", "image: o/n:1.2.3", "docker.io/o/n:1.2.3"],
    ["quotes and a trailing comment", `image: "o/n:1.2.3"   # why: o/other:9`, "docker.io/o/n:1.2.3"],
    ["single quotes", "image: 'o/n:1.2.3'", "docker.io/o/n:1.2.3"],
    ["a digest", `image: ghcr.io/o/n@${DIGEST}`, `ghcr.io/o/n@${DIGEST}`],
    ["a default", "image: ${IMAGE:-o/n:1.2.3}", "docker.io/o/n:1.2.3"],
    ["a nested default", `image: \${IMAGE:-o/n:nightly-\${SHA:-${SHA}}}`, `docker.io/o/n:nightly-${SHA}`],
    ["a key in quotes", `"image": o/n:1.2.3`, "docker.io/o/n:1.2.3"],
    ["a folded value", "image: >-\n      o/n:1.2.3", "docker.io/o/n:1.2.3"],
    ["E01 a tag that looks like a float", "image: o/n:680841e1", "docker.io/o/n:680841e1"],
    ["E07 a tag that looks like a fraction", "image: o/n:0.20", "docker.io/o/n:0.20"],
  ])("%s", async (_, line, image) => {
    const { inventory } = await one(`services:\n  # a comment: image: no/image:1\n  web:\n    ${line}\n`);
    expect(usersIn(inventory)).toEqual({ [image]: ["a/b/compose.yml:4 web"] });
  });

  it("flow style and several services", async () => {
    const { inventory } = await one("services: { a: { image: o/n:1 }, b: { image: o/n:1, build: null } }\n");
    expect(usersIn(inventory)["docker.io/o/n:1"]).toEqual(["a/b/compose.yml:1 a"]);
  });

  it("keeps what was written beside what it means, once", async () => {
    const { inventory } = await one("services:\n  a: { image: '${I:-n:1}' }\n  b: { image: n:1 }\n  c: { image: '${I:-n:1}' }\n");
    expect(inventory.images).toMatchObject([{ image: "docker.io/library/n:1", raw: ["${I:-n:1}", "n:1"] }]);
  });

  it("takes variables from the .env beside it, else from that of the top", async () => {
    const text = "services:\n  a:\n    image: o/n:${TAG:-old}\n";
    expect(usersIn((await one(text, { "a/b/.env": 'export TAG="1.2.3" # new\n' })).inventory)).toHaveProperty(["docker.io/o/n:1.2.3"]);
    expect(usersIn((await one(text, { ".env": "TAG=2.0.0\n" })).inventory)).toHaveProperty(["docker.io/o/n:2.0.0"]);
    expect(usersIn((await one(text, { "a/.env": "TAG=2.0.0\n" })).inventory)).toHaveProperty(["docker.io/o/n:old"]);
  });

  it("a build beside the image makes it the stack's own, everywhere it is used; a build alone has no image", async () => {
    const { inventory } = await one("services:\n  a: { build: ., image: own:latest }\n  b: { image: own:latest }\n  c: { build: . }\n");
    expect(inventory.images).toMatchObject([{ image: "own:latest", mutability: "build", users: [{ service: "a" }, { service: "b" }] }]);
  });

  it("anchors and merge keys: each service is a user, at the line where the image is written", async () => {
    const { inventory } = await one(`
x-base: &base
  image: &img o/n:1.2.3
  volumes: &v [../patches/p/x.py:/usr/lib/python3/dist-packages/x.py]
services:
  a:
    <<: *base
  b: { <<: [*base], image: o/m:1.0.0 }
  c: { image: *img, volumes: *v }
`);
    expect(usersIn(inventory)).toEqual({
      "docker.io/o/n:1.2.3": ["a/b/compose.yml:3 a", "a/b/compose.yml:9 c"],
      "docker.io/o/m:1.0.0": ["a/b/compose.yml:8 b"],
    });
    expect(inventory.mounts.map(({ service }) => service)).toEqual(["a", "b", "c"]);
  });

  it("a variable without a value is resolved through the engine profile the file names, and only when it fits", async () => {
    const settings = { profiles: { files: ["engines/*.yml"] } };
    const profile = (spec: string) => ({ "engines/n.yml": `id: nightly\ninstall:\n  spec: ${spec}\n` });
    const text = "# Engine-profile: nightly\nservices:\n  a:\n    image: ${VLLM_IMAGE:-vllm/vllm-openai:nightly-${VLLM_NIGHTLY_SHA}}\n";
    const fits = await one(text, profile(`vllm/vllm-openai:nightly-${SHA}`), settings);
    expect(usersIn(fits.inventory)).toEqual({ [`docker.io/vllm/vllm-openai:nightly-${SHA}`]: ["a/b/compose.yml:4 a"] });
    expect(pinsIn(fits.inventory)).toEqual([`oci:docker.io/vllm/vllm-openai@nightly-${SHA} engines/n.yml:3`]);
    const other = await one(text, profile("vllm/vllm-openai:v0.27.1"), settings);
    expect(other.inventory.images).toEqual([]);
    expect(rulesIn(other)).toEqual(["unresolved-image a/b/compose.yml:4"]);
    const none = await one(text.replace("nightly\n", "gone\n"), profile("o/n:1"), settings);
    expect(rulesIn(none)).toEqual(["unknown-profile a/b/compose.yml:1", "unresolved-image a/b/compose.yml:4"]);
  });

  it("says when the fallback and the profile pin different images", async () => {
    const files = { "engines/s.yml": "id: stable\ninstall: { spec: 'o/n:2.0.0' }\n" };
    const found = await one("# Engine-profile: stable\nservices:\n  a:\n    image: ${I:-o/n:1.0.0}\n", files, {
      profiles: { files: ["engines/*.yml"] },
    });
    expect(rulesIn(found)).toEqual(["profile-differs a/b/compose.yml:4"]);
    expect(usersIn(found.inventory)).toEqual({ "docker.io/o/n:1.0.0": ["a/b/compose.yml:4 a"] });
  });

  it.each(["${TAG}", "o/n:${TAG}", "${IMAGE:?say which}", "Not An Image", "o/n@sha256:short"])(
    "reports no image for %s, and says so",
    async (image) => {
      const found = await one(`services:\n  a:\n    image: "${image}"\n`);
      expect(found.inventory.images).toEqual([]);
      expect(rulesIn(found)).toContain("unresolved-image a/b/compose.yml:3");
    },
  );

  it.each([
    ["a Helm value", "image:\n  repository: o/n\n"],
    ["a top-level key of that name", "services: none\nimage: o/n:1\n"],
    ["a service that is no map", "services:\n  a: o/n:1\n  b: [image]\n"],
    ["another document's list", "services:\n  - image: o/n:1\n"],
  ])("reports no image for %s", async (_, text) => {
    expect((await one(text)).inventory.images).toEqual([]);
  });
});

describe("extends, !reset and !override", () => {
  const base = `services:
  base:
    image: o/n:1.2.3
    volumes:
      - ../patches/p/x.py:/usr/lib/python3/dist-packages/x.py:ro
      - ../patches/p/y.py:/usr/lib/python3/dist-packages/y.py:ro
    environment: [A_ENABLE_X=1, A_ENABLE_Y=1]
    entrypoint: [bash, -c, "python3 /usr/lib/python3/dist-packages/x.py && exec vllm serve"]
`;
  const child = (body: string) => ({
    "a/base.yml": base,
    "a/b/compose.yml": `services:\n  child:\n    extends: { file: ../base.yml, service: base }\n${body}`,
  });
  const of = async (body: string) => {
    const { inventory, findings } = await scanOf(child(body));
    const mine = <T extends { service: string; file: string }>(list: T[]) => list.filter(({ file }) => file === "a/b/compose.yml");
    return {
      image: inventory.images.filter(({ users }) => users.some(({ service }) => service === "child")).map(({ image }) => image),
      mounts: mine(inventory.mounts).map(({ source, line }) => `${source}:${line}`),
      flags: mine(inventory.envFlags).map(({ name, value }) => `${name}=${value}`),
      runs: mine(inventory.invocations).length,
      findings,
    };
  };
  it("inherits everything, with paths from the base's folder and places in the child", async () => {
    expect(await of("")).toMatchObject({
      image: ["docker.io/o/n:1.2.3"],
      mounts: ["patches/p/x.py:3", "patches/p/y.py:3"],
      flags: ["A_ENABLE_X=1", "A_ENABLE_Y=1"],
      runs: 1,
    });
  });
  it("a child's own values win by target and by name", async () => {
    const found = await of(
      "    volumes: [./z.py:/usr/lib/python3/dist-packages/x.py]\n    environment: { A_ENABLE_Y: 0 }\n    image: o/n:2.0.0\n",
    );
    expect(found).toMatchObject({
      image: ["docker.io/o/n:2.0.0"],
      mounts: ["patches/p/y.py:3", "a/b/z.py:4"],
      flags: ["A_ENABLE_X=1", "A_ENABLE_Y=0"],
    });
  });
  it("!reset takes away, !override replaces", async () => {
    expect(await of("    volumes: !reset []\n    environment: !override [A_ENABLE_Z=1]\n    entrypoint: !reset null\n")).toMatchObject({
      image: ["docker.io/o/n:1.2.3"],
      mounts: [],
      flags: ["A_ENABLE_Z=1"],
      runs: 0,
    });
    expect((await of("    image: !reset null\n    build: .\n")).image).toEqual([]);
  });
  it("extends a service of the same file, by name alone too", async () => {
    const { inventory } = await one("services:\n  a: { image: o/n:1 }\n  b: { extends: a }\n  c: { extends: { service: b } }\n");
    expect(usersIn(inventory)["docker.io/o/n:1"]).toEqual(["a/b/compose.yml:2 a", "a/b/compose.yml:2 b", "a/b/compose.yml:2 c"]);
  });
  it.each([
    ["a file that is not there", "extends: { file: gone.yml, service: x }"],
    ["a service that is not there", "extends: { service: gone }"],
    ["itself", "extends: { service: child }"],
    ["nothing", "extends: { file: gone.yml }"],
  ])("says when it extends %s", async (_, line) => {
    expect(rulesIn(await one(`services:\n  child:\n    ${line}\n`))).toContain("unresolved-image a/b/compose.yml:3");
  });
  it("ends on a circle over two files", async () => {
    const found = await scanOf({
      "a.yml": "services:\n  a: { extends: { file: b.yml, service: b } }\n",
      "b.yml": "services:\n  b: { extends: { file: a.yml, service: a } }\n",
    });
    expect(found.findings.every(({ rule }) => rule === "unresolved-image" || rule === "nothing-found")).toBe(true);
  });
});

describe("patch mounts", () => {
  const mounts = async (lines: string, settings = {}) =>
    (await one(`services:\n  a:\n    image: o/n:1\n    volumes:\n${lines}`, {}, settings)).inventory.mounts.map(
      ({ source, target, readonly }) => `${source} -> ${target}${readonly ? " ro" : ""}`,
    );
  it("short and long form, any depth, with and without a mode", async () => {
    expect(
      await mounts(`      - ../patches/p/x.py:/usr/lib/python3.12/dist-packages/x.py:ro
      - ./patches/q.jinja:/etc/q.jinja
      - ../../models/m/patches/dir:/etc/dir:ro,z
      - { type: bind, source: ../y.py, target: /opt/venv/lib/python3.12/site-packages/y.py, read_only: true }
      - type: bind
        source: \${HERE:-../patches}/z.py
        target: /z.py
`),
    ).toEqual([
      "a/patches/p/x.py -> /usr/lib/python3.12/dist-packages/x.py ro",
      "a/b/patches/q.jinja -> /etc/q.jinja",
      "models/m/patches/dir -> /etc/dir ro",
      "a/y.py -> /opt/venv/lib/python3.12/site-packages/y.py ro",
      "a/patches/z.py -> /z.py",
    ]);
  });
  it("leaves caches, named volumes and other types alone", async () => {
    expect(
      await mounts(`      - cache:/root/.cache
      - \${MODEL_DIR:-../../models}:/root/.cache/huggingface
      - { type: tmpfs, target: /usr/lib/python3/dist-packages/t }
      - { type: volume, source: patches, target: /usr/lib/python3/dist-packages/v }
`),
    ).toEqual([]);
  });
  it("a second mount on one path is an error with both lines", async () => {
    const found = await one(
      "services:\n  a:\n    image: o/n:1.0.0\n    volumes:\n      - ./patches/x.py:/x.py\n      - ./patches/y.py:/x.py\n",
    );
    expect(rulesIn(found)).toContain("duplicate-target a/b/compose.yml:6");
    expect(found.findings.find(({ rule }) => rule === "duplicate-target")?.message).toContain("line 5");
  });
});

describe("what entrypoints run", () => {
  const text = `services:
  a:
    image: o/n:1.0.0
    volumes:
      - ../patches/local/fix.py:/patches/fix.py:ro
      - ../patches/dir:/etc/dir:ro
      - ../patches/genesis/vllm/_genesis:/usr/lib/python3/dist-packages/vllm/_genesis
      - ../scripts/detect.sh:/etc/detect.sh
      - ../patches/t.jinja:/etc/t.jinja
    entrypoint:
      - /bin/bash
      - -c
      - |
        set -e
        # python3 /patches/commented.py
        source /etc/detect.sh
        if [ "$\${X:-0}" = 1 ]; then bash /etc/dir/install.sh || exit 1; fi
        python3 -m vllm._genesis.patches.apply_all
        python3 /patches/fix.py   # trailing
        python3 /app/server_helper.py
        echo "python3 /patches/echoed.py"
        pip install --quiet --upgrade transformers==5.8.0 'xxhash' numpy>=2
        exec vllm serve "$@"
        python3 /patches/late.py
      - --
    command:
      - --chat-template
      - /etc/t.jinja
      - --model
      - owner/name
      - --revision
      - ${"c".repeat(6)}1
`;
  it("scripts of the stack, modules that are mounted, and templates, each with its line and the file behind it", async () => {
    const { inventory } = await one(text);
    expect(inventory.invocations.map(({ path, source, line }) => [path, source, line])).toEqual([
      ["/etc/detect.sh", "a/scripts/detect.sh", 16],
      ["/etc/dir/install.sh", "a/patches/dir/install.sh", 17],
      ["vllm._genesis.patches.apply_all", "a/patches/genesis/vllm/_genesis/patches/apply_all.py", 18],
      ["/patches/fix.py", "a/patches/local/fix.py", 19],
      ["/patches/late.py", undefined, 24],
      ["/etc/t.jinja", "a/patches/t.jinja", 28],
    ]);
    expect(inventory.starts).toMatchObject([{ command: "vllm serve", line: 23, service: "a" }]);
  });
  it("pins what pip installs exactly, and the revision of a model", async () => {
    expect(pinsIn((await one(text)).inventory)).toEqual([
      "pypi:transformers@5.8.0 a/b/compose.yml:22",
      "hf:owner/name@cccccc1 a/b/compose.yml:32",
    ]);
  });
  it.each([
    ["a string", `command: bash -c "python3 /patches/fix.py && vllm serve"`],
    ["a list", `command: ["python3", "/patches/fix.py"]`],
    ["a folded block", "command: >\n      bash -c\n      'python3\n      /patches/fix.py'"],
    ["sh -ec in a list", `entrypoint: [sh, -ec, "exec python3 -u /patches/fix.py"]`],
  ])("as %s", async (_, line) => {
    const { inventory } = await one(`services:\n  a:\n    image: o/n:1\n    ${line}\n`);
    expect(inventory.invocations.map(({ path }) => path)).toEqual(["/patches/fix.py"]);
  });
  it("flags that match are recorded with their values; secrets and bare names are not", async () => {
    const { inventory } = await one(
      "services:\n  a:\n    image: o/n:1\n    env_file: [x.env]\n    environment:\n      - A_ENABLE_X=${A_ENABLE_X:-0}\n      - A_ENABLE_BARE\n      - A_USE_TOKEN=hunter2\n      - OTHER=1\n",
      { "a/b/x.env": "B_ENABLE_Y=1\nA_ENABLE_X=9\n" },
    );
    expect(inventory.envFlags.map(({ name, value, line }) => `${name}=${value}:${line}`)).toEqual(["B_ENABLE_Y=1:4", "A_ENABLE_X=0:6"]);
  });
});

describe("dollars that compose takes (pain D12)", () => {
  const script = (line: string) =>
    `services:\n  a:\n    image: o/n:1.0.0\n    entrypoint:\n      - bash\n      - -c\n      - |\n        n=1\n        # \${NOTE:-x}\n        ${line}\n        exec vllm serve "$@"\n`;
  const levels = async (line: string) =>
    (await one(script(line))).findings.filter(({ rule }) => rule === "unescaped-dollar").map(({ level, line: at }) => `${level}:${at}`);
  it.each([
    ['if [ "${_NVLINK_ENABLED:-0}" = "1" ]; then x; fi', ["warning:10"]],
    ['echo "$n"', ["error:10"]],
    ['for f in a b; do echo "${f}"; done', ["error:10"]],
    ['read answer; echo "$answer"', ["error:10"]],
    ['echo "${list[@]}"', ["error:10"]],
    ['echo "$$n $${n} $${list[@]}"', []],
    ["exec vllm serve ${VLLM_ENFORCE_EAGER:+--enforce-eager}", []],
    ['echo "$(date) $1 $@ $?"', []],
  ])("%s", async (line, expected) => {
    expect(await levels(line)).toEqual(expected);
  });
});

describe("compose files that cannot be read", () => {
  it.each([
    ["E12 a tab", "services:\n\ta:\n    image: o/n:1\n", 2],
    ["E12 a key twice", "services:\n  a:\n    image: o/n:1\n    image: o/n:2\n", 4],
    ["an unfinished list", "services:\n  a: [\n", 3],
  ])("%s is an error with its line", async (_, text, line) => {
    expect(rulesIn(await one(text))).toContain(`syntax a/b/compose.yml:${line}`);
  });
  it("E12 a bomb of aliases spoils its file alone", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) =>
        `l${n + 1}: &l${n + 1} {${Array.from({ length: 10 }, (__, m) => `k${m}: *l${n}`).join(", ")}, <<: [${Array(8).fill(`*l${n}`).join(", ")}]}`,
    );
    const found = await one(`l0: &l0 { image: o/n:1 }\n${levels.join("\n")}\nservices:\n  a: { <<: *l12 }\n`, {
      "good.yml": "services:\n  g: { image: o/n:1 }\n",
    });
    expect(usersIn(found.inventory)["docker.io/o/n:1"]).toEqual(expect.arrayContaining(["good.yml:2 g"]));
    expect(rulesIn(found)).toContain("syntax a/b/compose.yml:1");
  });
});
