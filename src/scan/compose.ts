import type { TreeFinding } from "../model/tree.ts";
import { finding } from "../model/tree.ts";
import { readWords } from "./commands.ts";
import type { Doings } from "./script-run.ts";
import type { Service, Volume } from "./compose-service.ts";
import { readCompose, readService } from "./compose-service.ts";
import { dollars } from "./dollars.ts";
import { readEnv } from "./env-file.ts";
import type { Context, EnvFlag, Found, ImageUse, Invocation, Mount, Profile, Reader, SourceFile } from "./found.ts";
import { normaliseImage, shortImage } from "./image.ts";
import { interpolate } from "./interpolate.ts";
import { baseOf, folderOf, join } from "./paths.ts";
import { unescaped } from "./unescaped.ts";

/** Reads a compose file: images, patch mounts, what the entrypoints run and install, and flags, service by service. */
export const compose: Reader = (file, context) => {
  const parsed = readCompose(file);
  const { error } = parsed.yaml;
  if (error)
    return { findings: [finding("syntax", { file: file.path, line: error.line }, `The compose file cannot be parsed: ${error.message}.`)] };
  const profile = profileOf(file, context);
  const found: Required<Found> = {
    composes: parsed.services.size > 0 ? [file.path] : [],
    images: [],
    pins: [],
    mounts: [],
    invocations: [],
    starts: [],
    envFlags: [],
    findings: [...profile.findings],
  };
  for (const name of parsed.services.keys()) {
    const service = readService(parsed, name, context);
    if (!service) continue;
    found.images.push(...image(file, service, context, profile.named, found.findings));
    found.mounts.push(...mounts(file, service, context, found.findings));
    found.envFlags.push(...flags(file, service, context));
    const run = scripts(file, service, context);
    found.pins.push(...run.pins);
    found.images.push(...run.images);
    found.invocations.push(...run.invocations);
    found.starts.push(...run.starts);
    found.findings.push(...unescaped(file.path, service));
    for (const { line, what } of service.broken)
      found.findings.push(finding("unresolved-image", { file: file.path, line }, `Service ${name}: ${what}. What it runs cannot be told.`));
  }
  return found;
};

/** The engine profile that a comment of the file names. */
function profileOf({ path, text }: SourceFile, { profiles, settings }: Context): { named: Profile | undefined; findings: TreeFinding[] } {
  if (!settings.profiles || !text.includes(settings.profiles.named_by)) return { named: undefined, findings: [] };
  const name = settings.profiles.named_by.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
  const match = new RegExp(`^[ \\t]*#[ \\t]*${name}:[ \\t]*([\\w.-]+)`, "m").exec(text);
  if (!match) return { named: undefined, findings: [] };
  const named = profiles.get(match[1] ?? "");
  if (named) return { named, findings: [] };
  const line = text.slice(0, match.index).split("\n").length;
  const message = `Names the engine profile ${match[1]}, and there is none. Known: ${[...profiles.keys()].sort().join(", ") || "none"}.`;
  return { named: undefined, findings: [finding("unknown-profile", { file: path, line }, message)] };
}

function image(file: SourceFile, service: Service, context: Context, profile: Profile | undefined, findings: TreeFinding[]): ImageUse[] {
  if (!service.image) return [];
  const { raw, line } = service.image;
  const at = { file: file.path, line };
  const env = context.envOf(folderOf(file.path));
  const written = interpolate(raw, (name) => env.get(name));
  const missing = written.unset.length > 0 || written.invalid !== undefined;
  const resolved = missing ? fromProfile(raw, profile) : written.text;
  if (service.built && resolved !== undefined) return [{ image: resolved, raw, service: service.name, built: true, ...at }];
  const name = resolved === undefined ? undefined : normaliseImage(resolved);
  if (name === undefined) {
    const why = missing
      ? `${written.invalid ?? written.unset.map((variable) => `\${${variable}}`).join(" and ")} has no value here`
      : `"${written.text}" is not an image`;
    findings.push(
      finding(
        "unresolved-image",
        at,
        `Service ${service.name} runs ${raw}, and ${why}. Give a default, or name an engine profile that pins it.`,
      ),
    );
    return [];
  }
  // A launcher changes what is written as a variable, and no literal.
  if (
    profile &&
    raw.includes("${") &&
    !missing &&
    !context.isArchived(file.path) &&
    normaliseImage(profile.value) !== undefined &&
    normaliseImage(profile.value) !== name
  ) {
    findings.push(
      finding(
        "profile-differs",
        at,
        `Falls back to ${shortImage(name)}, and its engine profile ${profile.id} (${profile.file}:${profile.line}) pins ${shortImage(normaliseImage(profile.value) ?? "")}. Make them one.`,
      ),
    );
  }
  return [{ image: name, raw, service: service.name, built: false, ...at }];
}

