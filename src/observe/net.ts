/** The network as the registries' adapters use it. Made in `scripts/`. */
export interface Net {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  now: () => Date;
  /** Waits that many milliseconds. Absent: nothing is tried again within the run. */
  wait?: (ms: number) => Promise<void>;
  /** Milliseconds until a request counts as stalled; default 30,000. */
  timeoutMs?: number;
  /** Credentials for a host, such as a registry of a private image. */
  login?: (host: string) => { username: string; password: string } | undefined;
  /** Base URL to use instead of a registry's own, by its host: a mirror, or a stand-in. */
  mirror?: (host: string) => string | undefined;
  /** Bases of the services, for stand-ins and mirrors; default: the public ones. */
  bases?: Partial<Record<"pypi" | "npm" | "huggingface" | "dockerHub", string>>;
}

/** A request to the API of a code host, octokit-like: resolves for success, throws an error with `status` and `response.data` otherwise. */
export type Request = (
  route: string,
  parameters: Record<string, string | number>,
) => Promise<{ status: number; data: unknown; headers: Record<string, string | number | undefined> }>;
