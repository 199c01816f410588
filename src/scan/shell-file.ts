import { readCommands } from "./commands.ts";
import type { Reader } from "./found.ts";
import { baseOf } from "./paths.ts";
import { commandsOf } from "./shell.ts";

/** Reads a shell script: commits checked out, packages installed, images pulled, patches applied. */
export const shellFile: Reader = (file, context) => {
  // Variables in front of a path, such as "$ROOT/", are of no interest here.
  const isOurs = (path: string) => context.isPatch(path.replace(/^(?:\$\{?\w+\}?\/)+/, ""));
  return readCommands(commandsOf(file.text), { file: file.path, service: baseOf(file.path), isOurs }, context);
};
