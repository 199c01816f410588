import type { ItemRef } from "../model/shapes/item.ts";
import type { Role } from "../model/vocabulary.ts";
import { parseRef } from "../model/ref.ts";
import { repoOf } from "./links.ts";
import type { Found } from "./prose.ts";
import type { Around } from "./row.ts";

/** Where a reference stood in its row. */
export type Place = "title" | "status" | "rest";

/**
 * The references of a row with their roles: what its title links is what it is about (an issue is the problem, a pull
 * request the fix), what its status names as fixing or replacing it is a fix, everything else is background.
 * A row whose title links nothing is about what its status links. A thread of another project that a title only mentions
 * is background, and so is one comment of a thread.
 * @param leads the references the title begins with
 */
export function rowRefs(found: readonly Cited[], { repo, known }: Pick<Around, "repo" | "known">, leads: readonly Found[]): ItemRef[] {
  const { own } = known;
  const led = new Set(leads.map(({ ref }) => ref));
  const isOwn = (ref: string) => own !== undefined && repoOf(ref) === own;
  const heads = ({ place, one }: Cited) =>
    place === "title" && !isOwn(one.ref) && !one.struck && (led.has(one.ref) || belongs(one.ref, repo));
  const titled = found.filter(heads);
  const status = found.find(({ place, one }) => place === "status" && !isOwn(one.ref));
  const main = repoOf(titled[0]?.one.ref ?? "") ?? repoOf(status?.one.ref ?? "");
  const refs: ItemRef[] = [];
  for (const entry of found) {
    const { place, one } = entry;
    const role = place === "title" && !heads(entry) ? "context" : roleOf(place, one, { own, main, titled: titled.length > 0 });
    const same = refs.find(({ ref }) => ref === one.ref);
    if (same === undefined)
      refs.push({ ref: one.ref, role, ...(one.kind && parseRef(one.ref)?.type === "thread" ? { kind: one.kind } : {}) });
    else if (same.role === "context" && role !== "context") same.role = role;
  }
  return refs;
}

/** A reference of a row, and where it stood. */
export interface Cited {
  place: Place;
  one: Found;
}

/** A reference in the middle of a title is what the row is about when it is one of the section's project, and no single comment. */
function belongs(ref: string, repo: string | undefined): boolean {
  const parsed = parseRef(ref);
  if (parsed?.type === "thread" && parsed.anchor !== undefined) return false;
  return repo === undefined || repoOf(ref) === undefined || repoOf(ref) === repo;
}

interface About {
  own: string | undefined;
  main: string | undefined;
  titled: boolean;
}

function roleOf(place: Place, { ref, kind, label, before, struck }: Found, { own, main, titled }: About): Role {
  const parsed = parseRef(ref);
  if (place === "rest" || struck || parsed === undefined || (own !== undefined && repoOf(ref) === own)) return "context";
  const near = `${before.slice(-40)} ${label}`.toLowerCase();
  if (place === "status" && titled && kind === "issue" && /\b(?:closes|fixes|resolves)\b/.test(near)) return "bug";
  if (place === "status" && titled) return kind !== "issue" && FIXES.test(near) && parsed.type !== "page" ? "fix" : "context";
  if (parsed.type === "page") return place === "title" ? "tracking" : "context";
  if (parsed.type !== "thread") return place === "title" ? "fix" : "context";
  if (repoOf(ref) !== main) return "context";
  if (/\btracking\b|\bumbrella\b|\btracker\b/.test(near)) return "tracking";
  if (kind === "discussion") return "tracking";
  if (kind === "pull-request") return "fix";
  return "bug";
}

const FIXES = /\bfix|\bsupersed|\bresolved\b|\breplaced\b|\bclosed (?:by|via)\b|\bmerged as\b|\bsuccessor\b|\brecreated as\b/;
