/** Escape puts a shown explanation away until the pointer or the focus moves on (WCAG 1.4.13). */
const root = document.documentElement;
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") root.dataset.tips = "off";
});
for (const event of ["pointermove", "focusin"]) addEventListener(event, () => delete root.dataset.tips);
