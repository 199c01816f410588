import type { TreeFinding } from "../model/tree.ts";
import { finding } from "../model/tree.ts";
import type { Service } from "./compose-service.ts";
import { dollars } from "./dollars.ts";
import { commandsOf } from "./shell.ts";

/**
 * Shell variables that compose replaces before the script runs, because their dollar is not doubled (pain D12: a branch on
 * `${_NVLINK_ENABLED:-0}` was dead in nine files). A variable that the script itself sets is certainly meant for the shell;
 * one whose name starts with an underscore almost certainly; any other may be meant for compose.
 */
export function unescaped(file: string, service: Service): TreeFinding[] {
  return [...service.entrypoint, ...service.command].flatMap(({ text, line, fixed }) => {
    // A script has several lines or commands; "${PORT:-8000}" as one argument is meant for compose.
    // What another file is extended by is told there.
    if (fixed || !SINGLE_DOLLAR.test(text) || !/[\n\v;]|&&|\bexec\b/.test(text)) return [];
    const parts = dollars(text).filter(({ variable }) => variable !== undefined);
    if (parts.length === 0) return [];
    const set = assigned(text.replaceAll("$$", "$"));
    const told = new Set<string>();
    return parts.flatMap(({ text: written, variable = "", offset }): TreeFinding[] => {
      if (told.has(written) || (variable !== "" && inComment(text, offset))) return [];
      told.add(written);
      const place = { file, line: line + text.slice(0, offset).split(/[\n\v]/).length - 1 };
      const mend = `Write $${written}.`;
      if (variable === "")
        return [finding("unescaped-dollar", place, `Compose refuses ${written} in the script of ${service.name}. ${mend}`)];
      if (set.has(variable))
        return [
          finding("unescaped-dollar", place, `Compose replaces ${written} before the script of ${service.name} sets ${variable}. ${mend}`),
        ];
      if (variable.startsWith("_"))
        return [
          finding(
            "unescaped-dollar",
            place,
            `Compose replaces ${written} before the script of ${service.name} runs; the name looks like a variable of the shell. ${mend}`,
            "warning",
          ),
        ];
      return [];
    });
  });
}

/** A dollar that is not doubled, before something that compose would replace. */
const SINGLE_DOLLAR = /(?<!\$)(?:\$\$)*\$(?=[A-Za-z_{])/;

/** Names that the script itself sets. */
function assigned(script: string): Set<string> {
  const names = new Set<string>();
  for (const { words, assigns } of commandsOf(script)) {
    for (const { name } of assigns) names.add(name);
    const [head, ...rest] = words.map(({ text }) => text);
    if (head === "for" && rest[0] !== undefined) names.add(rest[0]);
    else if (head === "read") for (const name of rest) names.add(name);
    else if (["export", "local", "declare", "readonly", "typeset"].includes(head ?? "")) {
      for (const word of rest) if (word.includes("=")) names.add(word.slice(0, word.indexOf("=")));
    }
  }
  return names;
}

/** Compose interpolates comments of a script too, and nothing comes of it. */
function inComment(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^\s*#/.test(line);
}
