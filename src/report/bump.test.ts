import { expect, it } from "vitest";
import type { Bump } from "../derive/bump.ts";
import { bumpSection } from "./bump.ts";
import { write } from "./markdown/write.ts";

it("a bump as Markdown: risks in their order, the runbook as a checklist, and numbers of pull requests as quiet links upstream", () => {
  const bump = {
    candidate: { artifact: "oci:up:v2", name: "v2", repo: "u/r", commit: "b".repeat(40) },
    pins: [{ pin: "p", artifact: "oci:up:v1", commit: undefined }],
    risks: [{ level: "stop", text: 'pool: anchor forward is gone since #12 (abc), "Drop @everyone\'s pool (#12)".' }],
    runbook: [{ title: "Move one", detail: ["one.yml: use up:v2."], gates: ["It starts."], variant: "one" }],
  } as unknown as Bump;
  const text = write({ type: "root", children: bumpSection(bump) });
  expect(text).toContain("## p to v2");
  const long = { level: "check" as const, text: `${Array.from({ length: 80 }, (_, n) => `patch-${n}`).join(", ")} were not checked.` };
  expect(write({ type: "root", children: bumpSection({ ...bump, risks: [long] }) })).toContain("patch-79 were not checked.");
  const loud = write({ type: "root", children: bumpSection({ ...bump, candidate: { ...bump.candidate, name: "v2-@everyone" } }) });
  expect(loud.replaceAll(/`[^`]*`/g, "")).not.toContain("@everyone");
  expect(text).toContain("- ✖ Stop: pool: anchor forward is gone since [`u/r#12`](https://redirect.github.com/u/r/pull/12) (abc)");
  expect(text).not.toMatch(/(?<!u\/r)#12/);
  expect(text).not.toMatch(/[^`]@everyone/);
  expect(text).toContain("- [ ] Move one.\n  - one.yml: use up:v2.\n  - Gate: It starts.");
});
