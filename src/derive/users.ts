import { groupBy } from "../model/group.ts";
import type { Model } from "../model/kinds.ts";
import type { InventoryFile } from "../model/shapes/observed.ts";
import type { Patch } from "../model/shapes/patch.ts";
import type { Pin } from "../model/shapes/pin.ts";

export interface User {
  file: string;
  line: number;
  service?: string | undefined;
  archived: boolean;
}

/** Who uses a pin, from the inventory. Undefined when no inventory was ever taken: not known, not "nobody". */
export function usersOfPin(inventory: InventoryFile | undefined, pin: Pin): User[] | undefined {
  if (!inventory) return undefined;
  const [, scheme = "", rest = ""] = /^(\w+):(.*)$/.exec(pin.artifact) ?? [];
  if (scheme === "oci") return (imagesOf(inventory).get(normalise(rest)) ?? []).flatMap(({ users }) => users.map((user) => ({ ...user })));
  const [name, value = ""] = splitAt(rest);
  return inventory.pins
    .filter((found) => found.kind === scheme && found.name === name && sameValue(scheme, found.value, value))
    .map((found) => ({ file: found.file, line: found.line, archived: found.archived === true }));
}

/** Images by their full name. An inventory is asked once for each row and pin. */
const IMAGES = new WeakMap<InventoryFile, Map<string, InventoryFile["images"]>>();

function imagesOf(inventory: InventoryFile): Map<string, InventoryFile["images"]> {
  const known = IMAGES.get(inventory) ?? groupBy(inventory.images, ({ image }) => normalise(image));
  IMAGES.set(inventory, known);
  return known;
}

/** A commit may be written short in one place and in full in another; a version may not: 1.1 is not 1.10. */
const sameValue = (scheme: string, a: string, b: string): boolean =>
  a === b || (scheme === "git" && Math.min(a.length, b.length) >= 7 && (a.startsWith(b) || b.startsWith(a)));

function splitAt(text: string): [string, string?] {
  const at = text.lastIndexOf("@");
  return at <= 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** `vllm/vllm-openai:x` and `docker.io/vllm/vllm-openai:x` are one image. */
export function sameImage(a: string, b: string): boolean {
  return normalise(a) === normalise(b);
}

const normalise = (image: string) => {
  const name = image.replace(/^docker\.io\//, "").replace(/^library\//, "");
  return /[:@]/.test(name.split("/").at(-1) ?? "") ? name : `${name}:latest`;
};

/** A pin somebody runs today: not retired, and with a live user as far as the inventory knows. */
export function isLive(inventory: InventoryFile | undefined, pin: Pin): boolean {
  if (pin.retired) return false;
  const users = usersOfPin(inventory, pin);
  return users === undefined || users.some((user) => !user.archived);
}

/** The pins a row waits for: those it names, else every live pin of its upstream. */
export function reachedPins(
  model: Model,
  inventory: InventoryFile | undefined,
  item: { upstream: string; reaches?: string[] | undefined },
): string[] {
  if (item.reaches) return item.reaches.filter((id) => model.pin[id] !== undefined);
  return Object.entries(model.pin)
    .filter(([, pin]) => pin.upstream === item.upstream && isLive(inventory, pin))
    .map(([id]) => id);
}

/** How a patch reaches a service: a mount of its files, a run of its script, or its flag. */
export interface Delivery extends User {
  how: "mounted" | "invoked" | "enabled";
}

/** Where a patch is delivered, from the inventory. Undefined when no inventory was ever taken. */
export function deliveriesOf(inventory: InventoryFile | undefined, patch: Patch): Delivery[] | undefined {
  if (!inventory) return undefined;
  const files = patch.files.map((file) => ({ file, folder: folder(file) }));
  const covers = (path: string) =>
    files.length > 0 && files.some((own) => path === own.file || path.startsWith(own.folder) || own.file.startsWith(folder(path)));
  const basenames = new Set(patch.files.map((file) => file.split("/").at(-1) ?? file));
  const flags = new Set(patch.env.map((flag) => flag.split("=")[0] ?? flag));
  const found: Delivery[] = [
    ...inventory.mounts.filter((mount) => covers(mount.source)).map((mount) => ({ ...at(mount), how: "mounted" as const })),
    ...inventory.invocations
      .filter((run) => (run.source === undefined ? basenames.has(run.path.split("/").at(-1) ?? "") : covers(run.source)))
      .map((run) => ({ ...at(run), how: "invoked" as const })),
    ...inventory.envFlags
      .filter((flag) => flags.has(flag.name) && !isOff(flag.value))
      .map((flag) => ({ ...at(flag), how: "enabled" as const })),
  ];
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

const folder = (path: string) => (path.endsWith("/") ? path : `${path}/`);

const at = (found: { file: string; line: number; service: string; archived?: true | undefined }) => ({
  file: found.file,
  line: found.line,
  service: found.service,
  archived: found.archived === true,
});

const isOff = (value: string) => ["", "0", "false", "off", "no"].includes(value.toLowerCase());
