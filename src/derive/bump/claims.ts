import type { World } from "../facts.ts";

/** Something written down as true on the old build, which nobody has seen on the new one. */
export interface StaleClaim {
  pin: string;
  kind: "patch" | "measurement" | "cliff" | "pin" | "variant";
  id: string;
  /** The day it was seen, or as it is written. */
  on: string;
  what: string;
}

/** Claims stamped with a pin (pain B5, E7: after a bump nine live claims named the old build). */
export function claimsOn(world: World, pin: string): StaleClaim[] {
  const { model } = world;
  const artifact = model.pin[pin]?.artifact.split(/[:@]/).at(-1) ?? pin;
  const names = new Set([pin, artifact, artifact.replace(/([0-9a-f]{8})[0-9a-f]{32}$/, "$1")]);
  return [
    ...Object.entries(model.patch).flatMap(([id, patch]) =>
      patch.dropped ? [] : patch.validated.filter((one) => one.pin === pin).map((one) => claim(pin, "patch", id, one.on, one.result)),
    ),
    ...Object.entries(model.measurement).flatMap(([id, row]) =>
      row.pins.includes(pin) && row.superseded_by === undefined
        ? [claim(pin, "measurement", id, row.on, `${row.test}: ${row.result}`)]
        : [],
    ),
    ...Object.entries(model.variant).flatMap(([id, variant]) =>
      variant.pin === pin &&
      (variant.tps || variant.vram_gb !== undefined) &&
      !variant.measured.some((name) => model.measurement[name]?.pins.includes(pin))
        ? [claim(pin, "variant", id, "not dated", `published speed and memory of ${variant.title}`)]
        : [],
    ),
    ...Object.entries(model.cliff).flatMap(([id, cliff]) =>
      cliff.history.filter((one) => one.pin !== undefined && names.has(one.pin)).map((one) => claim(pin, "cliff", id, one.on, one.text)),
    ),
    ...Object.entries(model.pin).flatMap(([id, row]) =>
      id === pin && row.claim ? [claim(pin, "pin", id, row.claim.on, row.claim.note ?? `${row.claim.users} users`)] : [],
    ),
  ];
}

const claim = (pin: string, kind: StaleClaim["kind"], id: string, on: string, what: string): StaleClaim => ({
  pin,
  kind,
  id,
  on,
  what: what.trim().replace(/\s+/g, " "),
});
