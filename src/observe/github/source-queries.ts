import type { Question } from "../../model/source.ts";

type Ask<K extends Question["ask"]> = Extract<Question, { ask: K }>;

/** Changes of a file in one request, and requests for one file at most. */
const PAGE = 100;

const FILE = "mode type object { ... on Blob { oid byteSize isBinary isTruncated text } }";

/** Asks for files by commit and path: `k0: object(oid) { ... on Commit { f0: file(path) } }`. */
export function filesQuery(repo: string, questions: readonly Pick<Ask<"file">, "commit" | "path">[]): string {
  const commits = [...new Set(questions.map(({ commit }) => commit))];
  const parts = commits.map((commit, index) => {
    const paths = questions.flatMap((question, at) =>
      question.commit === commit ? [`f${at}: file(path: ${JSON.stringify(question.path)}) { ${FILE} }`] : [],
    );
    return `k${index}: object(oid: "${commit}") { __typename ... on Commit { ${paths.join(" ")} } }`;
  });
  return inRepository(repo, parts.join("\n"));
}

export const blobsQuery = (repo: string, shas: readonly string[]): string =>
  inRepository(
    repo,
    shas.map((sha, at) => `b${at}: object(oid: "${sha}") { ... on Blob { oid byteSize isBinary isTruncated text } }`).join("\n"),
  );

export const historyQuery = (repo: string, { commit, path }: Pick<Ask<"history">, "commit" | "path">, after: string | undefined): string =>
  inRepository(
    repo,
    `k: object(oid: "${commit}") { ... on Commit { history(first: ${PAGE}, path: ${JSON.stringify(path)}${after === undefined ? "" : `, after: ${JSON.stringify(after)}`}) {
      nodes { oid committedDate messageHeadline file(path: ${JSON.stringify(path)}) { mode object { oid } } }
      pageInfo { hasNextPage endCursor } } } }`,
  );

function inRepository(repo: string, body: string): string {
  const [owner = "", name = ""] = repo.split("/");
  return `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) {\n${body}\n} }`;
}
