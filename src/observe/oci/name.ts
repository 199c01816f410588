import type { ImageName } from "./types.ts";

const NAME = /^([a-z0-9._-]+(?::\d+)?(?:\/[a-z0-9._-]+)*?)(?::(\w[\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/**
 * Takes an image's name apart as Docker does: the first part is a host only if it has a dot, a port or is `localhost`;
 * otherwise it is Docker Hub, whose API is at another host, and a bare name lies under `library/`.
 */
export function parseImage(image: string): ImageName | undefined {
  const [, path = "", tag, digest] = NAME.exec(image.replace(/^oci:/, "")) ?? [];
  const [first = "", ...rest] = path.split("/");
  if (first === "") return undefined;
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const isHub = !hasHost || /^(?:(?:index|registry-1)\.)?docker\.io$/.test(first);
  const repository = hasHost ? rest.join("/") : path;
  return {
    host: isHub ? "registry-1.docker.io" : first,
    repository: isHub && !repository.includes("/") ? `library/${repository}` : repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** A registry on this machine speaks plain HTTP, as Docker takes it. */
export const baseOf = (host: string): string => `${/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host) ? "http" : "https"}://${host}`;
