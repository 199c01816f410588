import type { Failed } from "./look.ts";
import type { Net } from "./net.ts";

/** A whole answer of a server: the body has been read. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
  /** Where it came from after redirects. */
  url: string;
}

/** Bodies of registries stay far below; more than that is not what was asked for. */
const MAX_BYTES = 100_000_000;
const TRIES = 3;
/** Seconds a server may ask to wait before the run gives up on it. */
const PATIENCE = 60;

/**
 * Fetches and reads to the end. Trouble that says nothing about the world is `failed`: no network, a stalled or cut off answer,
 * 408, 429 and 5xx, after a few tries where waiting is possible. Every other answer is handed back, 404 and 401 too: what they
 * mean depends on the service.
 */
export async function ask(
  net: Net,
  url: string,
  init: { method?: "GET" | "HEAD"; headers?: Record<string, string> } = {},
): Promise<Answer | Failed> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(net, url, init);
    if (!isFailed(outcome)) return outcome;
    const seconds = secondsUntil(net, outcome.notBefore) ?? 2 ** (attempt - 1);
    if (net.wait === undefined || attempt === TRIES || seconds > PATIENCE) return outcome;
    await net.wait(seconds * 1000);
  }
}

async function once(
  net: Net,
  url: string,
  { method = "GET", headers = {} }: { method?: "GET" | "HEAD"; headers?: Record<string, string> },
): Promise<Answer | Failed> {
  const timeout = net.timeoutMs ?? 30_000;
  const where = hostOf(url);
  try {
    const response = await net.fetch(url, { method, headers, signal: AbortSignal.timeout(timeout), redirect: "follow" });
    if (Number(response.headers.get("content-length") ?? 0) > MAX_BYTES) {
      await response.body?.cancel();
      return { state: "failed", why: `${where} answers with more than ${MAX_BYTES} bytes.` };
    }
    const body = await response.text();
    const { status } = response;
    if (status === 408 || status === 429 || status >= 500) {
      return {
        state: "failed",
        why: `${where} answered ${status}${status === 429 ? ", too many requests" : ""}.`,
        status,
        notBefore: retryAt(net, response.headers),
      };
    }
    return { status, headers: response.headers, body, url: response.url || url };
  } catch (error) {
    return { state: "failed", why: `${where} did not answer: ${reasonOf(error, timeout)}.` };
  }
}

export const isFailed = (outcome: object): outcome is Failed => "state" in outcome && outcome.state === "failed";

/** A refusal that says nothing about the world, with what the service said in its own words, cut short and without markup. */
export function refused(answer: Answer, what: string): Failed {
  const words = answer.headers.get("content-type")?.includes("json")
    ? answer.body
        .replace(/<[^>]*>|\s+/g, " ")
        .slice(0, 200)
        .trim()
    : "";
  return {
    state: "failed",
    why: `${what}: ${hostOf(answer.url)} answered ${answer.status}${words === "" ? "" : `, ${words}`}.`,
    status: answer.status,
  };
}

/**
 * Does a 404 come from the service itself, as an object that says so? A page of something in between (a proxy, a captive
 * portal, an error page) is no word about the world.
 */
export function saysMissing({ status, body }: Answer): boolean {
  if (status !== 404) return false;
  try {
    const told: unknown = JSON.parse(body);
    return typeof told === "object" && told !== null && ("message" in told || "error" in told);
  } catch {
    return false;
  }
}

/** The body as JSON of a shape, or failed: a truncated or foreign answer teaches nothing. */
export function readJson<T>(
  answer: Answer,
  shape: { safeParse: (value: unknown) => { success: boolean; data?: T } },
  what: string,
): T | Failed {
  let value: unknown;
  try {
    value = JSON.parse(answer.body);
  } catch {
    return { state: "failed", why: `${what}: the answer of ${hostOf(answer.url)} is cut off, or no JSON.`, status: answer.status };
  }
  const outcome = shape.safeParse(value);
  if (outcome.success && outcome.data !== undefined) return outcome.data;
  return {
    state: "failed",
    why: `${what}: the answer of ${hostOf(answer.url)} has not the expected shape; npm run doctor tells more.`,
    status: answer.status,
  };
}

/** Credentials and queries stay out of every message. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the server";
}

function retryAt(net: Net, headers: Headers): string | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const at = /^\d+$/.test(value) ? net.now().getTime() + Number(value) * 1000 : Date.parse(value);
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}

const secondsUntil = (net: Net, instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : Math.max(1, (Date.parse(instant) - net.now().getTime()) / 1000);

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return "unknown trouble";
  if (error.name === "TimeoutError") return `nothing for ${timeout} ms`;
  const cause = error.cause instanceof Error ? error.cause : error;
  return ("code" in cause && typeof cause.code === "string" ? cause.code : cause.message).slice(0, 120);
}
