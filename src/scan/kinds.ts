import type { Context, Reader } from "./found.ts";
import { LOCK_NAMES } from "./lock-names.ts";
import { baseOf } from "./paths.ts";

/** How files of one kind are told, by name first and then by a cheap look at the text, and who reads them. */
export interface FileKind {
  name: (path: string, context: Context) => boolean;
  /** A look that is far cheaper than parsing; false means that the file cannot hold anything of this kind. */
  look: RegExp;
  load: () => Promise<Reader>;
}

const yaml = (path: string) => /\.ya?ml$/i.test(path);
const inChart = (path: string, { file }: Context): boolean => {
  const parts = path.split("/");
  return parts.some((_, depth) => file([...parts.slice(0, depth), "Chart.yaml"].join("/")) !== undefined);
};

const SHELL_TOOLS =
  /\b(?:git|pip3?|uv|pipx|npm|npx|pnpm|yarn|bunx|docker|podman|nerdctl|hf|huggingface-cli|python[\d.]*|bash|sh|source)\b|(?:COMMIT|REV|REVISION|PIN|SHA|REF)=/;

/** Every kind of file that can pin something. A file may be of several. The one place a kind is registered. */
export const KINDS = {
  compose: {
    name: yaml,
    look: /^[ \t{]*["']?services["']?[ \t]*:/m,
    load: async () => (await import("./compose.ts")).compose,
  },
  profile: {
    name: (path, { isProfile }) => isProfile(path),
    look: /./,
    load: async () => (await import("./profiles.ts")).profile,
  },
  workflow: {
    name: (path) => yaml(path) && (/(^|\/)\.(github|gitea|forgejo)\/workflows\/[^/]+$/.test(path) || /^action\.ya?ml$/.test(baseOf(path))),
    look: /\b(uses|image|container|run)\b/,
    load: async () => (await import("./workflow.ts")).workflow,
  },
  kubernetes: {
    name: (path, context) => yaml(path) && !inChart(path, context),
    look: /^["']?apiVersion["']?[ \t]*:[\s\S]*?\b(?:image|images)["']?[ \t]*:|^images:[\s\S]*?\bnewTag:/m,
    load: async () => (await import("./kubernetes.ts")).kubernetes,
  },
  helm: {
    name: (path, context) =>
      /\.(ya?ml|tpl)$/i.test(path) &&
      (/^values[^/]*\.ya?ml$/i.test(baseOf(path)) || /(^|\/)templates\//.test(path)) &&
      inChart(path, context),
    look: /image/i,
    load: async () => (await import("./helm.ts")).helm,
  },
  dockerfile: {
    name: (path) => /^(Dockerfile|Containerfile)([._-].*)?$|\.(Dockerfile|Containerfile)$/i.test(baseOf(path)),
    look: /^\s*FROM\s/im,
    load: async () => (await import("./dockerfile.ts")).dockerfile,
  },
  shell: {
    name: (path) => /\.(sh|bash|zsh|ksh)$/i.test(path),
    look: SHELL_TOOLS,
    load: async () => (await import("./shell-file.ts")).shellFile,
  },
  script: {
    name: (path) => !baseOf(path).includes("."),
    look: /^#!.*\b(?:ba|da|z|k)?sh\b/,
    load: async () => (await import("./shell-file.ts")).shellFile,
  },
  env: {
    name: (path) => /(^|\/)(\.env(\.[\w.-]+)?|[\w.-]+\.env)$/.test(path),
    look: /=/,
    load: async () => (await import("./env-file.ts")).envFile,
  },
  requirements: {
    name: (path) =>
      /(^|[-_.])(requirements|constraints)([-_.][^/]*)?\.(txt|in)$/i.test(baseOf(path)) ||
      /(^|\/)(requirements|constraints)\/[^/]+\.(txt|in)$/i.test(path) ||
      baseOf(path) === "pyproject.toml",
    look: /==|git\+/,
    load: async () => (await import("./requirements.ts")).requirements,
  },
  lock: {
    name: (path) => LOCK_NAMES.includes(baseOf(path)),
    look: /./,
    load: async () => (await import("./locks.ts")).lockFile,
  },
  huggingFace: {
    name: (path) => /\.(py|sh|bash|ya?ml|toml|json|env|ts|js)$/i.test(path) || /Dockerfile/.test(baseOf(path)),
    look: /(?:huggingface\.co|hf\.co)\/\S+\/(?:resolve|tree|blob|raw|commit)\/[0-9a-f]{7}|\brevision\s*=\s*["'][0-9a-f]{7}/,
    load: async () => (await import("./hugging-face.ts")).huggingFace,
  },
} satisfies Record<string, FileKind>;
export type Kind = keyof typeof KINDS;

/** Files whose comments and prose may cite upstream references or files of the stack. */
export const CITING =
  /\.(md|mdx|markdown|rst|adoc|txt|ya?ml|sh|bash|py|pyi|ts|tsx|js|mjs|cjs|go|rs|c|cc|cpp|cu|cuh|h|hpp|java|rb|lua|toml|patch|diff|jinja2?|tpl|env)$|(^|\/)(Dockerfile|Containerfile|Makefile|Justfile)[^/]*$/i;

/** Does anything read a file of this name? Decides what is opened at all. */
export const isInteresting = (path: string): boolean =>
  CITING.test(path) ||
  LOCK_NAMES.includes(baseOf(path)) ||
  /\.(in|ini|cfg|zsh|ksh|json)$/i.test(path) ||
  /(^|\/)\.env(\.|$)/.test(path) ||
  !baseOf(path).includes(".");

/** Could a file of this name pin something? One of these that is not read leaves a hole in the inventory; a large data file does not. */
export const couldPin = (path: string): boolean =>
  yaml(path) || [KINDS.dockerfile, KINDS.shell, KINDS.env, KINDS.requirements, KINDS.lock].some(({ name }) => name(path));
