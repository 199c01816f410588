import type { Context, SourceFile } from "./found.ts";
import { interpolate } from "./interpolate.ts";
import { folderOf, join } from "./paths.ts";
import type { Word } from "./shell.ts";
import { commandsOf } from "./shell.ts";
import type { Field, NodeReader, Yaml } from "./yaml-nodes.ts";
import { isList, isMap, reader, readYaml } from "./yaml-nodes.ts";

/** A value of a service, with the line where a person finds it. */
interface Lined {
  line: number;
}
export interface Volume extends Lined {
  /** From the top of the tree for a relative path; as written otherwise. */
  source: string;
  target: string;
  readonly: boolean;
}
export interface Variable extends Lined {
  name: string;
  value: string;
}

/** A service as compose would run it, after merge keys, `extends`, `!reset` and `!override`. */
export interface Service {
  name: string;
  line: number;
  image?: Lined & { raw: string };
  built: boolean;
  entrypoint: Word[];
  command: Word[];
  volumes: Volume[];
  environment: Variable[];
  envFiles: (Lined & { path: string })[];
  /** What stands in the way of knowing it fully, with the line. */
  broken: (Lined & { what: string })[];
}

export interface ComposeFile {
  file: SourceFile;
  yaml: Yaml;
  nodes: NodeReader;
  services: Map<string, Field>;
}

/** Parsed files by their text object: `extends` comes back to the same base again and again. */
const parsed = new WeakMap<SourceFile, ComposeFile>();

/** Parses a compose file, once. `services` is empty when it is none. */
export function readCompose(file: SourceFile): ComposeFile {
  const known = parsed.get(file) ?? parseCompose(file);
  parsed.set(file, known);
  return known;
}

function parseCompose(file: SourceFile): ComposeFile {
  const yaml = readYaml(file.text);
  const nodes = reader(yaml);
  const services = yaml.error ? new Map<string, Field>() : nodes.fields(nodes.fields(yaml.docs[0]).get("services")?.value);
  for (const [name, { value }] of services) if (!isMap(value)) services.delete(name);
  return { file, yaml, nodes, services };
}

/** One service of a compose file, with what it inherits. `open` guards against circles of `extends`. */
export function readService(compose: ComposeFile, name: string, context: Context, open: readonly string[] = []): Service | undefined {
  const field = compose.services.get(name);
  if (!field) return undefined;
  const { file, nodes, yaml } = compose;
  const fields = nodes.fields(field.value);
  const env = context.envOf(folderOf(file.path));
  const put = (text: string) => (text.includes("$") ? interpolate(text, (variable) => env.get(variable)).text : text);
  const broken: Service["broken"] = [];
  const base = inherited(compose, name, fields, context, open, broken);
  const kept = <T>(key: string, from: T | undefined): T | undefined => (isReset(fields.get(key)) ? undefined : from);
  const own = (key: string): Field | undefined => {
    const found = fields.get(key);
    return found && !isReset(found) ? found : undefined;
  };
  const words = (key: "entrypoint" | "command"): Word[] => {
    const found = own(key);
    if (!found) return kept(key, base?.[key]) ?? [];
    if (isList(found.value)) return nodes.items(found.value).flatMap((node) => nodes.word(node) ?? []);
    // A string is split into words as a shell would split it.
    const whole = nodes.word(found.value);
    return whole ? commandsOf(whole.text, whole.line).flatMap((command) => command.words) : [];
  };
  const list = <T>(key: string, values: T[], from: T[] | undefined, id: (value: T) => string): T[] => {
    if (isReset(fields.get(key))) return [];
    if (isOverride(fields.get(key))) return values;
    const mine = new Set(values.map(id));
    return [...(from ?? []).filter((value) => !mine.has(id(value))), ...values];
  };
  const image = own("image");
  const raw = nodes.text(image?.value);
  const inheritedImage = kept("image", base?.image);
  return {
    name,
    line: yaml.lineOf(field.key),
    ...(image && raw !== undefined ? { image: { raw, line: yaml.lineOf(image.key) } } : inheritedImage ? { image: inheritedImage } : {}),
    built: own("build") !== undefined || kept("build", base?.built) === true,
    entrypoint: words("entrypoint"),
    command: words("command"),
    volumes: list("volumes", ownVolumes(compose, own("volumes"), put), base?.volumes, ({ target }) => target),
    environment: list("environment", ownVariables(compose, own("environment"), put), base?.environment, (variable) => variable.name),
    envFiles: list("env_file", ownEnvFiles(compose, own("env_file"), put), base?.envFiles, ({ path }) => path),
    broken: [...(base?.broken ?? []), ...broken],
  };
}

const isReset = (field: Field | undefined) => field?.value.tag === "!reset";
const isOverride = (field: Field | undefined) => field?.value.tag === "!override";

