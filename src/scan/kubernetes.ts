import { finding } from "../model/tree.ts";
import type { Found, ImageUse, Reader, SourceFile } from "./found.ts";
import { normaliseImage } from "./image.ts";
import type { Node, NodeReader, Yaml } from "./yaml-nodes.ts";
import { isList, isMap, reader, readYaml } from "./yaml-nodes.ts";

const LISTS = new Set(["containers", "initContainers", "ephemeralContainers"]);

/** Reads Kubernetes manifests: the images of every container at any depth, and the images of a kustomization. */
export const kubernetes: Reader = (file): Found => {
  const yaml = readYaml(file.text);
  if (yaml.error)
    return {
      findings: [finding("syntax", { file: file.path, line: yaml.error.line }, `The manifest cannot be parsed: ${yaml.error.message}.`)],
    };
  const found: Required<Pick<Found, "images" | "findings">> = { images: [], findings: [] };
  const nodes = reader(yaml);
  for (const doc of yaml.docs) {
    const top = nodes.fields(doc);
    if (nodes.text(top.get("kind")?.value) === "Kustomization" || /^kustomization\.ya?ml$/.test(file.path.split("/").at(-1) ?? ""))
      found.images.push(...kustomized(file, yaml, nodes, nodes.items(top.get("images")?.value)));
    else containers(file, yaml, nodes, doc, found, 0);
  }
  return found;
};

function containers(
  file: SourceFile,
  yaml: Yaml,
  nodes: NodeReader,
  node: Node,
  found: Required<Pick<Found, "images" | "findings">>,
  depth: number,
) {
  if (depth > 40) return;
  if (isList(node)) {
    for (const item of nodes.items(node)) containers(file, yaml, nodes, item, found, depth + 1);
    return;
  }
  if (!isMap(node)) return;
  for (const [name, { value }] of nodes.fields(node)) {
    if (!LISTS.has(name) || !isList(value)) {
      containers(file, yaml, nodes, value, found, depth + 1);
      continue;
    }
    for (const item of nodes.items(value)) {
      const container = nodes.fields(item);
      const image = container.get("image");
      const raw = nodes.text(image?.value);
      if (!image || raw === undefined) continue;
      const place = { file: file.path, line: yaml.lineOf(image.key) };
      const normal = normaliseImage(raw);
      if (normal !== undefined)
        found.images.push({ image: normal, raw, service: nodes.text(container.get("name")?.value) || "container", built: false, ...place });
      else found.findings.push(finding("unresolved-image", place, `"${raw}" is not an image. Write registry/name:tag.`));
    }
  }
}

/** `images: [{ name, newName, newTag, digest }]` */
function kustomized(file: SourceFile, yaml: Yaml, nodes: NodeReader, items: Node[]): ImageUse[] {
  return items.flatMap((item) => {
    const fields = nodes.fields(item);
    const get = (key: string) => nodes.text(fields.get(key)?.value);
    const name = get("newName") ?? get("name");
    if (name === undefined || (get("newTag") === undefined && get("digest") === undefined)) return [];
    const raw = get("digest") === undefined ? `${name}:${get("newTag")}` : `${name}@${get("digest")}`;
    const image = normaliseImage(raw);
    return image === undefined ? [] : [{ image, raw, service: "kustomization", built: false, file: file.path, line: yaml.lineOf(item) }];
  });
}
