/** A command as messages name it: `npm run scan -- FOLDER`, `npm run -s sync`, `npm run NAME -- --help`. */
const COMMAND =
  /\bnpm run(\s+)(?:-s\s+)?(start|sync|doctor|status|explain|check-pins|patches|plan|retire|check-data|scan|render|import|init|add-item|schemas|reference|schedule|merge-observed|build|NAME)\b(?!-)(?:\s+--(?=\s))?/g;

/**
 * A message for the way the tool is run. Messages name commands as a checkout has them; the installed package, which is compiled
 * JavaScript, has no npm scripts, and its user types `npx landfall scan`.
 */
export const spoken = (text: string, installed: boolean = import.meta.url.endsWith(".js")): string =>
  installed ? text.replace(COMMAND, "npx landfall$1$2") : text;
