import { Command, CommanderError } from "commander";
import { spoken } from "./spoken.ts";

/** Exit codes that every command shares (design, section 5). */
export const EXIT = { fine: 0, problems: 1, unsure: 2, unusable: 3 } as const;

/** Thrown for what the user can mend; its message is the whole answer. */
export class UserError extends Error {}

/** A command with the options that all share. `npm run NAME -- --help` shows it. */
export function cli(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--root <dir>", "the stack's folder, the one that holds data/", ".")
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError()
    .showHelpAfterError(`(npm run ${name} -- --help shows the options)`)
    .configureOutput({
      writeOut: (text) => void process.stdout.write(spoken(text)),
      writeErr: (text) => void process.stderr.write(spoken(text)),
    })
    .exitOverride();
}

/** Runs a command and turns what the user can mend into one clear message and exit code 3. */
export async function guard(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.unusable;
    } else if (error instanceof Error && (error instanceof UserError || error.constructor.name === "UnusableRoot")) {
      progress(error.message);
      process.exitCode = EXIT.unusable;
    } else if (isOfDisk(error)) {
      progress(
        `${error.path} cannot be used: ${error.message.replace(/,.*$/s, "")} (${error.syscall}). Check the path and who may read and write it.`,
      );
      process.exitCode = EXIT.unusable;
    } else {
      throw error;
    }
  }
}

/** What the file system refuses, such as a loop of links, a full disk or a folder of somebody else; no fault of the program. */
function isOfDisk(error: unknown): error is Error & { path: string; syscall: string } {
  const { code, path, syscall } = (error ?? {}) as { code?: unknown; path?: unknown; syscall?: unknown };
  return (
    error instanceof Error && typeof code === "string" && typeof path === "string" && typeof syscall === "string" && !/^spawn/.test(syscall)
  );
}

const write = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
/** Results go to stdout, all of them, before the process ends. */
export const print = (text: string): void => write(spoken(text));
/** For programs: the same text however the tool is run. */
export const printJson = (value: unknown): void => write(JSON.stringify(value, undefined, 2));
/** Progress and remarks go to stderr. */
export const progress = (text: string): void => void process.stderr.write(`${spoken(text)}\n`);
