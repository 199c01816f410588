import type { RootContent } from "mdast";
import { code, heading, paragraph, table } from "../markdown/build.ts";
import { write } from "../markdown/write.ts";
import { referencePage } from "./page.ts";

/** A command as its own help has it. */
export interface CommandHelp {
  name: string;
  description: string;
  /** `[ref...]` and what it means. */
  args: { usage: string; description: string }[];
  options: { flags: string; description: string; fallback: string | undefined }[];
}

/** The reference of every command, in the order in which they are registered. */
export function cliReference(commands: readonly CommandHelp[]): { path: string; content: string } {
  const tree = referencePage("Commands", "Every command of Landfall with its options, as its own help has them.", 20, "npm run reference", [
    paragraph([
      "Every command is run as ",
      code("npm run NAME -- OPTIONS"),
      ". Results go to stdout, progress and remarks to stderr. Exit codes: 0 fine, 1 problems found, 2 something could not be told, 3 unusable input.",
    ]),
    ...commands.flatMap(section),
  ]);
  return { path: "content/reference/commands.md", content: write(tree) };
}

function section({ name, description, args, options }: CommandHelp): RootContent[] {
  const usage = [
    "npm run",
    name,
    ...(args.length + options.length > 0 ? ["--"] : []),
    ...args.map((arg) => arg.usage),
    ...(options.length > 0 ? ["[options]"] : []),
  ];
  return [
    heading(2, name),
    paragraph(description),
    paragraph(code(usage.join(" "))),
    table(
      ["Option", "What it does"],
      [
        ...args.map((arg) => [code(arg.usage), arg.description]),
        ...options.map(({ flags, description: does, fallback }) => [
          code(flags),
          fallback === undefined ? does : [`${does}; default `, code(fallback)],
        ]),
      ],
    ),
  ];
}
