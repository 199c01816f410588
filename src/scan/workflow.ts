import { finding } from "../model/tree.ts";
import { readCommands } from "./commands.ts";
import type { Context, Found, Reader, SourceFile } from "./found.ts";
import { normaliseImage } from "./image.ts";
import { commandsOf } from "./shell.ts";
import type { Node, NodeReader, Yaml } from "./yaml-nodes.ts";
import { isList, isMap, reader, readYaml } from "./yaml-nodes.ts";

type Into = Required<Pick<Found, "images" | "pins" | "findings">>;

/** Reads a GitHub workflow or action: actions and reusable workflows, container images, and what the steps install. */
export const workflow: Reader = (file, context): Found => {
  const yaml = readYaml(file.text);
  if (yaml.error)
    return {
      findings: [finding("syntax", { file: file.path, line: yaml.error.line }, `The workflow cannot be parsed: ${yaml.error.message}.`)],
    };
  const found: Into = { images: [], pins: [], findings: [] };
  const nodes = reader(yaml);
  for (const doc of yaml.docs) walk(file, yaml, nodes, doc, [], context, found);
  return found;
};

function walk(file: SourceFile, yaml: Yaml, nodes: NodeReader, node: Node, path: string[], context: Context, found: Into) {
  if (path.length > 30) return;
  if (isList(node)) {
    for (const item of nodes.items(node)) walk(file, yaml, nodes, item, path, context, found);
    return;
  }
  if (!isMap(node)) return;
  for (const [name, { key, value }] of nodes.fields(node)) {
    const text = nodes.text(value);
    const line = yaml.lineOf(key);
    if (name === "uses" && text !== undefined) uses(file, text, line, path, found);
    else if (name === "run" && text !== undefined) {
      const word = nodes.word(value);
      // Expressions of the workflow language are no shell.
      const run =
        word &&
        readCommands(
          commandsOf(word.text.replace(/\$\{\{[^}]*\}\}/g, "0"), word.line),
          { file: file.path, service: jobOf(path), isOurs: () => false },
          context,
        );
      found.pins.push(...(run?.pins ?? []));
      found.images.push(...(run?.images ?? []));
    } else if (name === "container" && text !== undefined) image(file, text, line, path, found);
    else if (name === "image" && text !== undefined && (path.at(-1) === "container" || path.at(-2) === "services"))
      image(file, text, line, path, found);
    else if (name === "image" && text?.startsWith("docker://")) image(file, text.slice(9), line, path, found);
    else walk(file, yaml, nodes, value, [...path, name], context, found);
  }
}

const jobOf = (path: string[]) => (path[0] === "jobs" ? (path[1] ?? "job") : "action");

function image(file: SourceFile, raw: string, line: number, path: string[], found: Into) {
  if (raw === "" || raw.includes("${{")) return;
  const normal = normaliseImage(raw);
  if (normal !== undefined)
    found.images.push({
      image: normal,
      raw,
      service: path[2] === "services" ? `${jobOf(path)}.${path[3]}` : jobOf(path),
      built: false,
      file: file.path,
      line,
    });
}

/** `owner/repo/path@sha`, `docker://image`; `./local` pins nothing. */
function uses(file: SourceFile, text: string, line: number, path: string[], found: Into) {
  if (text.startsWith("docker://")) {
    image(file, text.slice(9), line, path, found);
    return;
  }
  const match = /^([\w.-]+\/[\w.-]+)(?:\/[^@\s]*)?@(\S+)$/.exec(text);
  if (match) found.pins.push({ kind: "git", name: match[1] ?? "", value: match[2] ?? "", file: file.path, line });
}
