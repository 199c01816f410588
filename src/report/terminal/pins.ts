import { isMissing, isTakenBack, isUntold } from "../../derive/attention.ts";
import type { Derived } from "../../derive/derive.ts";
import type { PinCheck } from "../../derive/pin-check.ts";
import type { DerivedPin, ItemOnPin } from "../../derive/pins.ts";
import { fileOf } from "../../model/paths.ts";
import { shortRef } from "../../model/ref.ts";
import type { Paint } from "../paint.ts";
import { asOfText, plural } from "../words.ts";

/** The answer before a bump: per pin what it lacks, has and makes needless; worst first. */
export function pinsText(derived: Derived, check: PinCheck, paint: Paint): string {
  const blocks = check.pins.map((pin) => pinBlock(derived, pin, paint));
  const droppable = Object.values(derived.patches).filter((patch) => patch.carried && patch.droppable === "yes");
  const fired = Object.values(derived.triggers).filter((trigger) => trigger.life === "fired");
  return [
    ...blocks,
    ...(check.broken.length > 0
      ? [
          `${paint.bold("Load-bearing patches that do not work")}\n${check.broken.map(({ patch, pins, because }) => `  ${paint.red("✖")} ${patch} on ${pins.join(", ")}: ${because}`).join("\n")}\n  Look closer: npm run patches -- ${check.broken[0]?.patch}`,
        ]
      : []),
    ...(droppable.length > 0
      ? [`${paint.bold("Patches that can go")}\n${droppable.map((patch) => `  ✔ ${patch.id}: ${patch.because}`).join("\n")}`]
      : []),
    ...(fired.length > 0
      ? [
          `${paint.bold("Re-test triggers that fired")}\n${fired.map((row) => `  ! ${row.id}: ${row.proof.map(({ fact }) => fact).join("; ")}`).join("\n")}`,
        ]
      : []),
    `${check.summary}${nextStep(check)}`,
    paint.dim(`${asOfText(derived.asOf)}. Not checked: whether the images can still be fetched, where a registry was never looked up.`),
  ].join("\n\n");
}

function pinBlock(derived: Derived, pin: DerivedPin, paint: Paint): string {
  const users = pin.users === undefined ? "users not known" : plural(pin.users.filter((user) => !user.archived).length, "user");
  const lines = [`${paint.bold(pin.id)}  ${shorten(pin.artifact)}  (${users})`];
  if (pin.availability.state === "gone") lines.push(`  ${paint.red("✖ gone")}     ${pin.availability.because}`);
  const order = [...pin.verdicts].sort((a, b) => rank(a) - rank(b) || (a.item < b.item ? -1 : 1));
  const shown = order.filter((entry) => entry.waits || entry.verdict === "contained");
  for (const entry of shown) lines.push(...entryLines(derived, pin, entry, paint));
  if (shown.length === 0) lines.push(paint.dim("  nothing landed upstream that this pin waits for"));
  if (pin.retirement.ready === "yes") lines.push(`  → retire    ${pin.retirement.because}`);
  return lines.join("\n");
}

const rank = (entry: ItemOnPin) =>
  isMissing(entry) || isTakenBack(entry)
    ? 0
    : isUntold(entry)
      ? 1
      : entry.verdict === "contained"
        ? 4
        : entry.verdict === "unknown"
          ? 3
          : 2;

function entryLines(derived: Derived, pin: DerivedPin, entry: ItemOnPin, paint: Paint): string[] {
  const name = `${shortRef(entry.ref)}${entry.landing === entry.ref ? "" : ` → ${shortRef(entry.landing)}`}`.padEnd(24);
  const fact = entry.proof.evidence[0]?.fact ?? "";
  const title = derived.world.model.item[entry.item]?.title ?? entry.item;
  const detail = paint.dim(`             ${entry.stake} · ${title}`);
  if (isTakenBack(entry)) return [`  ${paint.red("✖ reverted")} ${name} ${fact}`, detail];
  if (entry.verdict === "contained") return [`  ${paint.green("✔ has")}      ${name} ${entry.proof.method}${drops(derived, pin, entry)}`];
  const sign = isMissing(entry) ? paint.red("✖") : entry.verdict === "unknown" ? "?" : "·";
  const word = { "not-contained": "lacks", partial: "part of", unknown: "unknown" }[entry.verdict];
  return [`  ${sign} ${word.padEnd(8)} ${name} ${fact}`, detail];
}

/** ` → drop patch vllm-marlin-pad`, when what the pin contains makes a patch needless. */
function drops(derived: Derived, _pin: DerivedPin, entry: ItemOnPin): string {
  const names =
    derived.world.model.item[entry.item]?.workaround?.patches.filter(
      (id) => derived.patches[id]?.carried && derived.patches[id]?.droppable === "yes",
    ) ?? [];
  return names.length > 0 ? ` → drop patch ${names.join(", ")}` : "";
}

function nextStep(check: PinCheck): string {
  const first = check.pins.find(
    (pin) => pin.availability.state === "gone" || pin.verdicts.some((entry) => isMissing(entry) || isTakenBack(entry)),
  );
  return first ? `   Next: bump ${first.id} in ${fileOf("pin", first.id)}` : "";
}

const shorten = (artifact: string) => artifact.replace(/^\w+:/, "").replace(/([0-9a-f]{10})[0-9a-f]{30}/, "$1");
