import type { APIContext } from "astro";
import { DOCUMENTS, indexDocument } from "../../../api/documents.ts";
import { answer } from "../../../origin.ts";

export const getStaticPaths = () => ["index", ...DOCUMENTS.map(({ name }) => name)].map((name) => ({ params: { name } }));
export const GET = ({ params }: APIContext): Response => {
  const document = DOCUMENTS.find(({ name }) => name === params.name);
  return answer(JSON.stringify(document ? document.make() : indexDocument()), "application/json; charset=utf-8");
};
