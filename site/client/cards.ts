import type { Candidate, Wish, Workload } from "./pick.ts";
import { SECOND_RATE, pick } from "./pick.ts";

/** Makes the picker answer. Without it the table of configurations stands as it is, safe ones first. */
const form = document.querySelector<HTMLFormElement>("#wish");
const answer = document.querySelector<HTMLElement>("#answer");
const body = document.querySelector<HTMLTableElement>("#configs")?.tBodies[0];
const rows = new Map([...(body?.rows ?? [])].map((row) => [row.id, row]));

const flag = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === "yes");
const candidates: Candidate[] = [...rows].map(([id, { dataset }]) => ({
  id,
  title: dataset.title ?? id,
  cards: Number(dataset.cards),
  context: dataset.context === undefined ? undefined : Number(dataset.context),
  vision: flag(dataset.vision),
  cliffs: dataset.cliffs?.split(" ").filter(Boolean) ?? [],
  standing: dataset.standing as Candidate["standing"],
  order: Number(dataset.order),
}));
const workloads: Workload[] = [...(form?.querySelectorAll<HTMLInputElement>('input[name="does"]') ?? [])].map(({ value, dataset }) => ({
  key: value,
  does: dataset.does ?? "",
  cliff: dataset.cliff ?? "",
  cliffName: dataset.cliffName ?? "",
  fires: dataset.fires === "borderline" ? "borderline" : "yes",
}));

function wish(): Wish {
  const data = new FormData(form ?? undefined);
  const does = data.getAll("does").map(String);
  return {
    cards: Number(data.get("cards")),
    vision: data.get("vision") === "yes",
    context: Number(data.get("context") ?? 0),
    does: workloads.filter(({ key }) => does.includes(key)),
  };
}

function show(): void {
  const picks = pick(candidates, wish());
  const fitting = picks.filter(({ against }) => against.length === 0);
  const first = fitting.find(({ candidate }) => SECOND_RATE[candidate.standing] === undefined);
  for (const { candidate, against } of picks) {
    const row = rows.get(candidate.id);
    const cell = row?.querySelector(".fits .word");
    const cliffs = row?.querySelector<HTMLElement>(".fits .cliffs");
    if (!row || !cell) continue;
    body?.append(row);
    const soft = SECOND_RATE[candidate.standing];
    const word = against.length > 0 ? "No" : candidate.id === first?.candidate.id ? "First choice" : soft ? "Fits, but" : "Fits";
    const why = against.length > 0 ? against.join("; ") : (soft ?? "");
    // What fires on it matters as long as it is a choice.
    if (cliffs) cliffs.hidden = against.length > 0;
    row.classList.toggle("is-first", word === "First choice");
    row.classList.toggle("is-out", against.length > 0);
    cell.replaceChildren(
      sign(word),
      ...(why ? [Object.assign(document.createElement("div"), { className: "muted", textContent: why })] : []),
    );
  }
  if (answer) answer.replaceChildren(...answerOf(first?.candidate, fitting.length));
  remember();
}

function sign(word: string): HTMLElement {
  const span = document.createElement("span");
  span.className = `st ${word === "No" ? "t-no" : word === "Fits, but" ? "v-partial" : "v-contained"}`;
  const glyph = Object.assign(document.createElement("i"), { className: "g" });
  glyph.setAttribute("aria-hidden", "true");
  span.append(glyph, word);
  return span;
}

function answerOf(first: Candidate | undefined, count: number): (Node | string)[] {
  if (!first)
    return [
      count === 0
        ? "No configuration fits all of that. The table says what each one lacks."
        : "Nothing settled fits; what fits is experimental or for diagnosis.",
    ];
  const link = Object.assign(document.createElement("a"), {
    href: rows.get(first.id)?.querySelector("a")?.href ?? "",
    textContent: first.title,
  });
  const standing =
    first.standing === "safe"
      ? "no known cliff fires on it"
      : first.cliffs.length > 0
        ? "none of the cliffs that can fire on it is fired by what you chose"
        : "no cliff is recorded for it";
  const rest = count - 1;
  return ["Run ", link, `: ${standing}. ${rest === 0 ? "Nothing else fits." : `${rest} more ${rest === 1 ? "fits" : "fit"}.`}`];
}

/** The wish stands in the address, so that an answer can be linked to. */
function remember(): void {
  const params = new URLSearchParams([...new FormData(form ?? undefined)].map(([key, value]) => [key, String(value)]));
  history.replaceState(null, "", `${location.pathname}?${params}${location.hash}`);
}

function fromAddress(): void {
  const params = new URLSearchParams(location.search);
  for (const input of form?.querySelectorAll<HTMLInputElement>("input") ?? []) {
    if (params.has(input.name) || (input.type === "checkbox" && params.size > 0))
      input.checked = params.getAll(input.name).includes(input.value);
  }
  const select = form?.querySelector("select");
  const context = params.get("context");
  if (select && context !== null && [...select.options].some(({ value }) => value === context)) select.value = context;
}

fromAddress();
form?.addEventListener("input", show);
form?.addEventListener("submit", (event) => event.preventDefault());
show();
