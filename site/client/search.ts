/** The search dialog, over the index that Pagefind made of the built pages. Titles and excerpts are shown as text. */
interface Found {
  url: string;
  meta: { title?: string; kind?: string; state?: string };
  plain_excerpt: string;
}
interface Pagefind {
  init: () => Promise<void>;
  debouncedSearch: (words: string) => Promise<{ results: { data: () => Promise<Found> }[] } | null>;
}

const MOST = 12;
const dialog = document.querySelector<HTMLDialogElement>("#search");
const input = dialog?.querySelector("input");
const list = dialog?.querySelector("ul");
const say = dialog?.querySelector<HTMLElement>(".find__say");
const button = document.querySelector<HTMLButtonElement>("[data-search]");
let index: Promise<Pagefind> | undefined;
let chosen = -1;

function open(): void {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  input?.select();
  index ??= import(/* @vite-ignore */ dialog.dataset.index ?? "").then(async (found: Pagefind) => {
    await found.init();
    return found;
  });
  index.catch(() => {
    if (say) say.textContent = "The search index could not be loaded.";
    index = undefined;
  });
}

async function search(): Promise<void> {
  const words = input?.value.trim() ?? "";
  if (words === "") return show([], "");
  const found = await (await index)?.debouncedSearch(words);
  // Null: overtaken by a later search.
  if (!found || words !== input?.value.trim()) return;
  const pages = await Promise.all(found.results.slice(0, MOST).map((result) => result.data()));
  const count = found.results.length;
  show(
    pages,
    count === 0
      ? `Nothing found for “${words}”.`
      : `${count} ${count === 1 ? "page" : "pages"}${count > MOST ? `, the first ${MOST} of them` : ""}`,
  );
}

function show(pages: Found[], words: string): void {
  chosen = -1;
  list?.replaceChildren(...pages.map(option));
  if (say) say.textContent = words;
  input?.setAttribute("aria-expanded", String(pages.length > 0));
  input?.removeAttribute("aria-activedescendant");
}

function option({ url, meta, plain_excerpt: excerpt }: Found, place: number): HTMLElement {
  const item = element("li", "", "");
  item.id = `found-${place}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const link = element("a", "", "") as HTMLAnchorElement;
  link.href = url;
  link.tabIndex = -1;
  link.append(
    element("b", "", meta.title ?? url),
    element("span", "find__kind", [meta.kind, meta.state].filter(Boolean).join(" · ")),
    element("span", "find__text", excerpt),
  );
  item.append(link);
  return item;
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function choose(place: number): void {
  const options = [...(list?.children ?? [])];
  if (options.length === 0) return;
  chosen = (place + options.length) % options.length;
  options.forEach((option, at) => {
    option.setAttribute("aria-selected", String(at === chosen));
  });
  input?.setAttribute("aria-activedescendant", `found-${chosen}`);
  options[chosen]?.scrollIntoView({ block: "nearest" });
}

button?.addEventListener("click", open);
input?.addEventListener("input", () => void search());
input?.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(chosen + (event.key === "ArrowDown" ? 1 : chosen < 0 ? 0 : -1));
  } else if (event.key === "Escape") {
    // A search field takes the first Escape for itself, to empty it.
    event.preventDefault();
    dialog?.close();
  } else if (event.key === "Enter") {
    event.preventDefault();
    const link = list?.children[Math.max(chosen, 0)]?.querySelector("a");
    if (link) location.assign(link.href);
  }
});
list?.addEventListener("click", () => dialog?.close());
dialog?.addEventListener("click", ({ target }) => {
  if (target === dialog) dialog.close();
});
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (dialog?.open) dialog.close();
  else open();
});
