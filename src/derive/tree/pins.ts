import { fileOf } from "../../model/paths.ts";
import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { Pin } from "../../model/shapes/pin.ts";
import type { TreeFinding } from "../../model/tree.ts";
import { andMore, finding } from "../../model/tree.ts";
import { sameImage } from "../users.ts";
import type { Exceptions } from "./exceptions.ts";

type PinUse = InventoryFile["pins"][number];

/**
 * Everything that the tree pins and no row of `data/pins/` tracks, and retired pins that something live still uses.
 * Lock files, requirement lists and workflows pin what others release in passing: they are compared with the rows of the same
 * name, and need no row of their own.
 */
export function untrackedPins(
  inventory: InventoryFile,
  pins: Readonly<Record<string, Pin>>,
  exceptions: Exceptions,
  isSide: (file: string) => boolean,
): TreeFinding[] {
  const untracked = images(inventory, pins, exceptions, isSide);
  const told = (pin: PinUse) =>
    pin.kind === "oci" &&
    inventory.images.some(({ image, users }) => sameImage(image, written(pin).slice(4)) && users.some(({ archived }) => !archived));
  return [...untracked, ...others(inventory, pins, exceptions, isSide, told)];
}

function images(
  inventory: InventoryFile,
  pins: Readonly<Record<string, Pin>>,
  exceptions: Exceptions,
  isSide: (file: string) => boolean,
): TreeFinding[] {
  return inventory.images.flatMap(({ image, mutability, users }): TreeFinding[] => {
    const [first, ...more] = users.filter(({ archived, file }) => !archived && !isSide(file));
    if (!first || mutability === "build") return [];
    const rows = Object.entries(pins).filter(([, { artifact }]) => artifact.startsWith("oci:") && sameImage(artifact.slice(4), image));
    if (rows.length === 0) {
      if (exceptions.untracked(image)) return [];
      return [
        finding(
          "untracked-pin",
          first,
          `${image} has no row in data/pins/${andMore(more.length, "user")}. Add one, or list it under scan.untracked in data/tracker.yaml with the reason.`,
        ),
      ];
    }
    const retired = rows.every(([, pin]) => pin.retired) ? rows[0] : undefined;
    return retired
      ? [
          finding(
            "retired-in-use",
            first,
            `${image} is retired (${fileOf("pin", retired[0])}), and still used here${andMore(more.length, "user")}. Move it, or take the retirement back.`,
          ),
        ]
      : [];
  });
}

function others(
  inventory: InventoryFile,
  pins: Readonly<Record<string, Pin>>,
  exceptions: Exceptions,
  isSide: (file: string) => boolean,
  isTold: (pin: PinUse) => boolean,
): TreeFinding[] {
  const known = Object.values(pins).map(({ artifact }) => parts(artifact));
  const told = new Set<string>();
  return inventory.pins.flatMap((pin): TreeFinding[] => {
    const text = written(pin);
    // An image that a profile pins and something live runs is judged by its users.
    if (pin.archived === true || isSide(pin.file) || told.has(text) || isTold(pin)) return [];
    const same = known.filter(({ kind, name }) => kind === pin.kind && sameName(pin.kind, name, pin.name));
    if (same.some(({ value }) => sameValue(pin, value))) return [];
    if (inPassing(pin.file) && same.length === 0) return [];
    if (exceptions.untracked(text)) return [];
    told.add(text);
    return same.length > 0 && inPassing(pin.file)
      ? [
          finding(
            "pin-differs",
            pin,
            `Pins ${text}, and data/pins/ has ${same.map(({ value }) => value).join(", ")}. Make them one, or list it under scan.untracked with the reason.`,
          ),
        ]
      : [
          finding(
            "untracked-pin",
            pin,
            `${text} has no row in data/pins/. Add one, or list it under scan.untracked in data/tracker.yaml with the reason.`,
          ),
        ];
  });
}

/** `oci:ghcr.io/o/n:tag`, `pypi:name@1.2`: the form of a row's artifact. */
function written({ kind, name, value }: PinUse): string {
  if (kind !== "oci") return `${kind}:${name}@${value}`;
  return `oci:${name}${value.startsWith("sha256:") ? "@" : ":"}${value}`;
}

function parts(artifact: string): { kind: string; name: string; value: string } {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/.exec(artifact) ?? [];
  const at = kind === "oci" ? /^(.+?)(?:[:@](sha256:[0-9a-f]+|[\w][\w.-]*))?$/.exec(rest) : /^(.+)@([^@]+)$/.exec(rest);
  return { kind, name: at?.[1] ?? rest, value: at?.[2] ?? "" };
}

/** A commit may be written short; a version may not: 1.1 is not 1.10. */
const sameValue = (pin: PinUse, value: string) =>
  pin.value === value ||
  (/^[0-9a-f]{7,40}$/.test(pin.value) && (value.startsWith(pin.value) || (value.length >= 7 && pin.value.startsWith(value))));

const sameName = (kind: PinUse["kind"], a: string, b: string) =>
  kind === "oci" ? sameImage(`${a}:x`, `${b}:x`) : kind === "git" ? a.toLowerCase() === b.toLowerCase() : a === b;

/** Files that pin a whole world in passing. */
const inPassing = (file: string) =>
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|Pipfile\.lock|poetry\.lock|uv\.lock|pdm\.lock|pyproject\.toml)$|(requirements|constraints)[^/]*(\/[^/]+)?\.(txt|in)$|(^|\/)\.(github|gitea|forgejo)\/|(^|\/)action\.ya?ml$/.test(
    file,
  );
