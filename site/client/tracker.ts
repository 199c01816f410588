import type { Query, RowData, Sort } from "./filter.ts";
import { SORTS, compare, fits, isEmpty, readQuery, writeQuery } from "./filter.ts";

/** Makes the tracker's table filter and sort. Without it the table stands as it is, complete. */
const form = document.querySelector<HTMLFormElement>("#filters");
const table = document.querySelector<HTMLTableElement>("#rows");
const body = table?.tBodies[0];
const count = document.querySelector("#count");
const none = document.querySelector<HTMLElement>("#none");
const clear = document.querySelector<HTMLElement>("#clear");
const order = document.querySelector<HTMLSelectElement>("#sortby");
const search = form?.elements.namedItem("q") as HTMLInputElement | null;

interface Row extends RowData {
  element: HTMLTableRowElement;
  place: number;
}

const words = (text: string | undefined): string[] => text?.split(" ").filter(Boolean) ?? [];

const rows: Row[] = [...(body?.rows ?? [])].map((element, place) => {
  const { s = "", u = "", k = "", l = "", f, p, n, a } = element.dataset;
  const cell = element.querySelector(".c-it");
  return {
    element,
    place,
    text: (cell?.textContent ?? "").toLowerCase(),
    title: (cell?.querySelector("a")?.textContent ?? "").toLowerCase(),
    status: s,
    upstream: u,
    stake: k,
    local: l,
    facets: words(f),
    pins: words(p),
    urgency: Number(n),
    age: a === undefined ? Number.NaN : Number(a),
  };
});

let query = readQuery(new URLSearchParams(location.search));

function apply(): void {
  let shown = 0;
  for (const row of rows) {
    const fit = fits(row, query);
    row.element.hidden = !fit;
    if (fit) shown += 1;
  }
  const words = `${shown} ${shown === 1 ? "row" : "rows"}`;
  if (count) count.textContent = isEmpty(query) ? words : `${words} of ${rows.length}`;
  if (none) none.hidden = shown > 0;
  if (clear) clear.hidden = isEmpty(query);
  for (const head of table?.querySelectorAll<HTMLElement>("thead [data-sort]") ?? []) {
    if (head.dataset.sort === query.sort) head.setAttribute("aria-sort", query.descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}

let sorted = "";
function sort(): void {
  const { sort: by, descending } = query;
  const key = `${by}${descending}`;
  if (key === sorted || !body) return;
  sorted = key;
  const ordered = by === undefined ? rows : [...rows].sort((a, b) => compare(a, b, by, descending) || a.place - b.place);
  body.append(...ordered.map(({ element }) => element));
}

function update(next: Query, remember = true): void {
  query = next;
  sort();
  apply();
  const text = writeQuery(query);
  if (remember) history.replaceState(null, "", `${location.pathname}${text ? `?${text}` : ""}${location.hash}`);
}

/** The form says what is filtered; how it is sorted is said by the table's head. */
function fromForm(): Query {
  const data = new FormData(form as HTMLFormElement);
  const params = new URLSearchParams([...data].map(([key, value]) => [key, String(value)]));
  return { ...readQuery(params), sort: query.sort, descending: query.descending };
}

function toForm(): void {
  if (!form || !search) return;
  search.value = query.q;
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) box.checked = query.status.includes(box.value);
  if (order) order.value = [query.sort ?? "", ...(query.descending ? ["desc"] : [])].join(" ");
  for (const select of form.querySelectorAll<HTMLSelectElement>("select[name]")) {
    select.value = query.one[select.name as keyof Query["one"]] ?? "";
    if (select.selectedIndex < 0) select.value = "";
  }
}

for (const head of table?.querySelectorAll<HTMLElement>("thead [data-sort]") ?? []) {
  const by = SORTS.find((name) => name === head.dataset.sort);
  if (by === undefined) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => update({ ...query, ...nextSort(by) }));
}

/** First up, then down, then as it was. */
function nextSort(by: Sort): Pick<Query, "sort" | "descending"> {
  if (query.sort !== by) return { sort: by, descending: false };
  return query.descending ? { sort: undefined, descending: false } : { sort: by, descending: true };
}

form?.addEventListener("input", () => update(fromForm()));
form?.addEventListener("submit", (event) => event.preventDefault());
form?.addEventListener("reset", (event) => {
  event.preventDefault();
  reset();
});
document.querySelector("[data-clear]")?.addEventListener("click", reset);

function reset(): void {
  update({ ...readQuery(new URLSearchParams()), sort: query.sort, descending: query.descending });
  toForm();
  search?.focus();
}

order?.addEventListener("change", () => {
  const [by, direction] = order.value.split(" ");
  update({ ...query, sort: SORTS.find((name) => name === by), descending: direction === "desc" });
});

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog[open]"))
    return;
  event.preventDefault();
  search?.focus();
});
addEventListener("popstate", () => {
  update(readQuery(new URLSearchParams(location.search)), false);
  toForm();
});

toForm();
update(query, false);
