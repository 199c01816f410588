import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { pem, selfSigned } from "./certificate.ts";
import { jsonAnswer } from "./respond.ts";
import { startStub, type Stub } from "./stub-server.ts";

/** Who may do what in a registry. Public repositories are read without an account. */
export type RegistryAccess = {
  /** User name -> password. */
  accounts?: Record<string, string>;
  /** Repositories that only accounts may read. */
  hidden?: string[];
};
export type TokenServer = Stub & {
  service: string;
  issuer: string;
  certificate: string;
  /** A token for the stand's own pushes. */
  tokenFor(repository: string, actions: string[]): string;
};

const encode = (value: Buffer | object): string =>
  Buffer.from(Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString("base64url");

/** The token half of the registry's login: `GET /token?service=&scope=repository:NAME:pull`, signed RS256. */
export async function startTokenServer(access: RegistryAccess): Promise<TokenServer> {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const certificate = selfSigned("stand", keys, new Date());
  const [service, issuer] = ["stand-registry", "stand-tokens"];

  const tokenFor = (grants: { name: string; actions: string[] }[], subject: string): string => {
    const now = Math.floor(Date.now() / 1000);
    const header = { typ: "JWT", alg: "RS256", x5c: [certificate.toString("base64")] };
    const claims = {
      iss: issuer,
      sub: subject,
      aud: service,
      exp: now + 300,
      nbf: now - 10,
      iat: now,
      jti: randomUUID(),
      access: grants.map((grant) => ({ type: "repository", ...grant })),
    };
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${encode(sign("sha256", Buffer.from(signed), keys.privateKey))}`;
  };

  const stub = await startStub(({ url, headers }) => {
    if (url.pathname !== "/token") return jsonAnswer(404, { errors: [] });
    const [user = "", password = ""] = Buffer.from((headers.authorization ?? "").replace(/^Basic /, ""), "base64")
      .toString()
      .split(":");
    const known = user !== "" && access.accounts?.[user] === password;
    if (headers.authorization !== undefined && !known) return jsonAnswer(401, { details: "incorrect username or password" });
    // What is not granted is left out; the registry then refuses, as the specification has it.
    const grants = url.searchParams.getAll("scope").flatMap((scope) => {
      const [, name = "", actions = ""] = /^repository:(.+):([a-z*,]+)$/.exec(scope) ?? [];
      const granted = actions.split(",").filter((action) => action === "pull" && (known || !access.hidden?.includes(name)));
      return granted.length > 0 ? [{ name, actions: granted }] : [];
    });
    const token = tokenFor(grants, user);
    return jsonAnswer(200, { token, access_token: token, expires_in: 300, issued_at: new Date().toISOString() });
  });
  return {
    ...stub,
    service,
    issuer,
    certificate: pem(certificate),
    tokenFor: (repository, actions) => tokenFor([{ name: repository, actions }], "stand"),
  };
}
