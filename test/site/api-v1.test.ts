import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, schemaOf } from "../../site/api/documents.ts";
import { fieldsOf } from "../../site/api/fields.ts";

const AUTHORED = ["variants", "measurements"];
const fields = DOCUMENTS.flatMap((document) => fieldsOf(schemaOf(document)).map((field) => ({ document: document.name, ...field })));
const written = readFileSync(new URL("api-v1.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const now = fields.map(({ document, path, type, optional }) => `${document}.json ${path}${optional ? "?" : ""}: ${type}`);

/** `api-v1.txt` is what programs were promised. A line is added with a field; a line that has to go is a `v2`. */
describe("version 1 of the JSON documents", () => {
  it("has every field it ever had, of the type it had", () => {
    expect(written.filter((line) => !now.includes(line))).toEqual([]);
  });
  it("has every field written down in test/site/api-v1.txt", () => {
    expect(now.filter((line) => !written.includes(line))).toEqual([]);
  });
  it("says of every field what it is; authored rows are explained in the field reference", () => {
    const bare = fields.filter(({ document, description }) => description === "" && !AUTHORED.includes(document));
    expect(bare.map(({ document, path }) => `${document} ${path}`)).toEqual([]);
  });
  it("lets readers meet fields they do not know, at any depth", () => {
    for (const document of DOCUMENTS)
      expect(JSON.stringify(schemaOf(document)), document.name).not.toContain('"additionalProperties":false');
  });
});
