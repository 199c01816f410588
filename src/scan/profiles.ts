import type { Context, Found, PinUse, Profile, Reader, SourceFile } from "./found.ts";
import { finding } from "../model/tree.ts";
import { parseImage } from "./image.ts";
import { isRevision, pythonRequirement } from "./packages.ts";
import { baseOf } from "./paths.ts";
import { reader, readYaml } from "./yaml-nodes.ts";

type Settings = NonNullable<Context["settings"]["profiles"]>;

/** An engine profile: its name and what it pins. Undefined when the file holds none, such as a list beside the profiles. */
export function readProfile(file: SourceFile, settings: Settings): Profile | undefined {
  const yaml = readYaml(file.text);
  if (yaml.error) return undefined;
  const [doc] = yaml.docs;
  const nodes = reader(yaml);
  const field = nodes.at(doc, settings.value.split("."));
  const value = nodes.text(field?.value);
  if (!field || value === undefined || value === "") return undefined;
  const id = nodes.text(nodes.at(doc, settings.id.split("."))?.value) || baseOf(file.path).replace(/\.ya?ml$/, "");
  return { id, value, file: file.path, line: yaml.lineOf(field.key) };
}

/** What an engine profile pins: an image, a package or a commit. A version range pins nothing. */
export const profile: Reader = (file, { profiles }): Found => {
  const found = [...profiles.values()].find((known) => known.file === file.path);
  const { error } = found ? {} : readYaml(file.text);
  if (error)
    return {
      findings: [finding("syntax", { file: file.path, line: error.line }, `The engine profile cannot be parsed: ${error.message}.`)],
    };
  const pin = found && pinOf(found.value);
  return found && pin ? { pins: [{ ...pin, file: found.file, line: found.line }] } : {};
};

/** An artifact as a profile writes it. */
export function pinOf(text: string): Pick<PinUse, "kind" | "name" | "value"> | undefined {
  const python = pythonRequirement(text);
  if (python) return python;
  const git = /^(?:git:|https:\/\/github\.com\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?@([\w.-]+)$/.exec(text);
  if (git && isRevision(git[2] ?? "")) return { kind: "git", name: git[1] ?? "", value: git[2] ?? "" };
  const image = /[/:]/.test(text) ? parseImage(text) : undefined;
  if (!image) return undefined;
  return { kind: "oci", name: image.name, value: image.digest ?? image.tag ?? "latest" };
}
