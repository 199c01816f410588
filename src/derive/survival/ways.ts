import type { Patch } from "../../model/shapes/patch.ts";
import type { Variant } from "../../model/shapes/variant.ts";
import type { Delivered } from "../../model/vocabulary.ts";
import type { World } from "../facts.ts";
import { deliveriesOf } from "../users.ts";
import type { Here } from "./compose.ts";
import { overlayFile } from "./files.ts";
import { sharedEnd } from "./paths.ts";

/** What can be said of one part of a patch's way. */
export interface Part {
  verdict: Delivered;
  because: string;
}

/** The way of a patch into one compose, by its kind of delivery. */
export function wayParts(world: World, patch: Patch, here: Here, variant: Variant): Part[] {
  switch (patch.delivery) {
    case "overlay":
      return overlayParts(patch, here);
    case "sidecar":
      return [...mountedParts(patch, here), ...runParts(patch, here)];
    case "template":
      return mountedParts(patch, here);
    case "env-flag":
      return layerParts(world, patch, here);
    case "pip":
      return pipParts(patch, here);
    case "install-script":
      return installParts(world, patch, variant);
  }
}

function overlayParts(patch: Patch, here: Here): Part[] {
  const targets = patch.targets.map((target) => ({ path: target.path, file: overlayFile(patch, target) }));
  const wanted = targets.length > 0 ? targets : patch.files.map((file) => ({ path: undefined, file }));
  const parts = wanted.map(({ path, file }): Part => {
    if (file === undefined) return { verdict: "unknown", because: `no file of the patch matches ${path}` };
    const mount = here.mounts.find(({ source }) => source === file || file.startsWith(folder(source)));
    if (!mount) return { verdict: "not-mounted", because: `${file} is not mounted` };
    const end = mount.source === file ? mount.target : `${folder(mount.target)}${file.slice(folder(mount.source).length)}`;
    if (path !== undefined && !fits(end, path)) {
      return { verdict: "not-mounted", because: `${file} is mounted at ${end}, which is not ${path} (line ${mount.line})` };
    }
    const rival = here.mounts.find(
      (other) => other !== mount && other.service === mount.service && other.source !== mount.source && hides(other.target, end, mount),
    );
    if (rival) return { verdict: "overwritten", because: `${rival.source} is mounted at ${rival.target} too (line ${rival.line})` };
    return { verdict: "delivered", because: `mounted at ${end} (line ${mount.line})` };
  });
  return grouped(parts, wanted.length);
}

/** One sentence for many files of one overlay. */
function grouped(parts: readonly Part[], count: number): Part[] {
  const done = parts.filter(({ verdict }) => verdict === "delivered");
  if (done.length === count && count > 1) return [{ verdict: "delivered", because: `all ${count} files are mounted` }];
  const failed = parts.filter(({ verdict }) => verdict !== "delivered");
  return failed.length > 1 && failed.length < count
    ? failed.map(({ verdict, because }) => ({ verdict, because: `${because} (${failed.length} of ${count} files)` }))
    : [...parts];
}

/** `/usr/lib/python3.12/dist-packages/vllm/x.py` is where `vllm/x.py` is used; a package's folder may be named without its root. */
const fits = (mounted: string, path: string): boolean => {
  const shared = sharedEnd(mounted, path);
  return shared === path.split("/").length || shared >= 3 || mounted.endsWith(`/${path}`);
};

/** Another mount on the same place, or a folder mounted over it later. */
const hides = (other: string, place: string, own: { target: string }): boolean =>
  other === place || (place.startsWith(folder(other)) && other.length > own.target.length);

function mountedParts(patch: Patch, here: Here): Part[] {
  return patch.files.map((file): Part => {
    const mount = here.mounts.find(({ source }) => source === file || file.startsWith(folder(source)));
    return mount
      ? { verdict: "delivered", because: `mounted at ${mount.target} (line ${mount.line})` }
      : { verdict: "not-mounted", because: `${file} is not mounted` };
  });
}

