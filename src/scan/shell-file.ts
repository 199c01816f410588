import { readCommands } from "./commands.ts";
import type { Context, Invocation, PinUse, Reader } from "./found.ts";
import { baseOf, folderOf, join } from "./paths.ts";
import type { Doings } from "./script-run.ts";
import { commandsOf } from "./shell.ts";

/** Reads a shell script: commits checked out, packages installed, images pulled, patches applied. */
export const shellFile: Reader = (file, context) => {
  // A variable in front of a path, such as "$ROOT/", is gone by now, and its slash is left.
  const isOurs = (path: string) => context.isPatch(path);
  const doings = readCommands(commandsOf(file.text), { file: file.path, service: baseOf(file.path), isOurs }, context);
  return {
    images: doings.images,
    pins: [...doings.pins, ...looseCommits(file.path, doings)],
    invocations: doings.invocations.map((invocation) => withSource(invocation, context)),
  };
};

/** The file of the tree that a script means by a path from the top or from its own folder. */
function withSource(invocation: Invocation, { file }: Context): Invocation {
  const { path, ...rest } = invocation;
  const source = [path.replace(/^\/+/, ""), join(folderOf(rest.file), path)].find((candidate) => file(candidate));
  return source === undefined ? invocation : { path, source, ...rest };
}

/** `TOOL_COMMIT="${TOOL_COMMIT:-1acd67a…}"` that no checkout was seen to use: pinned all the same, under the variable's name. */
function looseCommits(file: string, { variables, pins, images }: Doings): PinUse[] {
  return [...variables].flatMap(([name, { text, line }]): PinUse[] => {
    if (!/(?:^|_)(?:COMMIT|REV|REVISION|PIN|SHA|REF)$/.test(name) || !/^(?=.*\d)[0-9a-f]{7,40}$/.test(text)) return [];
    const seen = pins.some((pin) => pin.value === text) || images.some(({ image }) => image.includes(text));
    return seen ? [] : [{ kind: "git", name, value: text, file, line }];
  });
}
