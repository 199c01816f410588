import type { APIContext } from "astro";
import { DOCUMENTS, schemaOf } from "../../../../api/documents.ts";
import { answer } from "../../../../origin.ts";

export const getStaticPaths = () => DOCUMENTS.map(({ name }) => ({ params: { name } }));
export const GET = ({ params }: APIContext): Response => {
  const document = DOCUMENTS.find(({ name }) => name === params.name);
  return answer(JSON.stringify(document && schemaOf(document), undefined, 2), "application/schema+json; charset=utf-8");
};
