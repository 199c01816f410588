import type { Context } from "./found.ts";
import { isRevision } from "./packages.ts";
import { baseOf } from "./paths.ts";
import type { Command, Word } from "./shell.ts";
import { commandsIn } from "./shell.ts";
import type { Doings, Run, Script } from "./script-run.ts";
import { addInvocation, addPin, addRevision, expand, optionValue } from "./script-run.ts";
import { downloads, git, installsNode, installsPython, pulls } from "./tools.ts";

/** What the commands of a script install, check out, pull and run. Variables with a literal value or default are followed. */
export function readCommands(commands: Command[], script: Script, context: Context): Doings {
  const run: Run = { ...script, context, variables: new Map(), clones: [], images: [], pins: [], invocations: [], starts: [] };
  for (const command of commands) step(run, command);
  return run;
}

function step(run: Run, { words, assigns }: Command) {
  for (const { name, value } of assigns) {
    const literal = expand(run, value);
    run.variables.set(name, literal);
    const pin = run.context.pinOfEnv.get(name);
    if (pin && isRevision(literal.text)) addPin(run, { kind: pin.kind, name: pin.name, value: literal.text }, literal.line);
  }
  const args = unwrap(words);
  if (args.length === 0) return;
  starting(run, args, words[0]?.text === "exec");
  argv(run, args);
}

const SERVERS = /^(?:vllm|llama-server|sglang|ollama|text-generation-launcher|trtllm-serve|tritonserver|lmdeploy)$/;

/** Where a server is started: what the script turns into with `exec`, or a known server by its name. */
function starting(run: Run, args: Word[], exec: boolean) {
  const [head, next, third] = args.map(({ text }) => text);
  if (head === undefined || /^(?:[<>&\d]|bash$|sh$)/.test(baseOf(head))) return;
  const module = /^python[\d.]*$/.test(baseOf(head)) && next === "-m" ? third : undefined;
  if (!exec && !SERVERS.test(baseOf(head)) && !/(?:api_server|launch_server)$/.test(module ?? "")) return;
  const words = module === undefined ? [head, ...(next !== undefined && /^[a-z][\w-]*$/.test(next) ? [next] : [])] : [head, "-m", module];
  run.starts.push({ command: words.join(" "), service: run.service, file: run.file, line: args[0]?.line ?? 1 });
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
    docker,
    podman: docker,
    nerdctl: docker,
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

/** `: "${NAME:=value}"` */
function defaults(run: Run, args: Word[]) {
  for (const { text, line } of args) {
    const match = /^\$\{([A-Za-z_]\w*):?=([^}]*)\}$/.exec(text);
    if (match && !run.variables.has(match[1] ?? ""))
      step(run, { words: [], assigns: [{ name: match[1] ?? "", value: { text: match[2] ?? "", line } }] });
  }
}

/** Options of any command that name a template or a pinned model. */
function flags(run: Run, args: Word[]) {
  if (!args.some(({ text }) => text.startsWith("--chat-template") || text.startsWith("--revision"))) return;
  const template = optionValue(args, ["--chat-template", "--chat-template-file"]);
  if (template) {
    const { text, line } = expand(run, template);
    if (/^[\w./-]+\.\w+$/.test(text)) addInvocation(run, text, line);
  }
  const revision = optionValue(args, ["--revision"]);
  const model = optionValue(args, ["--model", "--model-path", "--hf-repo"]);
  if (revision && model && /^[\w.-]+\/[\w.-]+$/.test(model.text)) addRevision(run, model, revision);
}

function docker(run: Run, args: Word[]) {
  pulls(run, args, argv);
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
      if (script) for (const command of commandsIn(script)) step(run, command);
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

/** A command line that is given as words, such as a compose list: like a script of one command. */
export function readWords(words: Word[], script: Script, context: Context): ReturnType<typeof readCommands> {
  return readCommands([{ words, assigns: [] }], script, context);
}
