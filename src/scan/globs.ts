/**
 * Does a path match one of the globs? `**` any folders, `*` and `?` within a name, `{a,b}` alternatives.
 * The walk itself is done by a library; this is for the lists of settings, on paths that are already known.
 */
export function matcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const pattern = new RegExp(`^(?:${globs.map(toPattern).join("|")})$`);
  return (path) => pattern.test(path);
}

function toPattern(glob: string): string {
  let out = "";
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? "";
    if (glob.startsWith("**/", at)) {
      out += "(?:.*/)?";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      out += ".*";
      at++;
    } else if (char === "*") out += "[^/]*";
    else if (char === "?") out += "[^/]";
    else if (char === "{") {
      braces++;
      out += "(?:";
    } else if (char === "}" && braces > 0) {
      braces--;
      out += ")";
    } else if (char === "," && braces > 0) out += "|";
    else out += char.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  }
  return out + ")".repeat(braces);
}
