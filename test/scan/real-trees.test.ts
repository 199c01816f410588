import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LineCounter, isMap, isScalar, parseDocument } from "yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { readTree } from "../../scripts/tree.ts";
import { load } from "../../src/model/load.ts";
import { scanSettings } from "../../src/model/shapes/scan.ts";
import { sortedJson } from "../../src/model/sorted-json.ts";
import type { TreeScan } from "../../src/model/tree.ts";
import { knownOf } from "../../src/scan/known.ts";
import { scan } from "../../src/scan/scan.ts";
import { ROOT } from "../real.ts";
import { pinsIn } from "./tree.ts";

/** The stack's own tree on two days. Where they are not at hand these tests are skipped; the fixtures cover the same shapes. */
const at = (day: string) => fileURLToPath(new URL(`../../../shared/club-3090/${day}`, import.meta.url));
const MAY = at("2026-05-12");
const AUGUST = at("2026-08-22");

async function scanned(folder: string): Promise<TreeScan> {
  const { model } = load(ROOT);
  const settings = model.tracker.scan ?? scanSettings.parse({});
  return scan(await readTree(folder, model.tracker.repo, settings), settings, knownOf(model));
}

/** The `image:` lines of every compose file, found another way: the yaml package, one file at a time. */
function imageLines(folder: string): { file: string; line: number; raw: string; service: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /^(models|services)\/.*\.ya?ml$/.test(name));
  return files.sort().flatMap((file) => {
    const counter = new LineCounter();
    const doc = parseDocument(readFileSync(`${folder}/${file}`, "utf8"), { lineCounter: counter });
    const services = doc.get("services");
    if (!isMap(services)) return [];
    return services.items.flatMap(({ key, value }) => {
      const pair = isMap(value) ? value.items.find((item) => isScalar(item.key) && item.key.value === "image") : undefined;
      if (!pair || !isScalar(pair.key) || !isScalar(pair.value)) return [];
      return [
        {
          file,
          line: counter.linePos(pair.key.range?.[0] ?? 0).line,
          raw: String(pair.value.value),
          service: String(isScalar(key) ? key.value : ""),
        },
      ];
    });
  });
}

