import { describe, expect, it } from "vitest";
import type { Request } from "./net.ts";
import { listReleases } from "./releases.ts";

const release = (tag: string, more: object = {}) => ({
  tag_name: tag,
  name: "",
  published_at: "2026-05-01T00:00:00Z",
  prerelease: false,
  draft: false,
  html_url: `https://github.com/o/r/releases/tag/${tag}`,
  ...more,
});
/** Answers page by page, and writes down which were asked for. */
function pages(...bodies: unknown[][]): { request: Request; asked: unknown[] } {
  const asked: unknown[] = [];
  const request: Request = async (_, { page }) => {
    asked.push(page);
    const link =
      Number(page) < bodies.length
        ? '<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last"'
        : undefined;
    return { status: 200, data: bodies[Number(page) - 1], headers: { link } };
  };
  return { request, asked };
}

describe("releases on GitHub", () => {
  it("are told newest first, without drafts, named by their tag when they have no name", async () => {
    const { request } = pages([
      release("v2", { prerelease: true }),
      release("v3", { draft: true, published_at: null }),
      release("v1", { name: "One" }),
    ]);
    expect(await listReleases(request, "o/r")).toMatchObject({
      state: "seen",
      value: [
        { tag: "v2", name: "v2", prerelease: true, publishedAt: "2026-05-01T00:00:00Z" },
        { tag: "v1", name: "One" },
      ],
    });
  });

  it("C14 are read to the last page that brings something new, and no further than allowed", async () => {
    const all = pages([release("v4")], [release("v3")], [release("v2")], [release("v1")]);
    expect(await listReleases(all.request, "o/r")).toMatchObject({ value: [{ tag: "v4" }, { tag: "v3" }, { tag: "v2" }, { tag: "v1" }] });
    const known = pages([release("v4"), release("v3")], [release("v3")], [release("v1")]);
    expect(await listReleases(known.request, "o/r", { known: new Set(["v3", "v1"]) })).toMatchObject({ value: [{ tag: "v4" }] });
    expect(known.asked).toEqual([1, 2]);
    const few = pages([release("v4")], [release("v3")]);
    await listReleases(few.request, "o/r", { pages: 1 });
    expect(few.asked).toEqual([1]);
  });

  it("fail as a whole when a page fails or is no list", async () => {
    const broken: Request = async (_, { page }) => {
      if (page === 2) throw Object.assign(new Error("bad gateway"), { status: 502 });
      return { status: 200, data: [release("v1")], headers: { link: '<x>; rel="next"' } };
    };
    expect(await listReleases(broken, "o/r")).toMatchObject({ state: "failed", status: 502 });
    const unreachable: Request = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { status: 500 });
    };
    expect(await listReleases(unreachable, "o/r")).toMatchObject({
      why: "GitHub releases of o/r could not be read (no answer).",
      status: undefined,
    });
    expect(await listReleases(pages([{ message: "?" }]).request, "o/r")).toMatchObject({ state: "failed" });
  });
});
