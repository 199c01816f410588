import { changesOf } from "../../derive/changes.ts";
import { inWords } from "../../derive/condition.ts";
import type { Derived } from "../../derive/derive.ts";
import type { Evidence } from "../../derive/proof.ts";
import { FACETS } from "../../model/vocabulary.ts";
import { fileOf } from "../../model/paths.ts";
import type { Paint } from "../paint.ts";
import { refState } from "../json.ts";
import { seenText, symbolWords } from "../words.ts";

/** Everything behind one row's status, as an object. */
export function explainJson(derived: Derived, id: string) {
  const { model } = derived.world;
  const item = model.item[id];
  const decision = derived.items[id];
  if (!item || !decision) return undefined;
  return {
    id,
    file: fileOf("item", id),
    title: item.title,
    status: decision.status,
    rule: decision.rule,
    facets: decision.facets,
    because: decision.because,
    refs: item.refs.map(({ ref, role }) => ({ ref, role, state: refState(derived, ref) })),
    followed: decision.deciding.flatMap(({ steps }) => steps),
    pins: Object.values(derived.pins).flatMap((pin) => {
      const found = pin.verdicts.find((entry) => entry.item === id);
      return found ? [{ pin: pin.id, waits: found.waits, verdict: found.verdict, proof: found.proof }] : [];
    }),
    drop: item.workaround?.drop ? inWords(item.workaround.drop) : undefined,
    changesWhen: changesOf(derived.world, item, decision).map(({ when, to }) => ({ when, to })),
  };
}

/** {@link explainJson} for people. */
export function explainText(derived: Derived, id: string, paint: Paint): string {
  const all = explainJson(derived, id);
  const decision = derived.items[id];
  if (!all || !decision) return "";
  const seen = seenText(derived, decision);
  return [
    `${paint.bold(all.title)}  ${paint.dim(all.file)}`,
    `${symbolWords(all.status)}${seen ? ` (${seen})` : ""}, by row ${all.rule} of the decision table`,
    `  ${all.because}`,
    ...all.facets.map((facet) => `  ${facet}: ${FACETS[facet]}`),
    ...section(
      "References",
      all.refs.map(({ ref, role, state }) => `${ref}  ${role}, ${state}`),
    ),
    ...section(
      "Followed",
      all.followed.map(({ from, to, because }) => `${from} → ${to} (${because})`),
    ),
    ...section(
      "Pins",
      all.pins.flatMap(({ pin, waits, verdict, proof }) => [
        `${pin}: ${verdict} by ${proof.method}${waits ? "" : " (the row does not wait for it)"}`,
        ...proof.evidence.map((evidence) => `  ${evidenceText(evidence)}`),
      ]),
    ),
    ...section("The workaround can go when", all.drop === undefined ? [] : [all.drop]),
    ...section(
      "What would change it",
      all.changesWhen.map(({ when, to }) => `${when}: ${symbolWords(to)}`),
    ),
  ].join("\n");
}

const section = (title: string, lines: string[]): string[] => (lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : []);

const evidenceText = ({ fact, source, asOf, url }: Evidence): string =>
  `${fact} [${source}${asOf ? `, ${asOf.slice(0, 10)}` : ""}]${url ? ` ${url}` : ""}`;
