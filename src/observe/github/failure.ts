/**
 * Why GitHub gave no usable answer, by what follows from it:
 *
 * | kind | means | next |
 * |---|---|---|
 * | `limit` | a rate limit, or the run's own budget, is used up | stop asking; the rest is "not checked this run" (C01) |
 * | `cost` | too much was asked at once: 502, 504, a resource limit | ask for less (C12, C13) |
 * | `broken` | no answer, half an answer, or not JSON | ask again, for less |
 * | `refused` | the token is not accepted, or not for this | once without it |
 * | `unreachable` | there is no way to GitHub from here: no name, no route, no trusted certificate | stop |
 * | `setup` | the request itself is not understood, such as an unknown API version (C26) | stop, and say so once |
 */
export type FailureKind = "limit" | "cost" | "broken" | "refused" | "unreachable" | "setup";

/** Failures that say nothing about what was asked, and would meet every other question too. */
export const endsTheRun = ({ kind }: GithubFailure): boolean => kind === "limit" || kind === "unreachable" || kind === "setup";

export class GithubFailure extends Error {
  kind: FailureKind;
  /** ISO instant before which asking again is useless. */
  notBefore: string | undefined;
  status: number | undefined;
  /** Address at which an organization's single sign-on lets the token in (C16). */
  sso: string | undefined;

  constructor(kind: FailureKind, message: string, more: { notBefore?: string; status?: number; sso?: string } = {}) {
    super(message);
    this.kind = kind;
    this.notBefore = more.notBefore;
    this.status = more.status;
    this.sso = more.sso;
  }
}

/** What octokit throws, as far as it is used here. */
interface Thrown {
  status?: number;
  message: string;
  cause?: unknown;
  response?: { status?: number; headers?: Headers; data?: unknown };
  headers?: Headers;
  errors?: readonly { type?: string; message?: string }[];
}
type Headers = Record<string, string | number | undefined>;

const THROTTLED = /secondary rate|abuse detection|rate limit/i;

/** Is this a limit on the pace (secondary), and not the hourly one? Status and headers decide; the words have changed before (C02). */
export function isSecondaryLimit(status: number | undefined, headers: Headers, message: string): boolean {
  if (status !== 403 && status !== 429) return false;
  if (String(headers["x-ratelimit-remaining"] ?? "") === "0") return false;
  return headers["retry-after"] !== undefined || status === 429 || THROTTLED.test(message);
}

/** Turns anything octokit throws into a {@link GithubFailure}. `hide` removes the token from texts. */
export function failureOf(error: unknown, now: () => Date, hide: (text: string) => string): GithubFailure {
  if (error instanceof GithubFailure) return error;
  const thrown = (typeof error === "object" && error !== null ? error : { message: String(error) }) as Thrown;
  const status = thrown.response?.status ?? (thrown.response ? thrown.status : undefined);
  const headers = thrown.response?.headers ?? thrown.headers ?? {};
  const text = hide(oneLine(thrown.message ?? ""));
  const limited = status === 403 || status === 429;
  const primary =
    (limited && String(headers["x-ratelimit-remaining"] ?? "") === "0") || /GraphQL Rate Limit Exceeded/.test(thrown.message ?? "");
  if (primary) return usedUp(headers);
  if (isSecondaryLimit(status, headers, thrown.message ?? "")) {
    const seconds = Number(headers["retry-after"]) || 60;
    const notBefore = new Date(now().getTime() + seconds * 1000).toISOString();
    return new GithubFailure("limit", `GitHub asks for a slower pace (secondary rate limit), next in ${seconds} s`, { notBefore, status });
  }
  const code = noWay(thrown);
  if (status === undefined && code !== undefined) {
    const trust = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
    const next = trust
      ? "Its certificate is not trusted here; name your own authority in NODE_EXTRA_CA_CERTS"
      : "Check the network, or use --offline";
    return new GithubFailure("unreachable", `GitHub cannot be reached (${code}). ${next}`);
  }
  if (status === undefined) return new GithubFailure("broken", `GitHub gave no answer (${text || "no reason given"})`);
  if (status === 401) return new GithubFailure("refused", "GitHub does not accept the token (401)", { status });
  if (status === 403) {
    const sso = /url=([^\s;]+)/.exec(String(headers["x-github-sso"] ?? ""))?.[1];
    const why = sso ? `an organization's single sign-on does not know the token; let it in at ${sso}` : text;
    return new GithubFailure("refused", `GitHub refuses it (403: ${why})`, { status, ...(sso ? { sso } : {}) });
  }
  if (status === 400 && /version/i.test(text))
    return new GithubFailure("setup", `GitHub does not know the API version that is asked for (400: ${text})`, { status });
  if (status === 502 || status === 504 || status === 503) return new GithubFailure("cost", `GitHub answered ${status}`, { status });
  if (status >= 500) return new GithubFailure("broken", `GitHub answered ${status} (${text})`, { status });
  return new GithubFailure("broken", `GitHub answered ${status} (${text})`, { status });
}

const NO_WAY = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|.*CERT.*|SELF_SIGNED.*|UNABLE_TO_.*)$/;

/** The code of a connection that could not be made, from whatever depth it was wrapped to; undefined for every other trouble. */
export function noWay(thrown: unknown): string | undefined {
  for (let cause: unknown = thrown; typeof cause === "object" && cause !== null; cause = (cause as Thrown).cause) {
    const { code, errors } = cause as { code?: unknown; errors?: readonly unknown[] };
    const found = typeof code === "string" ? code : (errors?.[0] as { code?: string } | undefined)?.code;
    if (found !== undefined && NO_WAY.test(found)) return found;
  }
  return undefined;
}

/** The hourly budget is spent; the headers say until when. */
export function usedUp(headers: object): GithubFailure {
  const notBefore = resetOf(headers as Headers);
  return new GithubFailure(
    "limit",
    `GitHub's hourly rate limit is used up${notBefore ? ` until ${notBefore}` : ""}`,
    notBefore ? { notBefore } : {},
  );
}

/** When the hourly budget is full again, from the headers. */
function resetOf(headers: Headers): string | undefined {
  const seconds = Number(headers["x-ratelimit-reset"]);
  return Number.isFinite(seconds) && seconds > 0 ? new Date(seconds * 1000).toISOString().replace(".000Z", "Z") : undefined;
}

/** One short line for a log: no HTML (a 502 comes with a whole page, C25), no control characters. */
export function oneLine(text: string): string {
  if (/^\s*</.test(text)) return "an HTML page";
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/[<>]/g, "").trim();
  return line.length > 160 ? `${line.slice(0, 157)}…` : line;
}