/**
 * What a launcher would put in place of variables without a default: the profile's image when it fits the pattern that the
 * compose file writes. `…:nightly-${SHA}` and a profile `…:nightly-1acd67a7` fit.
 */
function fromProfile(raw: string, profile: Profile | undefined): string | undefined {
  if (!profile) return undefined;
  // Innermost default that still names variables, read as a pattern.
  const inner = /^\$\{\w+:?-(.*)\}$/s.exec(raw)?.[1] ?? raw;
  const pattern = dollars(inner)
    .map((part) => (part.variable ? "(.+)" : part.text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")))
    .join("");
  return new RegExp(`^${pattern}$`).test(profile.value) ? profile.value : undefined;
}

function mounts(file: SourceFile, service: Service, context: Context, findings: TreeFinding[]): Mount[] {
  const seen = new Map<string, number>();
  return service.volumes.flatMap(({ source, target, readonly, line }) => {
    const place = { file: file.path, line };
    const twice = seen.get(target);
    if (twice !== undefined && !context.isArchived(file.path)) {
      findings.push(
        finding(
          "duplicate-target",
          place,
          `Service ${service.name} mounts ${target} twice (also on line ${twice}); only one of them can be there. Remove one.`,
        ),
      );
    }
    seen.set(target, line);
    return context.isPatch(source) || context.isOverlay(target)
      ? [{ source, target, ...(readonly ? { readonly } : {}), service: service.name, ...place }]
      : [];
  });
}

function flags(file: SourceFile, service: Service, context: Context): EnvFlag[] {
  const own = new Set(service.environment.map(({ name }) => name));
  const fromFiles = service.envFiles.flatMap(({ path, line }) => {
    const text = context.file(path)?.text;
    return text === undefined ? [] : readEnv(text).flatMap(({ name, value }) => (own.has(name) ? [] : [{ name, value, line }]));
  });
  return [...fromFiles, ...service.environment]
    .filter(({ name }) => context.isFlag(name))
    .map(({ name, value, line }) => ({ name, value, service: service.name, file: file.path, line }));
}

function scripts(file: SourceFile, service: Service, context: Context): Doings {
  const words = [...service.entrypoint, ...service.command].map((word) => ({ ...word, text: word.text.replaceAll("$$", "$") }));
  const mine = service.volumes.filter(({ source }) => !source.startsWith("/") && !source.startsWith("~"));
  const isOurs = (path: string, module: boolean) => {
    if (module) {
      const inner = `/${path.replaceAll(".", "/")}`;
      return (
        /patch/i.test(path) ||
        service.volumes.some(({ target }) => `${inner}/`.includes(`/${baseOf(target)}/`) && context.isOverlay(target))
      );
    }
    return /patch/i.test(path) || mine.some(({ target }) => path === target || path.startsWith(`${target.replace(/\/$/, "")}/`));
  };
  const run = readWords(words, { file: file.path, service: service.name, isOurs }, context);
  return { ...run, invocations: run.invocations.map((invocation) => withSource(invocation, mine)) };
}

/** Names the file of the tree behind an invoked path or module, so that one `install.sh` is told from another. */
function withSource(invocation: Invocation, volumes: readonly Volume[]): Invocation {
  const { path, ...rest } = invocation;
  const inside = path.startsWith("/") ? path : `/${path.replaceAll(".", "/")}.py`;
  for (const { source, target } of volumes) {
    const name = target.replace(/\/$/, "");
    if (path === name) return { path, source, ...rest };
    if (path.startsWith(`${name}/`)) return { path, source: join(source, path.slice(name.length + 1)), ...rest };
    const at = path.startsWith("/") ? -1 : inside.indexOf(`/${baseOf(name)}/`);
    if (at >= 0) return { path, source: join(source, inside.slice(at + baseOf(name).length + 2)), ...rest };
  }
  return invocation;
}
