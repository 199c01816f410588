import { DockerfileParser } from "dockerfile-ast";
import { finding } from "../model/tree.ts";
import { readCommands } from "./commands.ts";
import type { Found, ImageUse, Reader, SourceFile } from "./found.ts";
import { normaliseImage } from "./image.ts";
import { interpolate } from "./interpolate.ts";
import { baseOf } from "./paths.ts";
import type { Command } from "./shell.ts";
import { commandsOf } from "./shell.ts";

/** Reads a Dockerfile: base images with their ARGs, images copied from, and what RUN installs and checks out. */
export const dockerfile: Reader = (file, context) => {
  const lines = file.text.split("\n");
  const found: Required<Pick<Found, "images" | "pins" | "findings">> = { images: [], pins: [], findings: [] };
  const args = new Map<string, string>();
  const stages = new Set<string>();
  let stage = baseOf(file.path);
  let inStage = false;
  const commands: Command[] = [];
  for (const instruction of DockerfileParser.parse(file.text).getInstructions()) {
    const range = instruction.getRange();
    const line = range.start.line + 1;
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (keyword === "ARG" || keyword === "ENV") {
      for (const { name, value } of assignments(words)) {
        if (value !== undefined && !(inStage && keyword === "ARG" && value === "")) args.set(name, put(value, args).text);
        if (value !== undefined) commands.push({ words: [], assigns: [{ name, value: { text: args.get(name) ?? "", line } }] });
      }
    } else if (keyword === "FROM") {
      const [written = "", as, name] = words.filter((word) => !word.startsWith("--"));
      const base = baseImage(file, { written, line, service: name ?? stage }, args, stages, found);
      if (base) found.images.push(base);
      inStage = true;
      stage = as?.toLowerCase() === "as" && name !== undefined ? name : `${baseOf(file.path)} line ${line}`;
      stages.add(stage.toLowerCase());
    } else if (keyword === "COPY" || keyword === "RUN") {
      for (const from of copied(lines.slice(range.start.line, range.end.line + 1).join("\n"))) {
        if (stages.has(from.toLowerCase()) || /^\d+$/.test(from) || !/[/:@]/.test(from)) continue;
        const image = normaliseImage(put(from, args).text);
        if (image !== undefined) found.images.push({ image, raw: from, service: stage, built: false, file: file.path, line });
      }
      if (keyword === "RUN") commands.push(...runs(lines.slice(range.start.line, range.end.line + 1).join("\n"), line));
    }
  }
  const script = { file: file.path, service: stage, isOurs: context.isPatch };
  const run = readCommands(commands, script, context);
  return { ...found, images: [...found.images, ...run.images], pins: run.pins, invocations: run.invocations };
};

/** A base image; undefined for `scratch`, for an earlier stage, and (with a finding) for one that cannot be told. */
function baseImage(
  file: SourceFile,
  { written, line, service }: { written: string; line: number; service: string },
  args: Map<string, string>,
  stages: Set<string>,
  found: Required<Pick<Found, "findings">>,
): ImageUse | undefined {
  const at = { file: file.path, line };
  const { text, unset } = put(written, args);
  if (text === "scratch" || stages.has(text.toLowerCase())) return undefined;
  const image = unset.length > 0 ? undefined : normaliseImage(text);
  if (image !== undefined) return { image, raw: written, service, built: false, ...at };
  const why = unset.length > 0 ? `${unset.join(" and ")} has no default` : `"${text}" is not an image`;
  found.findings.push(finding("unresolved-image", at, `FROM ${written} cannot be resolved: ${why}. Give the ARG a default.`));
  return undefined;
}

const put = (text: string, args: Map<string, string>) => interpolate(text, (name) => args.get(name));

/** `NAME=value …`, or `NAME value` of an old ENV. */
function assignments(words: string[]): { name: string; value: string | undefined }[] {
  const [first = "", second] = words;
  if (!first.includes("=")) return [{ name: first, value: second }];
  return words.flatMap((word) => {
    const match = /^([A-Za-z_]\w*)=(["']?)([\s\S]*)\2$/.exec(word);
    return match ? [{ name: match[1] ?? "", value: match[3] ?? "" }] : [];
  });
}

/** `--from=IMAGE` of COPY, `--mount=…from=IMAGE` of RUN. */
const copied = (source: string) =>
  [...source.matchAll(/(?:^COPY\s+(?:--\S+\s+)*--from=|^RUN\s+(?:--\S+\s+)*--mount=\S*?\bfrom=)([^\s,]+)/gi)].map(
    (match) => match[1] ?? "",
  );

function runs(source: string, line: number): Command[] {
  const body = source.replace(/^\s*RUN\s+(?:--\S+\s+)*/i, "");
  const heredoc = /^<<-?["']?(\w+)["']?[^\n]*\n([\s\S]*)\n[ \t]*\1\s*$/.exec(body);
  if (heredoc) return commandsOf(heredoc[2] ?? "", line + 1);
  if (body.startsWith("[")) {
    try {
      const words: unknown = JSON.parse(body);
      if (Array.isArray(words)) return [{ words: words.map((text) => ({ text: String(text), line })), assigns: [] }];
    } catch {
      return [];
    }
  }
  // Docker drops comment lines inside a continued RUN.
  return commandsOf(body.replace(/^[ \t]*#.*$/gm, "\\"), line);
}
