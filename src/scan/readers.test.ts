// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells and Dockerfiles write their variables so
import { describe, expect, it } from "vitest";
import { pinsIn, rulesIn, scanOf, usersIn } from "../../test/scan/tree.ts";

const SHA = "1acd67a795ebccdf9b9db7697ae9082058301657";
const pins = async (path: string, text: string, more = {}) => pinsIn((await scanOf({ [path]: text }, more)).inventory);
const users = async (files: Record<string, string>) => usersIn((await scanOf(files)).inventory);

describe("shell scripts", () => {
  it.each([
    [
      "a default followed to the checkout",
      `PIN="\${PIN:-${SHA}}"\ngit clone https://github.com/o/r.git "$DIR"\ngit -C "$DIR" checkout "$PIN"\n`,
      [`git:o/r@${SHA} setup.sh:1`],
    ],
    ["an := default", `: "\${PIN:=${SHA}}"\ngit clone git@github.com:o/r\ncd r && git checkout -q "$PIN"\n`, [`git:o/r@${SHA} setup.sh:1`]],
    ["a short sha on the spot", "git clone https://github.com/o/r\ngit checkout 7b9fd319 # why\n", ["git:o/r@7b9fd319 setup.sh:2"]],
    ["a tag", "git clone --depth 1 --branch v1.2.0 https://github.com/o/r\n", ["git:o/r@v1.2.0 setup.sh:1"]],
    [
      "the folder says which clone",
      `git clone https://github.com/a/a x\ngit clone https://github.com/b/b y\ngit -C x reset --hard ${SHA}\n`,
      [`git:a/a@${SHA} setup.sh:3`],
    ],
    ["a branch pins nothing", "git clone https://github.com/o/r\ngit checkout main\ngit checkout -b feature\n", []],
    ["a commit that only a variable holds", `VLLM_COMMIT="${SHA}"\nCHECKSUM=${SHA}\n`, [`git:VLLM_COMMIT@${SHA} setup.sh:1`]],
    [
      "pip in all its forms",
      'sudo pip3 install "a[b]==1.0" c>=2 \\\n  d==3.0.*\npython3 -m pip install e==4\nuv pip install f==5 && pipx install g==6\n',
      ["pypi:a@1.0 setup.sh:1", "pypi:e@4 setup.sh:3", "pypi:f@5 setup.sh:4", "pypi:g@6 setup.sh:4"],
    ],
    ["pip from a commit", `pip install "x @ git+https://github.com/o/r.git@${SHA}"\n`, [`git:o/r@${SHA} setup.sh:1`]],
    [
      "npm",
      "npm i -g a@1.2.3 @s/b@2.0.0-rc.1 c@latest d\nnpx e@1.0.0 run\n",
      ["npm:@s/b@2.0.0-rc.1 setup.sh:1", "npm:a@1.2.3 setup.sh:1", "npm:e@1.0.0 setup.sh:2"],
    ],
    [
      "Hugging Face",
      `hf download o/m --revision ${SHA}\nhuggingface-cli download o/n\ncurl https://huggingface.co/o/w/resolve/${SHA}/f.gguf\n`,
      [`hf:o/m@${SHA} setup.sh:1`, `hf:o/w@${SHA} setup.sh:3`],
    ],
    [
      "comments, messages and here-documents pin nothing",
      `# git checkout ${SHA}\necho "pip install a==1"\ncat <<EOF\npip install b==1\nEOF\n`,
      [],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await pins("setup.sh", text)).toEqual(expected);
  });
  it("a script without an ending is told by its first line", async () => {
    const text = "git clone https://github.com/o/r && git checkout 7b9fd319\n";
    expect(await pins("bin/setup", `#!/usr/bin/env bash\n${text}`)).toHaveLength(1);
    expect(await pins("bin/setup", `#!/usr/bin/env python3\n${text}`)).toEqual([]);
    expect(await pins("LICENSE", "git is mentioned\n")).toEqual([]);
  });
  it("images that docker runs and pulls, and what runs inside", async () => {
    const text = `IMG="\${IMG:-o/n:1.2.3}"
docker pull ghcr.io/o/p:2.0.0
docker run --rm -it --gpus all -v "$PWD:/w" -e A=1 --name x "$IMG" bash -c "pip install a==1.0"
docker compose run web
docker exec web ls
docker run $OPTS "$UNKNOWN"
docker run alpine
`;
    const { inventory } = await scanOf({ "run.sh": text });
    expect(usersIn(inventory)).toEqual({ "docker.io/o/n:1.2.3": ["run.sh:1 docker run"], "ghcr.io/o/p:2.0.0": ["run.sh:2 docker pull"] });
    expect(pinsIn(inventory)).toEqual(["pypi:a@1.0 run.sh:3"]);
    expect(inventory.counts).toMatchObject({ composes: 0 });
  });
  it("patches that a script applies, with the file of the tree", async () => {
    const { inventory } = await scanOf({
      "scripts/setup.sh": 'bash "$ROOT/models/m/patches/p/install.sh"\npython3 models/m/patches/fix.py\npython3 tool.py\n',
      "models/m/patches/p/install.sh": "x",
      "models/m/patches/fix.py": "x",
    });
    expect(inventory.invocations.map(({ source, line }) => `${source}:${line}`)).toEqual([
      "models/m/patches/p/install.sh:1",
      "models/m/patches/fix.py:2",
    ]);
  });
  it("a pin's own variable is that pin, in scripts and in .env files", async () => {
    const rows = {
      pinOfEnv: new Map([["TOOL_PIN", { kind: "git" as const, name: "o/tool", value: "7b9fd3194ee6", row: "data/pins/tool.yaml" }]]),
    };
    const { inventory, findings } = await scanOf(
      {
        "a.sh": "TOOL_PIN=${TOOL_PIN:-7b9fd319}\ngit x\n",
        ".env.example": "TOOL_PIN=2db18df\n",
        "d.md": "`TOOL_PIN=2db18df`, TOOL_PIN=7b9fd319\n",
      },
      { rows },
    );
    expect(pinsIn(inventory)).toEqual(["git:o/tool@2db18df .env.example:1", "git:o/tool@7b9fd319 a.sh:1"]);
    expect(findings.map(({ rule, file }) => `${rule} ${file}`)).toEqual(["pin-differs d.md"]);
  });
});

