import { afterEach, describe, expect, it } from "vitest";
import { startNpm } from "./npm.ts";
import { createShelf, startDockerHub, startHuggingface, startPypi } from "./packages.ts";
import type { Loose } from "./self-test.ts";
import type { Stub } from "./stub-server.ts";

const open: Stub[] = [];
const opened = <T extends Stub>(stub: T): T => {
  open.push(stub);
  return stub;
};
afterEach(async () => {
  for (const stub of open.splice(0)) await stub.close();
});
const json = async (url: string): Promise<Loose> => await (await fetch(url)).json();

describe("PyPI", () => {
  it("lists versions with dates and yanked files, and answers 304", async () => {
    const shelf = createShelf();
    shelf.pypi.My_Package = [
      { version: "1.0", at: "2026-01-01T00:00:00Z" },
      { version: "2.0", at: "2026-02-01T00:00:00Z", yanked: { reason: "broken" } },
    ];
    const pypi = opened(await startPypi(shelf));
    const url = `${pypi.url}/pypi/my-package/json`;
    const answer = await fetch(url);
    const body = (await answer.json()) as Loose;
    expect(body.info).toMatchObject({ version: "2.0", yanked: true, yanked_reason: "broken" });
    expect(body.releases["1.0"][0]).toMatchObject({ upload_time_iso_8601: "2026-01-01T00:00:00Z", yanked: false });
    expect((await fetch(url, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } })).status).toBe(304);
    const moved = await fetch(`${pypi.url}/pypi/My_Package/json`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/pypi/my-package/json"]);
    expect((await fetch(`${pypi.url}/pypi/nothing/json`)).status).toBe(404);
    const simple = await json(`${pypi.url}/simple/my-package/`);
    expect([simple.versions, simple.files.at(-1).yanked]).toEqual([["1.0", "2.0"], "broken"]);
  });
});

describe("Hugging Face", () => {
  it("names the commit of a revision, redirects what moved, and hides what is private", async () => {
    const shelf = createShelf();
    const [a, b] = ["a".repeat(40), "b".repeat(40)];
    shelf.huggingface["org/model"] = { revisions: { main: b, v1: a }, dates: { [a]: "2026-01-01T00:00:00Z", [b]: "2026-02-01T00:00:00Z" } };
    shelf.huggingface["old/model"] = { revisions: {}, dates: {}, movedTo: "org/model" };
    shelf.huggingface["org/secret"] = { revisions: { main: a }, dates: {}, private: true };
    const hub = opened(await startHuggingface(shelf));
    const api = `${hub.url}/api/models`;
    expect(await json(`${api}/org/model`)).toMatchObject({
      id: "org/model",
      sha: b,
      lastModified: "2026-02-01T00:00:00.000Z",
      gated: false,
    });
    expect((await json(`${api}/org/model/revision/v1`)).sha).toBe(a);
    expect((await json(`${api}/org/model/refs`)).tags).toEqual([{ name: "v1", ref: "refs/tags/v1", targetCommit: a }]);
    expect((await fetch(`${api}/org/model/revision/none`)).status).toBe(404);
    expect((await json(`${api}/old/model`)).id).toBe("org/model");
    expect([(await fetch(`${api}/org/secret`)).status, (await fetch(`${api}/org/nothing`)).status]).toEqual([401, 401]);
  });
});

describe("Docker Hub", () => {
  it("pages its own list of tags and the registry's", async () => {
    const shelf = createShelf();
    shelf.dockerHub["vllm/vllm-openai"] = Array.from({ length: 25 }, (_, n) => ({
      name: `nightly-${String(n).padStart(2, "0")}`,
      digest: `sha256:${n}`,
      at: `2026-05-${String(n + 1).padStart(2, "0")}T00:00:00Z`,
    }));
    const hub = opened(await startDockerHub(shelf));
    const first = await json(`${hub.url}/v2/repositories/vllm/vllm-openai/tags?page_size=10`);
    expect([first.count, first.results[0].name, first.results.length]).toEqual([25, "nightly-24", 10]);
    const third = await json((await json(first.next)).next);
    expect([third.results.length, third.next]).toEqual([5, null]);
    expect((await json(`${hub.url}/v2/repositories/vllm/vllm-openai/tags/nightly-03`)).digest).toBe("sha256:3");
    expect((await fetch(`${hub.url}/v2/repositories/vllm/vllm-openai/tags/gone`)).status).toBe(404);
    const page = await fetch(`${hub.url}/v2/vllm/vllm-openai/tags/list?n=20`);
    expect(((await page.json()) as Loose).tags).toHaveLength(20);
    const next = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    const rest = await fetch(hub.url + next);
    expect([((await rest.json()) as Loose).tags.length, rest.headers.get("link")]).toEqual([5, null]);
  });
});

describe("npm", () => {
  it("is verdaccio: versions, dates, deprecations, dist-tags, 304", async () => {
    const npm = opened(await startNpm());
    await npm.publish("@scope/tool", "1.0.0");
    await npm.publish("@scope/tool", "2.0.0-beta.1", { tag: "beta" });
    await npm.deprecate("@scope/tool", "1.0.0", "use 2");
    const url = `${npm.url}/@scope%2ftool`;
    const answer = await fetch(url);
    const body = (await answer.json()) as Loose;
    expect(Object.keys(body.versions)).toEqual(["1.0.0", "2.0.0-beta.1"]);
    expect([body.versions["1.0.0"].deprecated, body["dist-tags"], typeof body.time["1.0.0"]]).toEqual([
      "use 2",
      { latest: "1.0.0", beta: "2.0.0-beta.1" },
      "string",
    ]);
    expect((await fetch(url, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } })).status).toBe(304);
    expect((await fetch(`${npm.url}/nothing`)).status).toBe(404);
    expect(npm.requests.count()).toBe(3);
  });
});
