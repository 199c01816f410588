import type { Context, Found, ImageUse, Invocation, PinUse } from "./found.ts";
import { normaliseImage } from "./image.ts";
import { interpolate } from "./interpolate.ts";
import { isRevision, npmRequirement, pythonRequirement, repositoryOf } from "./packages.ts";
import { baseOf } from "./paths.ts";
import type { Command, Word } from "./shell.ts";
import { commandsOf } from "./shell.ts";

/** Where a script stands, and which of the files it runs belong to the stack. */
export interface Script {
  file: string;
  service: string;
  /** Is the script or module that is run here part of the stack, such as a patch? */
  isOurs: (path: string, module: boolean) => boolean;
}

interface Run extends Script {
  context: Context;
  variables: Map<string, Word>;
  /** Repositories cloned so far, by folder; the last one is what a bare `git checkout` means. */
  clones: { kind: "git" | "hf"; name: string; folder: string }[];
  images: ImageUse[];
  pins: PinUse[];
  invocations: Invocation[];
}

/** What the commands of a script install, check out, pull and run. Variables with a literal value or default are followed. */
export function readCommands(
  commands: Command[],
  script: Script,
  context: Context,
): Required<Pick<Found, "images" | "pins" | "invocations">> {
  const run: Run = { ...script, context, variables: new Map(), clones: [], images: [], pins: [], invocations: [] };
  for (const command of commands) step(run, command);
  return { images: run.images, pins: run.pins, invocations: run.invocations };
}

function step(run: Run, { words, assigns }: Command) {
  for (const { name, value } of assigns) {
    const literal = expand(run, value);
    run.variables.set(name, literal);
    const pin = run.context.pinOfEnv.get(name);
    if (pin && isRevision(literal.text)) addPin(run, { ...pin, value: literal.text }, literal.line);
  }
  const args = unwrap(words);
  if (args.length > 0) argv(run, args);
}

/** One command line, already split into words. */
function argv(run: Run, args: Word[]) {
  const [head, ...rest] = args;
  if (!head) return;
  if (head.text === ":") defaults(run, rest);
  const name = baseOf(expand(run, head).text);
  const tool = TOOLS.get(name.replace(/^python[\d.]*$/, "python"));
  if (tool) tool(run, rest);
  else if (/\.(sh|py)$/.test(name)) invoke(run, head, false);
  flags(run, args);
}

const TOOLS = new Map<string, (run: Run, args: Word[]) => void>(
  Object.entries({
    git,
    pip: installsPython,
    pip3: installsPython,
    uv: installsPython,
    pipx: installsPython,
    npm: installsNode,
    pnpm: installsNode,
    yarn: installsNode,
    npx: installsNode,
    bunx: installsNode,
    docker: pulls,
    podman: pulls,
    nerdctl: pulls,
    hf: downloads,
    "huggingface-cli": downloads,
    python,
    bash: shell,
    sh: shell,
    dash: shell,
    source: (run: Run, [file]: Word[]) => file && invoke(run, file, false),
    ".": (run: Run, [file]: Word[]) => file && invoke(run, file, false),
  }),
);

/** `sudo`, `exec`, `env A=b`, `for x in`: the command proper begins after them. */
function unwrap(words: Word[]): Word[] {
  let at = 0;
  while (at < words.length) {
    const text = words[at]?.text ?? "";
    if (["sudo", "exec", "nohup", "command", "builtin", "time"].includes(text)) at++;
    else if (text === "env") {
      at++;
      while (/^(-\S+|[A-Za-z_]\w*=.*)$/s.test(words[at]?.text ?? "")) at++;
    } else break;
  }
  return words.slice(at);
}