describe.skipIf(!existsSync(MAY))("the stack on 2026-05-12", () => {
  let found: TreeScan;
  beforeAll(async () => {
    found = await scanned(MAY);
  });
  const live = (image: string) => found.inventory.images.find((row) => row.image.includes(image))?.users.length;

  it("34 model composes and 6 services", () => {
    expect(found.inventory.counts).toEqual({ composes: 34, services: 6 });
  });
  it("the four image strings with their users", () => {
    expect([live("nightly-1acd67a7"), live("nightly-e47c98ef"), live("nightly-01d4d1ad"), live("server-cuda")]).toEqual([29, 2, 1, 2]);
  });
  it("146 overlay mounts over dist-packages in 29 services", () => {
    const overlays = found.inventory.mounts.filter(({ target }) => target.includes("/dist-packages/"));
    expect([overlays.length, new Set(overlays.map(({ file, service }) => `${file} ${service}`)).size]).toEqual([146, 29]);
  });
  it("the Genesis commit, by the document that cites it, because the setup script is only listed", () => {
    expect(pinsIn(found.inventory)).toContain("git:Sandermage/genesis-vllm-patches@7b9fd319 docs/UPSTREAM.md:34");
    expect(found.findings.filter(({ rule }) => rule === "not-scanned")).toMatchObject([{ file: "scripts/setup.sh" }]);
  });
  it("transformers in three entrypoints", () => {
    expect(pinsIn(found.inventory).filter((pin) => pin.startsWith("pypi:transformers@5.8.0"))).toHaveLength(3);
  });
  it("Genesis and the sidecar run in nine composes, before the server starts", () => {
    const runs = found.inventory.invocations.filter(({ path }) => /apply_all|deferred_commit/.test(path));
    expect(runs).toHaveLength(18);
    for (const { file, line } of runs) expect(found.inventory.starts?.find((start) => start.file === file)?.line).toBeGreaterThan(line);
  });
  it("E1 the typed counts 19 and 4 are wrong, 2 and 2 are right", () => {
    const counts = found.findings.filter(({ rule }) => rule === "count-differs");
    expect(counts.map(({ file, line, message }) => `${file}:${line} ${/Says \d+.*has \d+/.exec(message)?.[0]}`)).toEqual([
      "docs/UPSTREAM.md:53 Says 19 for vllm/vllm-openai:nightly-01d4d1ad; the tree has 1",
      "docs/UPSTREAM.md:54 Says 4 for vllm/vllm-openai:nightly-1acd67a7; the tree has 29",
    ]);
  });
  it("D10 patch files that are cited and deleted", () => {
    const cited = found.findings.filter(({ rule, file }) => rule === "cites-missing-file" && file === "docs/UPSTREAM.md");
    expect(cited.map(({ message }) => /Cites ([\w./-]+)/.exec(message)?.[1]).sort()).toEqual([
      "patch_fa_max_seqlen_clamp.py",
      "patch_inputs_embeds_optional.py",
      "patch_pn12_ffn_pool_anchor.py",
      "patch_pn25_genesis_register_fix.py",
      "patch_pn30_dst_shaped_temp_fix.py",
      "patch_pr40798_workspace.py",
      "patch_tolist_cudagraph.py",
      "patch_workspace_lock_disable.py",
    ]);
  });
  it("patch folders that nothing delivers", () => {
    const unused = found.findings.filter(({ rule }) => rule === "unused-patch-folder");
    expect(unused.map(({ message }) => /patches\/([\w-]+)/.exec(message)?.[1]).sort()).toEqual([
      "vllm-gemma4-fp8-ampere",
      "vllm-perheadkv-hybridpage-fix",
      "vllm-pr40391-perheadkv",
      "vllm-pr40914-k1-only",
    ]);
  });
  it("E6 a document that states an older pin than the row", () => {
    expect(found.findings.filter(({ rule }) => rule === "pin-differs")).toMatchObject([{ file: "docs/CLIFFS.md", line: 66 }]);
  });
  it("is what data/observed/inventory.json holds, byte for byte", () => {
    expect(readFileSync(`${ROOT}data/observed/inventory.json`, "utf8")).toBe(sortedJson(found.inventory));
  });
});

