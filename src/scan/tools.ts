import { normaliseImage } from "./image.ts";
import { isRevision, npmRequirement, pythonRequirement, repositoryOf } from "./packages.ts";
import { baseOf } from "./paths.ts";
import type { Run } from "./script-run.ts";
import { addPin, addRevision, expand, optionValue } from "./script-run.ts";
import type { Word } from "./shell.ts";

/** `git clone URL`, `git checkout SHA`: what is checked out belongs to what was cloned last, or to the folder of `-C`. */
export function git(run: Run, args: Word[]) {
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

export function installsPython(run: Run, args: Word[]) {
  if (!args.some(({ text }) => ["install", "add", "download", "wheel", "run"].includes(text))) return;
  for (const word of args) {
    const { text, line } = expand(run, word);
    const pin = pythonRequirement(text.replace(/^--(?:from|with)=/, ""));
    if (pin) addPin(run, pin, line);
  }
}

export function installsNode(run: Run, args: Word[]) {
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

/** `docker pull`, `docker run`, `docker create`: the image, and then the command that runs in it. */
export function pulls(run: Run, args: Word[], inside: (run: Run, args: Word[]) => void) {
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
    inside(run, args.slice(next + 1));
  }
}

/** `hf download owner/name --revision SHA` */
export function downloads(run: Run, args: Word[]) {
  const model = args.find(({ text }) => /^[\w.-]+\/[\w.-]+$/.test(text));
  const revision = optionValue(args, ["--revision"]);
  if (model && revision) addRevision(run, model, revision);
}