describe("Dockerfiles", () => {
  const text = `# syntax=docker/dockerfile:1
ARG TAG=v1.2.3
ARG BASE="o/n:\${TAG}"
FROM --platform=linux/amd64 \${BASE} AS build
ARG TOOL=${SHA}
RUN git clone https://github.com/o/r && \\
    # a comment inside
    cd r && git checkout \${TOOL} && \\
    pip install a==1.0
FROM build AS test
RUN ["pip", "install", "b==2.0"]
FROM scratch
COPY --from=build /x /x
COPY --from=ghcr.io/o/tools:3.0.0 /y /y
RUN --mount=type=bind,from=o/mount:4.0.0,target=/z <<EOF
pip install c==3.0
EOF
FROM \${MISSING}
`;
  it("bases with their ARGs, images copied from, and what RUN pins", async () => {
    const found = await scanOf({ "x/Dockerfile": text });
    expect(usersIn(found.inventory)).toEqual({
      "docker.io/o/n:v1.2.3": ["x/Dockerfile:4 build"],
      "ghcr.io/o/tools:3.0.0": ["x/Dockerfile:14 Dockerfile line 12"],
      "docker.io/o/mount:4.0.0": ["x/Dockerfile:15 Dockerfile line 12"],
    });
    expect(pinsIn(found.inventory)).toEqual([
      `git:o/r@${SHA} x/Dockerfile:5`,
      "pypi:a@1.0 x/Dockerfile:9",
      "pypi:b@2.0 x/Dockerfile:11",
      "pypi:c@3.0 x/Dockerfile:16",
    ]);
    expect(rulesIn(found)).toEqual(["unresolved-image x/Dockerfile:18"]);
  });
  it.each(["Dockerfile.cuda", "gpu.Dockerfile", "Containerfile", "docker/Dockerfile"])("%s is one", async (path) => {
    expect(await users({ [path]: "FROM o/n:1\n" })).toEqual({ "docker.io/o/n:1": [`${path}:1 ${path.split("/").at(-1)}`] });
  });
});

