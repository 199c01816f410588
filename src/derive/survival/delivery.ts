import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { Patch } from "../../model/shapes/patch.ts";
import type { Variant } from "../../model/shapes/variant.ts";
import type { Delivered } from "../../model/vocabulary.ts";
import { DELIVERED } from "../../model/vocabulary.ts";
import type { World } from "../facts.ts";
import { inCompose } from "./compose.ts";
import type { Here } from "./compose.ts";
import type { FlagJudgement } from "./judgement.ts";
import { folder, lockParts, wayParts } from "./ways.ts";
import type { Part } from "./ways.ts";
import { variantsOf } from "./together.ts";

/** Whether a patch reaches a variant that needs it, and does what it is for there. */
export interface DeliveryJudgement {
  variant: string;
  verdict: Delivered;
  because: string;
}

const ORDER = Object.keys(DELIVERED) as Delivered[];

/**
 * The way of a patch into every variant that needs it: its files exist, are mounted where they are used, are run before the server
 * starts, nothing else takes their place, and its flags are set and known (pain D1-D10: present, and without effect).
 * @param flags what the source says of its flags; absent: not looked at
 */
export function judgeDelivery(world: World, id: string, patch: Patch, flags: readonly FlagJudgement[] = []): DeliveryJudgement[] {
  return variantsOf(world.model, id).flatMap((name) => {
    const variant = world.model.variant[name];
    return variant ? [{ variant: name, ...inVariant(world, patch, variant, flags) }] : [];
  });
}

function inVariant(world: World, patch: Patch, variant: Variant, flags: readonly FlagJudgement[]): Part {
  const { inventory } = world.facts;
  if (!inventory) return { verdict: "unknown", because: "the tree was never scanned (npm run scan)" };
  const here = inCompose(inventory, variant.compose);
  if (!here.known) return { verdict: "unknown", because: `the scan found nothing in ${variant.compose}` };
  const parts = [
    ...fileParts(inventory, patch),
    ...wayParts(world, patch, here, variant),
    ...flagParts(patch, here, flags),
    ...lockParts(patch, here),
  ];
  if (parts.length === 0) return { verdict: "unknown", because: "how it is delivered leaves no trace that a scan could find" };
  const verdict = ORDER.find((known) => parts.some((part) => part.verdict === known)) ?? "unknown";
  const reasons = [...new Set(parts.filter((part) => part.verdict === verdict).map(({ because }) => because))];
  return {
    verdict,
    because: reasons.length > 4 ? `${reasons.slice(0, 3).join("; ")}; and ${reasons.length - 3} more` : reasons.join("; "),
  };
}

function fileParts(inventory: InventoryFile, patch: Patch): Part[] {
  const missing = patch.files.filter((name) => !inventory.files.some((known) => known === name || known.startsWith(folder(name))));
  return missing.length === 0 ? [] : [{ verdict: "file-missing", because: `the tree has no ${list(missing)}` }];
}

function flagParts(patch: Patch, here: Here, flags: readonly FlagJudgement[]): Part[] {
  return patch.env.map((written): Part => {
    const [name = written] = written.split("=");
    const set = here.envFlags.find((flag) => flag.name === name);
    if (!set) return { verdict: "flag-off", because: `${name} is not set` };
    if (isOff(set.value))
      return { verdict: "flag-off", because: `${name} is ${set.value === "" ? "empty" : set.value} (line ${set.line})` };
    const known = flags.find(({ flag }) => flag === name);
    if (known?.verdict === "flag-unknown") return { verdict: "flag-unknown", because: known.because };
    return { verdict: "delivered", because: `${name} is set (line ${set.line})` };
  });
}

const isOff = (value: string) => ["", "0", "false", "off", "no"].includes(value.toLowerCase());

const list = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