/** The service that `extends` names. What comes from another file is placed at the `extends` line, where this file takes it over. */
function inherited(
  compose: ComposeFile,
  name: string,
  fields: Map<string, Field>,
  context: Context,
  open: readonly string[],
  broken: Service["broken"],
): Service | undefined {
  const extend = fields.get("extends");
  if (!extend || isReset(extend)) return undefined;
  const line = compose.yaml.lineOf(extend.key);
  const { nodes } = compose;
  const service = nodes.text(extend.value) ?? nodes.text(nodes.at(extend.value, ["service"])?.value);
  const written = nodes.text(nodes.at(extend.value, ["file"])?.value);
  if (service === undefined) {
    broken.push({ line, what: "extends names no service" });
    return undefined;
  }
  const path = written === undefined ? compose.file.path : join(folderOf(compose.file.path), written);
  const here = `${compose.file.path} ${name}`;
  if (open.includes(`${path} ${service}`) || `${path} ${service}` === here) {
    broken.push({ line, what: `extends runs in a circle through ${service}` });
    return undefined;
  }
  const file = written === undefined || path === compose.file.path ? compose.file : context.file(path);
  const other = file && readCompose(file);
  const base = other && readService(other, service, context, [...open, here]);
  if (!base) {
    broken.push({
      line,
      what: other ? `${path} has no service ${service} to extend` : `extends names ${path}, which the tree does not have`,
    });
    return undefined;
  }
  if (file === compose.file) return base;
  const moved = <T extends Lined>(value: T): T => ({ ...value, line });
  const word = ({ text }: Word): Word => ({ text, line, fixed: true });
  return {
    ...base,
    ...(base.image ? { image: moved(base.image) } : {}),
    entrypoint: base.entrypoint.map(word),
    command: base.command.map(word),
    volumes: base.volumes.map(moved),
    environment: base.environment.map(moved),
    envFiles: base.envFiles.map(moved),
    broken: base.broken.map(moved),
  };
}

function ownVolumes({ file, nodes, yaml }: ComposeFile, field: Field | undefined, put: (text: string) => string): Volume[] {
  return nodes.items(field?.value).flatMap((node): Volume[] => {
    const short = nodes.text(node);
    const line = yaml.lineOf(node);
    let source: string | undefined;
    let target: string | undefined;
    let readonly = false;
    if (short !== undefined) {
      const [from, to, mode = ""] = splitVolume(short).map(put);
      [source, target, readonly] = [from, to, mode.split(",").includes("ro")];
    } else {
      const long = nodes.fields(node);
      const first = (...keys: string[]) =>
        put(keys.map((key) => nodes.text(long.get(key)?.value)).find((value) => value !== undefined) ?? "");
      if (first("type") !== "bind") return [];
      source = first("source", "src");
      target = first("target", "destination", "dst");
      readonly = first("read_only") === "true";
    }
    if (!source || !target || !/^[./~]/.test(source)) return [];
    return [{ source: source.startsWith(".") ? join(folderOf(file.path), source) : source, target, readonly, line }];
  });
}

/** Splits `SOURCE:TARGET:MODE` outside of `${…}`. */
function splitVolume(text: string): string[] {
  if (!text.includes("${")) return text.split(":");
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("${", at)) depth++;
    else if (text[at] === "}" && depth > 0) depth--;
    if (text[at] === ":" && depth === 0) {
      parts.push(part);
      part = "";
    } else part += text[at];
  }
  return [...parts, part];
}

/** `NAME=value` and `NAME: value`. A name alone only passes a variable through, and sets nothing. */
function ownVariables({ nodes, yaml }: ComposeFile, field: Field | undefined, put: (text: string) => string): Variable[] {
  if (!field) return [];
  if (isList(field.value)) {
    return nodes.items(field.value).flatMap((node) => {
      const match = /^([^=]+)=([\s\S]*)$/.exec(nodes.text(node) ?? "");
      return match ? [{ name: match[1] ?? "", value: put(match[2] ?? ""), line: yaml.lineOf(node) }] : [];
    });
  }
  return [...nodes.fields(field.value)].flatMap(([name, { key, value }]) => {
    const text = nodes.text(value);
    return text === undefined || text === "" || isReset({ key, value }) ? [] : [{ name, value: put(text), line: yaml.lineOf(key) }];
  });
}

function ownEnvFiles({ file, nodes, yaml }: ComposeFile, field: Field | undefined, put: (text: string) => string): Service["envFiles"] {
  if (!field) return [];
  const list = isList(field.value) ? nodes.items(field.value) : [field.value];
  return list.flatMap((node) => {
    const path = nodes.text(node) ?? nodes.text(nodes.at(node, ["path"])?.value);
    return path === undefined ? [] : [{ path: join(folderOf(file.path), put(path)), line: yaml.lineOf(node) }];
  });
}