/** A word with its variables put in; its line is that of the literal it comes from. */
function expand(run: Run, word: Word): Word {
  if (!word.text.includes("$")) return word;
  let line = word.line;
  const { text } = interpolate(word.text.replace(/(\$\{\w+):=/g, "$1:-").replace(/(\$\{\w+)=/g, "$1-"), (name) => {
    const known = run.variables.get(name);
    if (known) line = known.line;
    return known?.text;
  });
  return { text, line };
}

/** `: "${NAME:=value}"` */
function defaults(run: Run, args: Word[]) {
  for (const { text, line } of args) {
    const match = /^\$\{([A-Za-z_]\w*):?=([^}]*)\}$/.exec(text);
    if (match && !run.variables.has(match[1] ?? ""))
      step(run, { words: [], assigns: [{ name: match[1] ?? "", value: { text: match[2] ?? "", line } }] });
  }
}

function addPin(run: Run, pin: Pick<PinUse, "kind" | "name" | "value">, line: number) {
  if (!run.pins.some((known) => known.kind === pin.kind && known.name === pin.name && known.value === pin.value && known.line === line))
    run.pins.push({ ...pin, file: run.file, line });
}

function git(run: Run, args: Word[]) {
  const words = args.map((word) => expand(run, word));
  let folder: string | undefined;
  let at = 0;
  while (words[at]?.text.startsWith("-")) {
    if (words[at]?.text === "-C") folder = words[at + 1]?.text;
    at += words[at]?.text === "-C" || words[at]?.text === "-c" ? 2 : 1;
  }
  const action = words[at]?.text;
  const rest = words.slice(at + 1);
  if (action === "clone" || (action === "remote" && rest[0]?.text === "add")) {
    const place = rest.findIndex(({ text }) => repositoryOf(text) !== undefined);
    const repository = place < 0 ? undefined : repositoryOf(rest[place]?.text ?? "");
    if (!repository) return;
    const into = action === "clone" ? rest.slice(place + 1).find(({ text }) => !text.startsWith("-"))?.text : folder;
    run.clones.push({ ...repository, folder: into ?? baseOf(repository.name) });
    const branch = optionValue(rest, ["-b", "--branch"]);
    if (branch && isRevision(branch.text)) addPin(run, { ...repository, value: branch.text }, branch.line);
    return;
  }
  if (!["checkout", "reset", "switch", "fetch"].includes(action ?? "")) return;
  const clone = (folder !== undefined && run.clones.findLast((known) => known.folder === folder)) || run.clones.at(-1);
  const revision = rest.find(({ text }) => isRevision(text));
  if (clone && revision) addPin(run, { kind: clone.kind, name: clone.name, value: revision.text }, revision.line);
}

function installsPython(run: Run, args: Word[]) {
  if (!args.some(({ text }) => ["install", "add", "download", "wheel", "run"].includes(text))) return;
  for (const word of args) {
    const { text, line } = expand(run, word);
    const pin = pythonRequirement(text.replace(/^--(?:from|with)=/, ""));
    if (pin) addPin(run, pin, line);
  }
}

function installsNode(run: Run, args: Word[]) {
  for (const word of args) {
    const { text, line } = expand(run, word);
    const pin = npmRequirement(text);
    if (pin) addPin(run, pin, line);
  }
}

/** Options of `docker run` and `docker pull` that take no value; every other long or short option without `=` takes one. */
const BARE = new Set(
  "-d -i -t -it -ti -q -a -P --rm --detach --interactive --tty --init --privileged --read-only --quiet --all-tags --publish-all --no-healthcheck --oom-kill-disable --disable-content-trust --sig-proxy --help".split(
    " ",
  ),
);

function pulls(run: Run, args: Word[]) {
  const at = args.findIndex(({ text }) => ["pull", "run", "create"].includes(text));
  if (
    at < 0 ||
    args.slice(0, at).some(({ text }) => ["compose", "buildx", "exec", "image", "volume", "network"].includes(text) && text !== "image")
  )
    return;
  let next = at + 1;
  while (args[next]?.text.startsWith("-")) next += args[next]?.text.includes("=") || BARE.has(args[next]?.text ?? "") ? 1 : 2;
  const word = args[next];
  if (!word) return;
  const { text, line } = expand(run, word);
  const image = normaliseImage(text);
  if (image !== undefined && /[/:]/.test(text)) {
    run.images.push({ image, raw: word.text, service: `docker ${args[at]?.text}`, built: false, file: run.file, line });
    argv(run, args.slice(next + 1));
  }
}

function downloads(run: Run, args: Word[]) {
  const model = args.find(({ text }) => /^[\w.-]+\/[\w.-]+$/.test(text));
  const revision = optionValue(args, ["--revision"]);
  if (model && revision) addRevision(run, model, revision);
}

function addRevision(run: Run, model: Word, revision: Word) {
  const value = expand(run, revision);
  if (isRevision(value.text)) addPin(run, { kind: "hf", name: expand(run, model).text, value: value.text }, value.line);
}

function optionValue(words: Word[], names: string[]): Word | undefined {
  for (const [index, word] of words.entries()) {
    if (names.includes(word.text)) return words[index + 1];
    const name = names.find((known) => word.text.startsWith(`${known}=`));
    if (name !== undefined) return { text: word.text.slice(name.length + 1), line: word.line };
  }
  return undefined;
}

/** Options of any command that name a template or a pinned model. */
function flags(run: Run, args: Word[]) {
  const template = optionValue(args, ["--chat-template", "--chat-template-file"]);
  if (template) {
    const { text, line } = expand(run, template);
    if (/^[\w./-]+\.\w+$/.test(text)) addInvocation(run, text, line);
  }
  const revision = optionValue(args, ["--revision"]);
  const model = optionValue(args, ["--model", "--model-path", "--hf-repo"]);
  if (revision && model && /^[\w.-]+\/[\w.-]+$/.test(model.text)) addRevision(run, model, revision);
}

function python(run: Run, args: Word[]) {
  let at = 0;
  while (args[at]?.text.startsWith("-")) {
    const option = args[at]?.text ?? "";
    if (option === "-m") {
      const module = args[at + 1];
      if (!module) return;
      if (module.text === "pip" || module.text === "uv") installsPython(run, args.slice(at + 2));
      else invoke(run, module, true);
      return;
    }
    if (option === "-c" || option === "-") return;
    at += option === "-X" || option === "-W" ? 2 : 1;
  }
  const file = args[at];
  if (file) invoke(run, file, false);
}

function shell(run: Run, args: Word[]) {
  let at = 0;
  while (/^[-+]/.test(args[at]?.text ?? "")) {
    if (/^-[a-z]*c$/.test(args[at]?.text ?? "")) {
      const script = args[at + 1];
      if (script) for (const command of commandsOf(script.text, script.line)) step(run, command);
      return;
    }
    at += /^[-+]o$/.test(args[at]?.text ?? "") ? 2 : 1;
  }
  const file = args[at];
  if (file) invoke(run, file, false);
}

function invoke(run: Run, word: Word, module: boolean) {
  const { text, line } = expand(run, word);
  if (text !== "" && run.isOurs(text, module)) addInvocation(run, text, line);
}

function addInvocation(run: Run, path: string, line: number) {
  if (!run.invocations.some((known) => known.path === path && known.line === line))
    run.invocations.push({ path, service: run.service, file: run.file, line });
}

/** A command line that is given as words, such as a compose list: like a script of one command. */
export function readWords(words: Word[], script: Script, context: Context): ReturnType<typeof readCommands> {
  return readCommands([{ words, assigns: [] }], script, context);
}
