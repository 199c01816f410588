import type { Context, Found, ImageUse, Reader, SourceFile } from "./found.ts";
import { normaliseImage } from "./image.ts";
import { folderOf, join } from "./paths.ts";
import type { Node, NodeReader, Yaml } from "./yaml-nodes.ts";
import { isList, isMap, reader, readYaml } from "./yaml-nodes.ts";

/** The folder of the chart a file belongs to; undefined outside of charts. */
export function chartOf(path: string, file: Context["file"]): string | undefined {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (file(join(folder, "Chart.yaml"))) return folder;
    if (folder === "") return undefined;
  }
}

/** Reads a Helm chart: `image:` maps and strings of its values, and literal images of its templates. */
export const helm: Reader = (file, context): Found => {
  if (/(^|\/)templates\//.test(file.path)) return { images: literals(file) };
  const yaml = readYaml(file.text);
  const [doc] = yaml.docs;
  if (yaml.error || !doc) return {};
  const version = appVersion(file.path, context);
  const found: ImageUse[] = [];
  values(file, yaml, reader(yaml), doc, [], version, found);
  return { images: found };
};

/** Templates are no YAML; an image without a placeholder is still one. */
function literals(file: SourceFile): ImageUse[] {
  return file.text.split("\n").flatMap((source, index) => {
    const raw = /^\s*(?:-\s+)?image:\s*["']?([^\s"'{}#]+)["']?\s*(?:#.*)?$/.exec(source)?.[1];
    const image = raw === undefined ? undefined : normaliseImage(raw);
    return image === undefined || raw === undefined
      ? []
      : [{ image, raw, service: "template", built: false, file: file.path, line: index + 1 }];
  });
}

function values(
  file: SourceFile,
  yaml: Yaml,
  nodes: NodeReader,
  node: Node,
  path: string[],
  version: string | undefined,
  found: ImageUse[],
) {
  if (path.length > 30) return;
  if (isList(node)) {
    for (const item of nodes.items(node)) values(file, yaml, nodes, item, path, version, found);
    return;
  }
  if (!isMap(node)) return;
  for (const [name, { key, value }] of nodes.fields(node)) {
    const here = [...path, name];
    if (!/^image$|Image$|_image$/.test(name)) {
      values(file, yaml, nodes, value, here, version, found);
      continue;
    }
    const fields = nodes.fields(value);
    const get = (field: string) => nodes.text(fields.get(field)?.value) || undefined;
    const repository = get("repository");
    const registry = get("registry");
    const tag = get("tag") ?? version;
    const digest = get("digest");
    const text = nodes.text(value);
    const raw =
      text !== undefined
        ? text
        : repository === undefined
          ? undefined
          : `${registry === undefined ? "" : `${registry}/`}${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
    const line = yaml.lineOf(fields.get("tag")?.key ?? key);
    // A bare word such as `image: logo` is more likely something else.
    const image = raw === undefined || (text !== undefined && !/[/:]/.test(text)) ? undefined : normaliseImage(raw);
    if (image !== undefined && raw !== undefined) found.push({ image, raw, service: here.join("."), built: false, file: file.path, line });
  }
}

function appVersion(path: string, context: Context): string | undefined {
  const chart = context.file(join(chartOf(path, context.file) ?? "", "Chart.yaml"));
  const yaml = chart && readYaml(chart.text);
  const nodes = yaml && reader(yaml);
  return nodes?.text(nodes.fields(yaml?.docs[0]).get("appVersion")?.value) || undefined;
}
