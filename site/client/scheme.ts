/** The button that goes through the colour schemes: as the system has it, light, dark. */
const ORDER = ["auto", "light", "dark"] as const;
const NAMES = { auto: "as the system", light: "light", dark: "dark" } as const;
const root = document.documentElement;
const button = document.querySelector<HTMLButtonElement>("[data-scheme-button]");
const system = matchMedia("(prefers-color-scheme: light)");

const chosen = (): (typeof ORDER)[number] => {
  const { scheme } = root.dataset;
  return scheme === "light" || scheme === "dark" ? scheme : "auto";
};

function show(): void {
  const now = chosen();
  root.dataset.theme = now === "auto" ? (system.matches ? "light" : "dark") : now;
  button?.setAttribute("aria-label", `Colour scheme: ${NAMES[now]}. Change it`);
  if (button) button.title = `Colour scheme: ${NAMES[now]}`;
}

button?.addEventListener("click", () => {
  const next = ORDER[(ORDER.indexOf(chosen()) + 1) % ORDER.length] ?? "auto";
  if (next === "auto") delete root.dataset.scheme;
  else root.dataset.scheme = next;
  try {
    if (next === "auto") localStorage.removeItem("landfall-scheme");
    else localStorage.setItem("landfall-scheme", next);
  } catch {
    // Storage may be switched off; the choice then lasts for this page.
  }
  show();
});
system.addEventListener("change", show);
// On a narrow screen the header's entries run out of it; the present one is brought into view.
const nav = document.querySelector<HTMLElement>(".hd__nav");
const current = nav?.querySelector<HTMLElement>("[aria-current]");
if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
show();
