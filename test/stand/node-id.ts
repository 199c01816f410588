import { createHash } from "node:crypto";

/**
 * A node id in the shape of GitHub's, from what identifies the object: a number of the world, or words. The same object
 * has the same id in REST and GraphQL.
 */
export function nodeId(kind: string, ...identity: (number | string)[]): string {
  const [only] = identity;
  const bytes = Buffer.alloc(8);
  if (identity.length === 1 && typeof only === "number") bytes.writeBigUInt64BE(BigInt(only));
  const rest = identity.length === 1 && typeof only === "number" ? bytes : createHash("sha1").update(identity.join("\0")).digest();
  return `${PREFIX[kind] ?? kind}_kwDO${rest.toString("base64url").slice(0, 14)}`;
}

/** The number in an id that was made from one. */
export function numberIn(id: string): number {
  const bytes = Buffer.from(id.slice(id.indexOf("_kwDO") + 5), "base64url");
  return bytes.length === 8 ? Number(bytes.readBigUInt64BE()) : Number.NaN;
}

const PREFIX: Record<string, string> = {
  Repository: "R",
  Issue: "I",
  PullRequest: "PR",
  Discussion: "D",
  User: "U",
  Bot: "BOT",
  Organization: "O",
  Commit: "C",
  Ref: "REF",
  Release: "RE",
  Label: "LA",
  IssueComment: "IC",
  PullRequestReview: "PRR",
};

/** Accounts are their login: bots end in `[bot]`. */
export const accountKind = (login: string): "User" | "Bot" => (login.endsWith("[bot]") ? "Bot" : "User");
export const accountId = (login: string): number => createHash("sha1").update(login).digest().readUInt32BE(0);
export const userNodeId = (login: string): string => nodeId(accountKind(login), login);
