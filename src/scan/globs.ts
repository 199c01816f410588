/**
 * Does a path match one of the globs? `**` any folders, `*` and `?` within a name, `{a,b}` alternatives.
 * The walk itself is done by a library; this is for the lists of settings, on paths that are already known.
 */
export function matcher(globs: readonly string[]): (path: string) => boolean {
  // `**/name/**` is by far the most usual, and a look for `/name/` is much quicker than a pattern with two `.*`.
  const inside = globs.flatMap((glob) => /^\*\*\/([^*?{}/]+)\/\*\*$/.exec(glob)?.[1] ?? []).map((name) => `/${name}/`);
  const rest = globs.filter((glob) => !/^\*\*\/[^*?{}/]+\/\*\*$/.test(glob));
  const pattern = rest.length > 0 ? new RegExp(`^(?:${rest.map(toPattern).join("|")})$`) : undefined;
  return (path) => inside.some((name) => path.includes(name) || path.startsWith(name.slice(1))) || pattern?.test(path) === true;
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
