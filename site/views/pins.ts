import { isMissing, isTakenBack, isUntold } from "../../src/derive/attention.ts";
import { asksFor } from "../../src/derive/condition-names.ts";
import type { Derived } from "../../src/derive/derive.ts";
import type { DerivedPin, ItemOnPin } from "../../src/derive/pins.ts";
import type { User } from "../../src/derive/users.ts";
import { groupBy } from "../../src/model/group.ts";
import { STAKES } from "../../src/model/vocabulary.ts";
import type { Stake, Verdict } from "../../src/model/vocabulary.ts";
import { plural } from "../../src/report/words.ts";

/** `oci:docker.io/vllm/vllm-openai:nightly-1acd…` -> `vllm/vllm-openai:nightly-1acd67a795` */
export const shortArtifact = (artifact: string): string =>
  artifact
    .replace(/^\w+:/, "")
    .replace(/^docker\.io\//, "")
    .replaceAll(/([0-9a-f]{10})[0-9a-f]{30,54}/g, "$1");

const STAKE_ORDER = Object.keys(STAKES) as Stake[];

/** How much an entry matters on a pin: trouble first, what it has last. */
function rank(entry: ItemOnPin): number {
  if (isMissing(entry) || isTakenBack(entry)) return 0;
  if (isUntold(entry)) return 1;
  if (entry.verdict === "not-contained" || entry.verdict === "partial") return entry.waits ? 2 : 4;
  if (entry.verdict === "unknown") return 3;
  return 5;
}

export const byRank = (a: ItemOnPin, b: ItemOnPin): number =>
  rank(a) - rank(b) || STAKE_ORDER.indexOf(a.stake) - STAKE_ORDER.indexOf(b.stake) || (a.item < b.item ? -1 : 1);

export interface BumpReport {
  /** Landed changes that a row waits for and the pin lacks; the stake that blocks first. */
  brings: ItemOnPin[];
  /** Changes in it that upstream took back. */
  takenBack: ItemOnPin[];
  /** Nobody can tell whether they are in it. */
  untold: ItemOnPin[];
  /** Patches delivered by its users: each has to be checked on the new build. */
  recheck: string[];
  /** Patches whose end is tied to this pin and has not come. */
  mayGo: string[];
  /** Triggers that look at this pin. */
  triggers: string[];
  /** Configurations that run on it and were measured. */
  variants: { id: string; measured: number }[];
  /** Files in which the pin has to be changed. */
  files: User[];
}

/** What moving a pin has to bring, and what it puts at risk. */
export function bumpReport(derived: Derived, pin: DerivedPin): BumpReport {
  const { model } = derived.world;
  const entries = [...pin.verdicts].sort(byRank);
  const live = (pin.users ?? []).filter(({ archived }) => !archived);
  const files = new Set(live.map(({ file }) => file));
  return {
    brings: entries.filter((entry) => entry.waits && (entry.verdict === "not-contained" || entry.verdict === "partial") && !entry.reverted),
    takenBack: entries.filter(isTakenBack),
    untold: entries.filter((entry) => entry.waits && entry.verdict === "unknown"),
    recheck: Object.values(derived.patches)
      .filter((patch) => patch.carried && patch.delivered?.some(({ file }) => files.has(file)))
      .map(({ id }) => id),
    mayGo: Object.values(derived.patches)
      .filter((patch) => patch.carried && patch.droppable !== "yes" && asksFor(model.patch[patch.id]?.drop, pin.id))
      .map(({ id }) => id),
    triggers: Object.keys(model.trigger).filter((id) => asksFor(model.trigger[id]?.when, pin.id)),
    variants: Object.entries(model.variant)
      .filter(([, variant]) => variant.pin === pin.id)
      .map(([id, variant]) => ({ id, measured: variant.measured.length })),
    files: live,
  };
}

/** What a pin comes down to, in a few words and in the tone of a status. @param broken load-bearing patches that do not work on it */
export function pinWord(derived: Derived, pin: DerivedPin, broken = 0): { tone: string; word: string; because: string } {
  const found = pinTone(derived, pin);
  if (broken === 0 || !pin.live) return found;
  const word = `${plural(broken, "load-bearing patch does", "load-bearing patches do")} not work on it`;
  return { tone: "s-open-no-pr", word: word.replace(/^./, (letter) => letter.toUpperCase()), because: `${found.word}. ${found.because}` };
}

function pinTone(derived: Derived, pin: DerivedPin): { tone: string; word: string; because: string } {
  const trouble = pin.verdicts.filter((entry) => isMissing(entry) || isTakenBack(entry)).length;
  const waits = pin.verdicts.filter(({ waits: waited }) => waited);
  const lacks = waits.filter(({ verdict }) => verdict === "not-contained" || verdict === "partial").length;
  const { retirement, availability } = pin;
  if (derived.world.model.pin[pin.id]?.retired) return { tone: "s-resolved", word: "Retired", because: retirement.because };
  if (!pin.live) return { tone: "s-resolved", word: "Nobody uses it", because: retirement.because };
  if (availability.state === "gone")
    return { tone: "s-open-no-pr", word: "Its artifact is gone from the registry", because: `${availability.because}.` };
  if (trouble > 0) {
    const word = `Misses ${plural(trouble, "change")} that nothing here stands in for`;
    return { tone: "s-open-no-pr", word, because: "They stand first below." };
  }
  const untold = waits.filter(({ verdict }) => verdict === "unknown").length;
  const rest = untold === 0 ? "" : ` Whether it has ${plural(untold, "other change")} cannot be told.`;
  if (lacks > 0) {
    const word = `Lacks ${plural(lacks, "change")}, none of which is missed`;
    return { tone: "s-awaiting-propagation", word, because: `What it lacks is carried here until then, or blocks nothing.${rest}` };
  }
  if (untold > 0) return { tone: "s-unknown", word: "Cannot be told for every change", because: rest.trim() };
  return {
    tone: "s-landed",
    word: "Lacks nothing that landed",
    because: "Every landed change that a row waits for is proved to be in it.",
  };
}

export interface MatrixTable {
  upstream: string;
  title: string;
  pins: string[];
  rows: { item: string; title: string; cells: (ItemOnPin | undefined)[] }[];
  /** Rows of the upstream of which nothing landed yet. */
  waiting: string[];
}

const VERDICT_ORDER: Verdict[] = ["not-contained", "partial", "unknown", "contained"];

/** Items by pins, a table an upstream. Rows whose pins differ or lack something come first. */
export function matrix(derived: Derived): MatrixTable[] {
  const { model } = derived.world;
  const byItem = new Map<string, Map<string, ItemOnPin>>();
  for (const pin of Object.values(derived.pins)) {
    for (const entry of pin.verdicts) {
      const known = byItem.get(entry.item) ?? new Map<string, ItemOnPin>();
      byItem.set(entry.item, known.set(pin.id, entry));
    }
  }
  const groups = groupBy(Object.keys(model.item), (id) => model.item[id]?.upstream ?? "");
  return [...groups]
    .sort(([a], [b]) => (model.upstream[a]?.order ?? 0) - (model.upstream[b]?.order ?? 0) || (a < b ? -1 : 1))
    .map(([upstream, items]) => {
      const told = items.filter((id) => byItem.has(id));
      const used = new Set(told.flatMap((id) => [...(byItem.get(id)?.keys() ?? [])]));
      const pins = Object.keys(derived.pins).filter((id) => used.has(id));
      const worst = (id: string) =>
        Math.min(
          ...[...(byItem.get(id)?.values() ?? [])].filter(({ waits }) => waits).map(({ verdict }) => VERDICT_ORDER.indexOf(verdict)),
        );
      return {
        upstream,
        title: model.upstream[upstream]?.title ?? upstream,
        pins,
        rows: told
          .sort((a, b) => worst(a) - worst(b) || (a < b ? -1 : 1))
          .map((item) => ({ item, title: model.item[item]?.title ?? item, cells: pins.map((pin) => byItem.get(item)?.get(pin)) })),
        waiting: items.filter((id) => !byItem.has(id)),
      };
    });
}
