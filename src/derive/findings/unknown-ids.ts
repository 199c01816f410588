import type { Model } from "../../model/kinds.ts";
import { fileOf } from "../../model/paths.ts";
import type { Finding, Path } from "../../model/problem.ts";
import type { Condition } from "../../model/shapes/condition.ts";
import { didYouMean, listWords } from "../../model/suggest.ts";
import type { Kind } from "../../model/vocabulary.ts";
import { KINDS } from "../../model/vocabulary.ts";

type Target = Exclude<Kind, "tracker">;

/** Every id that a row names must be a row. A row that could not be read exists, and has its own error. */
export function unknownIds(model: Model, unread: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  for (const { file, path, kind, id } of namedIds(model)) {
    const known = Object.keys(model[kind]);
    if (known.includes(id) || unread.has(fileOf(kind, id))) continue;
    const word = kind === "followUp" ? "follow-up" : kind;
    findings.push({
      file,
      path,
      level: "error",
      rule: "unknown-id",
      message: `No ${word} is named "${id}".${didYouMean(id, known) || (known.length > 0 ? ` Known: ${listWords(known, 6)}.` : "")} Add one in data/${KINDS[kind]}/, or correct the name.`,
    });
  }
  return findings;
}

interface Named {
  file: string;
  path: Path;
  kind: Target;
  id: string;
}

function namedIds(model: Model): Named[] {
  const named: Named[] = [];
  const each = <K extends Target>(
    kind: K,
    visit: (row: Model[K][string], say: (path: Path, kind: Target, id: string | undefined) => void) => void,
  ) => {
    for (const [id, row] of Object.entries(model[kind]) as [string, Model[K][string]][]) {
      visit(row, (path, target, name) => {
        if (name !== undefined) named.push({ file: fileOf(kind, id), path, kind: target, id: name });
      });
    }
  };
  const list = (say: (path: Path, kind: Target, id: string) => void, path: Path, kind: Target, ids: readonly string[] | undefined) =>
    ids?.forEach((id, index) => {
      say([...path, index], kind, id);
    });

  each("item", (row, say) => {
    say(["upstream"], "upstream", row.upstream);
    list(say, ["reaches"], "pin", row.reaches);
    list(say, ["workaround", "patches"], "patch", row.workaround?.patches);
    list(say, ["cliffs"], "cliff", row.cliffs);
    conditionIds(row.workaround?.drop, ["workaround", "drop"], say, model);
    conditionIds(row.lands_when, ["lands_when"], say, model);
    if (typeof row.override?.until === "object") conditionIds(row.override.until, ["override", "until"], say, model);
  });
  each("pin", (row, say) => {
    say(["upstream"], "upstream", row.upstream);
    conditionIds(row.retire?.when, ["retire", "when"], say, model);
    say(["retire", "to"], "pin", row.retire?.to);
    say(["retired", "replaced_by"], "pin", row.retired?.replaced_by);
  });
  each("patch", (row, say) => {
    say(["upstream"], "upstream", row.upstream);
    say(["part_of"], "pin", row.part_of);
    list(say, ["required_by"], "variant", row.required_by);
    row.validated.forEach((run, index) => {
      say(["validated", index, "pin"], "pin", run.pin);
    });
    conditionIds(row.drop, ["drop"], say, model);
  });
  each("variant", (row, say) => {
    say(["pin"], "pin", row.pin);
    list(say, ["patches"], "patch", row.patches);
    list(say, ["cliffs"], "cliff", row.cliffs);
    list(say, ["measured"], "measurement", row.measured);
  });
  each("measurement", (row, say) => {
    list(say, ["pins"], "pin", row.pins);
    say(["variant"], "variant", row.variant);
    say(["superseded_by"], "measurement", row.superseded_by);
  });
  each("cliff", (row, say) => {
    list(say, ["affects"], "variant", row.affects);
    list(say, ["items"], "item", row.items);
    list(say, ["triggers"], "trigger", row.triggers);
    row.mitigations.forEach((one, index) => {
      list(say, ["mitigations", index, "patches"], "patch", one.patches);
      list(say, ["mitigations", index, "items"], "item", one.items);
    });
    row.escapes.forEach((one, index) => {
      list(say, ["escapes", index, "variants"], "variant", one.variants);
    });
    row.bisections.forEach((one, index) => {
      list(say, ["bisections", index, "measurements"], "measurement", one.measurements);
    });
  });
  each("trigger", (row, say) => {
    conditionIds(row.when, ["when"], say, model);
    list(say, ["cliffs"], "cliff", row.cliffs);
    list(say, ["variants"], "variant", row.variants);
    list(say, ["items"], "item", row.items);
  });
  each("followUp", (row, say) => {
    conditionIds(row.when, ["when"], say, model);
    list(say, ["items"], "item", row.items);
    list(say, ["pins"], "pin", row.pins);
  });
  return named;
}

function conditionIds(
  condition: Condition | undefined,
  path: Path,
  say: (path: Path, kind: Target, id: string) => void,
  model: Model,
): void {
  if (condition === undefined) return;
  if (condition.available !== undefined) say([...path, "available"], "pin", condition.available);
  if (condition.contained !== undefined && !looksLikeTag(condition.contained.in) && !(condition.contained.in in model.pin)) {
    say([...path, "contained", "in"], "pin", condition.contained.in);
  }
  condition.all?.forEach((inner, index) => {
    conditionIds(inner, [...path, "all", index], say, model);
  });
  condition.any?.forEach((inner, index) => {
    conditionIds(inner, [...path, "any", index], say, model);
  });
  conditionIds(condition.not, [...path, "not"], say, model);
}

/** `v0.20.0`, `b9180`, `4.51.0`: a tag of the change's repository rather than a pin. */
export const looksLikeTag = (name: string): boolean =>
  /^[a-z]{0,8}-?\d+(\.\d+)*([.-]?[a-z0-9]+)*$/i.test(name) && /\d/.test(name) && !name.includes("--");