describe.skipIf(!existsSync(AUGUST))("the stack on 2026-08-22", () => {
  let found: TreeScan;
  beforeAll(async () => {
    found = await scanned(AUGUST);
  });

  it("every image line of every compose has its user, and nothing else has one", () => {
    const users = found.inventory.images.flatMap(({ raw, users: all }) =>
      all.map(({ file, line, service }) => ({ file, line, service, raw })),
    );
    const lines = imageLines(AUGUST);
    expect(lines).toHaveLength(134);
    expect(users.map(({ file, line, service }) => `${file}:${line} ${service}`).sort()).toEqual(
      lines.map(({ file, line, service }) => `${file}:${line} ${service}`).sort(),
    );
    for (const { file, line, raw } of lines) expect(users.find((user) => user.file === file && user.line === line)?.raw).toContain(raw);
  });
  it("live and archived apart", () => {
    expect(found.inventory.counts).toEqual({ composes: 101, services: 12, archived: 21 });
    const users = found.inventory.images.flatMap((row) => row.users);
    expect(users.filter(({ archived }) => archived)).toHaveLength(21);
    for (const { file, archived } of users) expect(archived).toBe(file.includes("/_archive/"));
    expect(found.findings.filter(({ file }) => file.includes("/_archive/"))).toEqual([]);
  });
  it("E5 what really runs, with its users", () => {
    const live = found.inventory.images.map(
      ({ image, users }) =>
        [
          image.replace(/^docker\.io\/|(?<=[:@][^:]{0,20}[0-9a-f]{8})[0-9a-f]{20,}$/g, ""),
          users.filter(({ archived }) => !archived).length,
        ] as const,
    );
    const counts = Object.fromEntries(
      live.filter(([image, count]) => count > 0 && !/library|qdrant|searxng|studio|comfyui|litellm|webui|dashboard/.test(image)),
    );
    expect(counts).toEqual({
      "ghcr.io/anbeeld/beellama.cpp:server-cuda-v0.3.0": 1,
      "ghcr.io/anbeeld/beellama.cpp@sha256:858e7cfb": 3,
      "ghcr.io/ggml-org/llama.cpp:server-cuda": 1,
      "ghcr.io/ggml-org/llama.cpp:server-cuda-b10236": 13,
      "ghcr.io/ggml-org/llama.cpp:server-cuda-b9570": 1,
      "ghcr.io/ikawrakow/ik-llama-cpp@sha256:5f914f1c": 13,
      "ghcr.io/ikawrakow/ik-llama-cpp@sha256:b35e062c": 2,
      "ghcr.io/noonghunna/beellama-cpp:multiarch-v0.3.0-efe856397": 6,
      "ghcr.io/noonghunna/llamacpp-club3090@sha256:17824d44": 2,
      "ghcr.io/noonghunna/llamacpp-club3090@sha256:55f43424": 3,
      "lmcache/vllm-openai@sha256:663f9b2f": 1,
      "lmsysorg/sglang:v0.5.12": 2,
      "vllm/vllm-omni:v0.20.0": 1,
      "vllm/vllm-openai:gemma4-unified": 2,
      "vllm/vllm-openai:v0.21.0": 1,
      "vllm/vllm-openai:v0.22.0": 4,
      "vllm/vllm-openai:v0.24.0": 1,
      "vllm/vllm-openai:v0.27.1": 45,
    });
  });
  it("nested variables are resolved through the engine profile that the compose names", () => {
    const nested = found.inventory.images.filter(({ raw }) => raw.some((text) => text.includes("VLLM_NIGHTLY_SHA")));
    expect(nested.map(({ image, users }) => [/nightly-[0-9a-f]{8}/.exec(image)?.[0], users.length])).toEqual([
      ["nightly-01d4d1ad", 9],
      ["nightly-bf610c2f", 8],
      ["nightly-e47c98ef", 4],
    ]);
    for (const { users } of nested) {
      for (const { file } of users) {
        const profile = /# Engine-profile: (\S+)/.exec(readFileSync(`${AUGUST}/${file}`, "utf8"))?.[1];
        const spec = readFileSync(`${AUGUST}/scripts/lib/profiles/engines/${profile}.yml`, "utf8");
        expect(spec).toMatch(/nightly-[0-9a-f]{40}/);
      }
    }
  });
  it("what each engine profile pins", () => {
    expect(found.inventory.pins.filter(({ file }) => file.includes("/engines/"))).toHaveLength(14);
  });
  it("E10 links that lead nowhere: three in each of two documents", () => {
    const text = (file: string) => readFileSync(`${AUGUST}/${file}`, "utf8");
    const dead = (file: string) =>
      [...text(file).matchAll(/\]\((\.\.?\/[^)#\s]+)/g)].filter(([, target = ""]) => {
        const path = fileURLToPath(new URL(target, `file:///docs/x.md`)).slice(1);
        return ![...found.paths].some((known) => known === path || known.startsWith(`${path.replace(/\/$/, "")}/`));
      });
    expect([dead("docs/UPSTREAM.md").length, dead("docs/CLIFFS.md").length]).toEqual([3, 3]);
    for (const file of ["docs/UPSTREAM.md", "docs/CLIFFS.md"]) {
      const told = found.findings
        .filter((finding) => finding.rule === "cites-missing-file" && finding.file === file)
        .map(({ message }) => message)
        .join("\n");
      for (const [, target = ""] of dead(file)) expect(told).toContain(target.replace("../", ""));
    }
  });
});
