import type { InventoryFile } from "../model/shapes/observed.ts";

export interface ImageName {
  /** With registry and namespace: `docker.io/library/nginx`. */
  name: string;
  tag?: string;
  digest?: string;
}

const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const IMAGE = new RegExp(
  `^(?:((?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\\.[A-Za-z0-9-]+|localhost|[A-Za-z0-9.-]+(?=:\\d))(?::\\d{1,5})?)/)?(${PART}(?:/${PART})*)(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);

/** Reads an image reference of the OCI distribution grammar. Undefined when the text is none. */
export function parseImage(text: string): ImageName | undefined {
  const match = IMAGE.exec(text);
  if (!match) return undefined;
  const [, host, path = "", tag, digest] = match;
  const name = host ? `${host}/${path}` : path.includes("/") ? `docker.io/${path}` : `docker.io/library/${path}`;
  return { name, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

/** `nginx` -> `docker.io/library/nginx:latest`: registry, namespace and tag always said. Undefined when it is no image. */
export function normaliseImage(text: string): string | undefined {
  const image = parseImage(text);
  if (!image) return undefined;
  const tag = image.tag ?? (image.digest === undefined ? "latest" : undefined);
  return `${image.name}${tag === undefined ? "" : `:${tag}`}${image.digest === undefined ? "" : `@${image.digest}`}`;
}

/** `owner/name:tag` for people, without the registry that everybody means. */
export const shortImage = (image: string): string =>
  image.replace(/^docker\.io\/(?:library\/)?/, "").replace(/([0-9a-f]{10})[0-9a-f]{30,}/g, "$1");

/**
 * Whether the name can change what it means. A digest cannot; a tag that names a commit, a full version, a build number or a day
 * is taken not to, because projects do not move those; every other tag moves (pain C5: "drift-free" `:server-cuda`).
 */
export function mutabilityOf(text: string): InventoryFile["images"][number]["mutability"] {
  const image = parseImage(text);
  if (image?.digest !== undefined) return "immutable";
  const tag = image?.tag ?? "latest";
  if (
    /^localhost(:|\/)/.test(image?.name ?? "") ||
    [tag, image?.name.split("/").at(-1) ?? ""].some((part) => /(^|[-_.])local([-_.]|$)/.test(part))
  )
    return "local";
  return NAMES_A_BUILD.some((pattern) => pattern.test(tag)) ? "immutable" : "floating";
}

const NAMES_A_BUILD = [
  /(^|[^0-9a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}$/,
  /(^|[-_])v?\d+\.\d+\.\d+/,
  /(^|[-_])b\d{3,}$/,
  /(^|[-_.])20\d{2}[-_.]?[01]\d[-_.]?[0-3]\d($|[-_.])/,
];