describe("requirements and lock files", () => {
  it.each([
    [
      "requirements.txt",
      `# a==0\nA.b_c==1.0 ; python_version>"3"\nd>=2\ne==3.* \nf @ git+https://github.com/o/r@${SHA}#egg=f\n-e git+https://github.com/o/s.git@v1.0.0#egg=s\ng==4.0 --hash=sha256:00 \\\n`,
      [
        "pypi:a-b-c@1.0 requirements.txt:2",
        `git:o/r@${SHA} requirements.txt:5`,
        "git:o/s@v1.0.0 requirements.txt:6",
        "pypi:g@4.0 requirements.txt:7",
      ],
    ],
    ["deploy/constraints-gpu.txt", "a==1\n", ["pypi:a@1 deploy/constraints-gpu.txt:1"]],
    ["requirements/dev.txt", "a==1\n", ["pypi:a@1 requirements/dev.txt:1"]],
    ["pyproject.toml", '[project]\ndependencies = ["a==1.0", "b>=2"]\n# "c==3"\n', ["pypi:a@1.0 pyproject.toml:2"]],
    [
      "package-lock.json",
      JSON.stringify(
        {
          lockfileVersion: 3,
          packages: {
            "": { dependencies: { a: "^1" }, devDependencies: { "@s/b": "*" } },
            "node_modules/@s/b": { version: "2.0.0" },
            "node_modules/a": { version: "1.2.3" },
            "node_modules/deep": { version: "9.9.9" },
          },
        },
        undefined,
        2,
      ),
      ["npm:@s/b@2.0.0 package-lock.json:12", "npm:a@1.2.3 package-lock.json:15"],
    ],
    [
      "pnpm-lock.yaml",
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.2.3(peer@1.0.0)\n      local:\n        specifier: x\n        version: link:../x\npackages:\n  deep@9.9.9: {}\n",
      ["npm:a@1.2.3 pnpm-lock.yaml:5"],
    ],
    [
      "Pipfile.lock",
      JSON.stringify({ _meta: {}, default: { a: { version: "==1.0" } }, develop: { b: { version: "==2.0" } } }, undefined, 1),
      ["pypi:a@1.0 Pipfile.lock:4", "pypi:b@2.0 Pipfile.lock:9"],
    ],
    [
      "poetry.lock",
      '[[package]]\nname = "a"\nversion = "1.0"\n\n[package.dependencies]\nz = "*"\n\n[[package]]\nname = "b"\nversion = "2.0"\n\n[metadata]\nversion = "9"\n',
      ["pypi:a@1.0 poetry.lock:1", "pypi:b@2.0 poetry.lock:8"],
    ],
    [
      "uv.lock",
      'version = 1\n\n[[package]]\nname = "me"\nversion = "0.1.0"\nsource = { virtual = "." }\ndependencies = [\n    { name = "a" },\n]\n\n[[package]]\nname = "a"\nversion = "1.0"\n\n[[package]]\nname = "deep"\nversion = "9"\n',
      ["pypi:a@1.0 uv.lock:11"],
    ],
  ])("%s", async (path, text, expected) => {
    expect(await pins(path, text)).toEqual(expected);
  });
  it("a broken lock file is an error, and the others are read", async () => {
    const found = await scanOf({ "package-lock.json": "{", "b/requirements.txt": "a==1\n" });
    expect(rulesIn(found)).toEqual(["syntax package-lock.json:1"]);
    expect(pinsIn(found.inventory)).toEqual(["pypi:a@1 b/requirements.txt:1"]);
  });
});

describe("Kubernetes and Helm", () => {
  const manifest = `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      initContainers:
        - { name: init, image: o/init:1.0.0 }
      containers:
        - name: main
          image: "ghcr.io/o/n:2.0.0" # why
---
apiVersion: batch/v1
kind: CronJob
spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image: o/job:3.0.0 }] } } } } }
---
apiVersion: v1
kind: ConfigMap
data: { image: o/none:1 }
`;
  it("every container at any depth, in every document", async () => {
    expect(await users({ "k/deploy.yaml": manifest })).toEqual({
      "docker.io/o/init:1.0.0": ["k/deploy.yaml:7 init"],
      "ghcr.io/o/n:2.0.0": ["k/deploy.yaml:10 main"],
      "docker.io/o/job:3.0.0": ["k/deploy.yaml:14 container"],
    });
  });
  it("a kustomization's images", async () => {
    const text =
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nimages:\n  - name: o/n\n    newTag: 1.2.3\n  - { name: x, newName: ghcr.io/o/m, newTag: 2.0.0 }\n";
    expect(await users({ "k/kustomization.yaml": text })).toEqual({
      "docker.io/o/n:1.2.3": ["k/kustomization.yaml:4 kustomization"],
      "ghcr.io/o/m:2.0.0": ["k/kustomization.yaml:6 kustomization"],
    });
  });
  it("a chart's values, with the chart's version where the tag is empty, and literal images of templates", async () => {
    const found = await users({
      "chart/Chart.yaml": "apiVersion: v2\nname: c\nappVersion: 9.0.1\n",
      "chart/values.yaml":
        'image:\n  repository: o/n\n  tag: ""\nsidecar:\n  image:\n    registry: ghcr.io\n    repository: o/side\n    tag: 1.2.3\n  busyImage: o/busy:1.0.0\n  image_note: no image\nicon: { image: logo }\n',
      "chart/templates/job.yaml":
        'image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"\n  image: o/literal:4.0.0 # fixed\n{{- if x }}\n',
      "chart/templates/NOTES.txt": "image: o/none:1\n",
    });
    expect(found).toEqual({
      "docker.io/o/n:9.0.1": ["chart/values.yaml:3 image"],
      "ghcr.io/o/side:1.2.3": ["chart/values.yaml:8 sidecar.image"],
      "docker.io/o/busy:1.0.0": ["chart/values.yaml:9 sidecar.busyImage"],
      "docker.io/o/literal:4.0.0": ["chart/templates/job.yaml:2 template"],
    });
  });
});

