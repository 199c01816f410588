import { quoteAt, removeAt } from "./edit.ts";
import type { Problem } from "./problem.ts";

/** Carries out the fixes of one file's problems, last place first so that earlier places stay where they are. */
export function fixText(text: string, problems: readonly Problem[]): string {
  const ordered = [...problems].sort((a, b) => b.line - a.line || b.column - a.column);
  return ordered.reduce((changed, { fix, path }) => {
    switch (fix?.edit) {
      case "quote":
        return quoteAt(changed, path);
      case "remove":
        return removeAt(changed, path);
      case "strip-bom":
        return changed.replace(/^\uFEFF/, "");
      case "unix-line-ends":
        return changed.replaceAll("\r\n", "\n");
      default:
        return changed;
    }
  }, text);
}
