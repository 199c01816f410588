import { existsSync } from "node:fs";
import type { Command } from "commander";
import { suggest } from "../src/model/suggest.ts";
import { spoken } from "./spoken.ts";

/** Every command of a user: its file is loaded only when it is called. The one place they are registered. */
export const COMMANDS = {
  start: async () => (await import("./start.ts")).command(),
  sync: async () => (await import("./sync.ts")).command(),
  doctor: async () => (await import("./doctor.ts")).command(),
  status: async () => (await import("./status.ts")).command(),
  explain: async () => (await import("./explain.ts")).command(),
  "check-pins": async () => (await import("./check-pins.ts")).command(),
  patches: async () => (await import("./patches.ts")).command(),
  plan: async () => (await import("./plan.ts")).command(),
  retire: async () => (await import("./retire.ts")).command(),
  "check-data": async () => (await import("./check-data.ts")).command(),
  scan: async () => (await import("./scan.ts")).command(),
  render: async () => (await import("./render.ts")).command(),
  import: async () => (await import("./import.ts")).command(),
  init: async () => (await import("./init.ts")).command(),
  "add-item": async () => (await import("./add-item.ts")).command(),
  schemas: async () => (await import("./schemas.ts")).command(),
  reference: async () => (await import("./reference.ts")).command(),
  schedule: async () => (await import("./schedule.ts")).command(),
  "merge-observed": async () => (await import("./merge-observed.ts")).command(),
  build: async () => (await import("./build.ts")).command(),
} satisfies Record<string, () => Promise<Command>>;

/** Runs a command by name. The exit code is left in `process.exitCode`. */
export async function main(name: string, args: string[]): Promise<void> {
  const make = (COMMANDS as Record<string, (() => Promise<Command>) | undefined>)[name] ?? (await ownCommand(name));
  if (!make) {
    const near = suggest(name, Object.keys(COMMANDS));
    const asked = name === "help" || name === "--help" || name === "-h";
    const text = `${asked ? "" : `There is no command "${name}".${near ? ` Did you mean "${near}"?` : ""}\n`}Commands: ${Object.keys(COMMANDS).join(", ")}.\nHelp for one: npm run NAME -- --help\n`;
    (asked ? process.stdout : process.stderr).write(spoken(text));
    process.exitCode = asked ? 0 : 3;
    return;
  }
  const { guard } = await import("./cli.ts");
  await guard(async () => {
    await (await make()).parseAsync(args, { from: "user" });
  });
}

/** A command for work on this project, when this is its checkout and not the installed package, which lacks the file. */
async function ownCommand(name: string): Promise<(() => Promise<Command>) | undefined> {
  const own = new URL("./own.ts", import.meta.url);
  if (!existsSync(own)) return undefined;
  const { OWN_COMMANDS } = (await import(own.href)) as { OWN_COMMANDS: Record<string, () => Promise<Command>> };
  return OWN_COMMANDS[name];
}
