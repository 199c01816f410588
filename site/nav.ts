/** The header's entries. `owns`: first parts of the addresses that belong to an entry. */
export const NAV = [
  { path: "", label: "Now", owns: ["", "attention", "changes"] },
  { path: "tracker/", label: "Tracker", owns: ["tracker", "items", "upstreams"] },
  { path: "matrix/", label: "Matrix", owns: ["matrix"] },
  { path: "pins/", label: "Pins", owns: ["pins"] },
  { path: "patches/", label: "Patches", owns: ["patches"] },
  { path: "triggers/", label: "Triggers", owns: ["triggers"] },
  { path: "cliffs/", label: "Cliffs", owns: ["cliffs", "measurements"] },
  { path: "cards/", label: "Choose a config", owns: ["cards", "variants"] },
  { path: "picture/", label: "Picture", owns: ["picture"] },
  { path: "guides/", label: "Guides", owns: ["guides", "reference", "reports", "api"] },
] as const;

/** The entry an address belongs to. @param path the address without the base, such as `items/x/` */
export function sectionOf(path: string): string | undefined {
  const first = path.split("/")[0] ?? "";
  return NAV.find(({ owns }) => (owns as readonly string[]).includes(first))?.path;
}