describe("workflows", () => {
  const text = `on: push
jobs:
  test:
    container: { image: "o/ci:1.0.0" }
    services:
      db: { image: "o/db:2.0.0" }
    steps:
      - uses: actions/checkout@${SHA} # v4.1.0
      - uses: o/r/sub/path@v2
      - uses: ./local
      - uses: docker://ghcr.io/o/tool:3.0.0
      - run: |
          pip install a==1.0
          docker run o/run:\${{ matrix.tag }} x
  call:
    uses: o/w/.github/workflows/x.yml@main
  matrix:
    container: \${{ matrix.image }}
`;
  it("actions, reusable workflows, containers and what the steps install", async () => {
    const { inventory } = await scanOf({ ".github/workflows/ci.yml": text });
    expect(pinsIn(inventory)).toEqual([
      `git:actions/checkout@${SHA} .github/workflows/ci.yml:8`,
      "git:o/r@v2 .github/workflows/ci.yml:9",
      "pypi:a@1.0 .github/workflows/ci.yml:13",
      "git:o/w@main .github/workflows/ci.yml:16",
    ]);
    expect(Object.keys(usersIn(inventory))).toEqual([
      "docker.io/o/ci:1.0.0",
      "docker.io/o/db:2.0.0",
      "docker.io/o/run:0",
      "ghcr.io/o/tool:3.0.0",
    ]);
  });
  it("an action of its own", async () => {
    expect(await users({ "action.yml": "runs: { using: docker, image: 'docker://o/n:1.0.0' }\n" })).toEqual({
      "docker.io/o/n:1.0.0": ["action.yml:1 action"],
    });
  });
});

describe("engine profiles", () => {
  const settings = { profiles: { files: ["engines/*.yml"] } };
  it.each([
    ["o/n:1.2.3", ["oci:docker.io/o/n@1.2.3 engines/a.yml:3"]],
    [`o/n@sha256:${"a".repeat(64)}`, [`oci:docker.io/o/n@sha256:${"a".repeat(64)} engines/a.yml:3`]],
    ["vllm==0.20.2", ["pypi:vllm@0.20.2 engines/a.yml:3"]],
    ['"vllm>=0.21.0rc0,<0.21.0"', []],
    [`o/r@${SHA}`, [`git:o/r@${SHA} engines/a.yml:3`]],
    ["something", []],
  ])("%s", async (spec, expected) => {
    expect(await pins("engines/a.yml", `id: a\ninstall:\n  spec: ${spec}\n`, { settings })).toEqual(expected);
  });
  it("other paths for value and name", async () => {
    const own = { profiles: { files: ["p/*.yaml"], value: "image", id: "meta.name", named_by: "Profile" } };
    const files = {
      "p/x.yaml": "meta: { name: fast }\nimage: o/n:2.0.0\n",
      "c.yml": "# Profile: fast\nservices:\n  a: { image: '${IMAGE}' }\n",
    };
    expect(usersIn((await scanOf(files, { settings: own })).inventory)).toEqual({ "docker.io/o/n:2.0.0": ["c.yml:3 a"] });
  });
});

describe("Hugging Face revisions in code", () => {
  it("links to a revision, and revision= of a call", async () => {
    const text = `m = AutoModel.from_pretrained(\n    "o/m", trust=True,\n    revision="${SHA}",\n)\nx = "https://huggingface.co/datasets/o/d/blob/7b9fd319/f"\ny = from_pretrained("o/none", revision="main")\n`;
    expect(await pins("load.py", text)).toEqual([`hf:o/m@${SHA} load.py:3`, "hf:o/d@7b9fd319 load.py:5"]);
  });
});