function runParts(patch: Patch, here: Here): Part[] {
  return patch.files
    .filter((file) => /\.(py|sh)$/.test(file))
    .map((file): Part => {
      const name = file.split("/").at(-1) ?? file;
      const run = here.invocations.find(
        ({ path, source }) => source === file || (source === undefined && (path === name || path.endsWith(`/${name}`))),
      );
      return run ? ordered(run, here) : { verdict: "not-invoked", because: `${name} is mounted, and nothing runs it` };
    });
}

/** A script that runs after the server was started changes files that are loaded already. */
function ordered(run: { service: string; line: number; path: string }, here: Here): Part {
  const said = `${run.path} is run at line ${run.line}`;
  if (!here.starts) return { verdict: "delivered", because: `${said}; whether before the server starts was not scanned` };
  const start = here.starts.find(({ service }) => service === run.service);
  if (!start) return { verdict: "delivered", because: `${said}; where the server starts was not found` };
  return start.line < run.line
    ? { verdict: "too-late", because: `${said}, after the server is started at line ${start.line}` }
    : { verdict: "delivered", because: `${said}, before the server starts at line ${start.line}` };
}

/** What edits a file in place cannot edit one that somebody mounts read-only over it (pain D5). */
export function lockParts(patch: Patch, here: Here): Part[] {
  if (patch.delivery !== "sidecar" && patch.delivery !== "env-flag" && patch.delivery !== "install-script") return [];
  return patch.targets.flatMap(({ path }): Part[] => {
    const mount = here.mounts.find((found) => found.readonly === true && (found.target === path || found.target.endsWith(`/${path}`)));
    return mount ? [{ verdict: "target-locked", because: `${mount.source} is mounted read-only over ${path} (line ${mount.line})` }] : [];
  });
}

/** A flag works only where the layer that reads it is mounted and run. */
function layerParts(world: World, patch: Patch, here: Here): Part[] {
  if (patch.part_of === undefined)
    return patch.env.length === 0 ? [{ verdict: "unknown", because: "it is a setting without a flag, which a scan cannot find" }] : [];
  const pin = world.model.pin[patch.part_of];
  const upstream = pin && world.model.upstream[pin.upstream];
  const words = [patch.part_of, pin?.upstream, ...(upstream?.aliases ?? [])]
    .filter((word) => word !== undefined)
    .map((word) => word.toLowerCase());
  const named = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((part) => words.includes(part));
  const mount = here.mounts.find(({ source, target }) => named(source) || named(target));
  const run = here.invocations.find(({ path }) => named(path));
  if (!mount && !run) return [{ verdict: "not-mounted", because: `${patch.part_of}, which reads its flag, is neither mounted nor run` }];
  if (!run) return [{ verdict: "not-invoked", because: `${patch.part_of} is mounted at line ${mount?.line}, and nothing runs it` }];
  return [ordered(run, here)];
}

function pipParts(patch: Patch, here: Here): Part[] {
  const names = patch.covers.flatMap((ref) => /^(?:pypi|npm):([^@\s]+)/.exec(ref)?.[1] ?? []);
  if (names.length === 0) return [{ verdict: "unknown", because: "which package it installs is not written down (covers:)" }];
  return names.map((name): Part => {
    const found = here.pins.find((pin) => (pin.kind === "pypi" || pin.kind === "npm") && pin.name === name);
    return found
      ? { verdict: "delivered", because: `${name} ${found.value} is installed (line ${found.line})` }
      : { verdict: "not-installed", because: `nothing here installs ${name}` };
  });
}

/** An install script runs once for the whole stack, so any trace of a run counts. */
function installParts(world: World, patch: Patch, variant: Variant): Part[] {
  const runs = deliveriesOf(world.facts.inventory, patch)?.filter(({ how }) => how === "invoked") ?? [];
  const run = runs.find(({ file }) => file === variant.compose) ?? runs[0];
  return [
    run
      ? { verdict: "delivered", because: `run by ${run.file} (line ${run.line})` }
      : { verdict: "not-invoked", because: "nothing in the tree runs it" },
  ];
}

export const folder = (path: string) => `${path.replace(/\/$/, "")}/`;
