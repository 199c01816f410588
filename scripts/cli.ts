import { Command, CommanderError } from "commander";

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
    .showHelpAfterError("(npm run NAME -- --help shows the options)")
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
      process.stderr.write(`${error.message}\n`);
      process.exitCode = EXIT.unusable;
    } else {
      throw error;
    }
  }
}

/** Results go to stdout, all of them, before the process ends. */
export const print = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, undefined, 2));
/** Progress and remarks go to stderr. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`);
