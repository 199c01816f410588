import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { Pin } from "../../model/shapes/pin.ts";
import type { Build } from "../build.ts";
import type { World } from "../facts.ts";
import { sameImage } from "../users.ts";

/**
 * The stack as it would be with some pins on another build: rows and inventory change, observations do not. Whatever is derived
 * from it is what would be derived after the bump, by the same rules.
 */
export function moved(world: World, pins: readonly string[], build: Build): World {
  const { model, facts } = world;
  const changed: Record<string, Pin> = {};
  let { inventory } = facts;
  for (const id of pins) {
    const pin = model.pin[id];
    if (!pin) continue;
    const { source, version: _version, ...rest } = pin;
    changed[id] = {
      ...rest,
      artifact: build.artifact,
      mutability: "immutable",
      source: {
        ...(source?.repo === undefined ? {} : { repo: source.repo }),
        ...(build.commit === undefined ? {} : { commit: build.commit }),
      },
    };
    inventory = inventory && usersMoved(inventory, pin.artifact, build.artifact);
  }
  return { ...world, model: { ...model, pin: { ...model.pin, ...changed } }, facts: { ...facts, inventory } };
}

/** Everything that uses the old artifact uses the new one. */
function usersMoved(inventory: InventoryFile, from: string, to: string): InventoryFile {
  const [old, next] = [from, to].map((artifact) => /^(\w+):(.*)$/.exec(artifact));
  if (!old || !next) return inventory;
  const image = old[1] === "oci" ? (old[2] ?? "") : undefined;
  const [name = "", value = ""] = splitAt(old[2] ?? "");
  const [nextName = "", nextValue = ""] = splitAt(next[2] ?? "");
  return {
    ...inventory,
    images: inventory.images.map((found) =>
      image !== undefined && next[1] === "oci" && sameImage(found.image, image) ? { ...found, image: next[2] ?? "" } : found,
    ),
    pins: inventory.pins.map((found) =>
      found.kind === old[1] &&
      found.kind === next[1] &&
      found.name === name &&
      (value.startsWith(found.value) || found.value.startsWith(value))
        ? { ...found, name: nextName, value: nextValue }
        : found,
    ),
  };
}

function splitAt(text: string): [string, string?] {
  const at = text.lastIndexOf("@");
  return at <= 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
