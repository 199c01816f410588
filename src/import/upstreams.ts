import { parseRef } from "../model/ref.ts";
import { slug } from "./ids.ts";
import { repoOf } from "./links.ts";
import type { Mapping } from "./mapping.ts";
import { mappedUpstream } from "./read.ts";
import type { ExistingRows, ReadTable } from "./read.ts";
import type { Section } from "./sections.ts";
import { aliasesOf, commonRepo, withRepo } from "./sections.ts";

/** An upstream that rows of the document belong to, new or already in the stack. */
export interface Draft {
  id: string;
  title: string;
  kind: "repository" | "assets" | "registry";
  repo: string | undefined;
  former: string[];
  aliases: string[];
  notes: string[];
  see: string[];
  /** The stack has a row for it. */
  known: boolean;
}

export interface Upstreams {
  drafts: Map<string, Draft>;
  /** The upstream of a section, when rows or prose belong to one. */
  ofSection: (section: Section | undefined) => Draft | undefined;
  /** The upstream of a table's rows, told from its section or the references in a column; undefined when they belong to different ones. */
  ofTable: (table: ReadTable, column: number) => Draft | undefined;
  /** The upstream of a repository or, without one, of a name; made when there is none. */
  named: (title: string, repo: string | undefined, kind?: Draft["kind"]) => Draft;
  /** Makes sure that there is an upstream with an id that the mapping gives. */
  ensure: (id: string) => Draft;
}

/**
 * Finds and makes upstreams. A heading may name what only looks like a repository (`llamacpp/default`), so it counts when the
 * document links there or a table of rows stands under it.
 * Rows that the stack has are used as they are: an upstream is known by its repository, former names included.
 */
export function upstreamsOf(
  sections: readonly Section[],
  mapping: Mapping,
  existing: ExistingRows,
  linked: { has: (repo: string) => boolean },
): Upstreams {
  const drafts = new Map<string, Draft>();
  const byRepo = new Map<string, Draft>();
  const bySection = new Map<Section, Draft>();
  const stored = (id: string): Draft | undefined => {
    const row = existing.upstreams[id];
    return (
      row && {
        id,
        title: row.title,
        kind: row.kind,
        repo: row.repo,
        former: [...row.former],
        aliases: [...row.aliases],
        notes: [],
        see: [],
        known: true,
      }
    );
  };
  const remember = (draft: Draft): Draft => {
    drafts.set(draft.id, draft);
    for (const repo of [draft.repo, ...draft.former]) if (repo !== undefined) byRepo.set(repo.toLowerCase(), draft);
    return draft;
  };
  for (const [id, row] of Object.entries(existing.upstreams)) {
    for (const repo of [row.repo, ...row.former])
      if (repo !== undefined && !byRepo.has(repo.toLowerCase())) byRepo.set(repo.toLowerCase(), stored(id) as Draft);
  }
  const named: Upstreams["named"] = (title, repo, kind = repo === undefined ? "assets" : "repository") => {
    const same =
      repo === undefined
        ? [...drafts.values()].find((draft) => draft.title === title || draft.aliases.includes(title))
        : byRepo.get(repo.toLowerCase());
    if (same) return remember(same);
    const told = mappedUpstream(mapping, title);
    const wanted = told?.id ?? idOf(title, repo);
    const taken = drafts.get(wanted) ?? stored(wanted);
    const fits = taken && (taken.repo === undefined || repo === undefined || taken.repo.toLowerCase() === repo.toLowerCase());
    if (taken && fits) return remember(taken);
    const id = taken ? slug(`${repo?.split("/")[0] ?? "other"} ${wanted}`) : wanted;
    return remember({
      id,
      title: told?.title ?? title,
      kind,
      repo: told?.repo ?? repo,
      former: told?.former ?? [],
      aliases: [...new Set([...(repo === undefined ? [] : aliasesOf(title, repo)), ...(told?.aliases ?? [])])],
      notes: [],
      see: [],
      known: false,
    });
  };
  const ensure: Upstreams["ensure"] = (id) => {
    const mapped = Object.entries(mapping.upstreams ?? {}).find(([, one]) => one.id === id);
    const made = (): Draft => ({
      id,
      title: mapped?.[1].title ?? mapped?.[0] ?? id,
      kind: mapped?.[1].repo === undefined ? "assets" : "repository",
      repo: mapped?.[1].repo,
      former: mapped?.[1].former ?? [],
      aliases: mapped?.[1].aliases ?? [],
      notes: [],
      see: [],
      known: false,
    });
    return drafts.get(id) ?? remember(stored(id) ?? made());
  };
  const ofSection: Upstreams["ofSection"] = (section) => {
    for (let at = section; at; at = at.parent) {
      const known = bySection.get(at);
      if (known) return known;
    }
    return undefined;
  };
  const ofTable: Upstreams["ofTable"] = (table, column) => {
    const owner = withRepo(table.section);
    if (owner) return keep(bySection, owner, named(owner.title, owner.repo));
    const leads = leadsOf(table, column);
    const repo = commonRepo(leads);
    const top = headed(table.section);
    if (repo !== undefined) return keep(bySection, top, named(top?.title || (repo.split("/")[1] ?? repo), repo));
    if (new Set(leads.map(repoOf).filter((one) => one !== undefined)).size > 1) return undefined;
    return keep(bySection, top, named(top?.title || "Unsorted", undefined));
  };
  for (const section of sections)
    if (section.repo !== undefined && linked.has(section.repo)) keep(bySection, section, named(section.title, section.repo));
  return { drafts, ofSection, ofTable, named, ensure };
}

/** A heading of one word names its upstream (`Genesis`); else the repository does; else the heading's first words. */
function idOf(title: string, repo: string | undefined): string {
  const [lead = title] = aliasesOf(title, undefined);
  return slug(
    repo === undefined ? lead.split(/\s+/).slice(0, 2).join(" ") : lead.includes(" ") ? (repo.split("/")[1] ?? lead) : lead,
    "upstream",
  );
}

function keep(bySection: Map<Section, Draft>, section: Section | undefined, draft: Draft): Draft {
  if (section) bySection.set(section, draft);
  return draft;
}

/** The nearest heading that is not the document's own. */
function headed(section: Section): Section | undefined {
  if (section.depth === 0) return undefined;
  return section.depth === 1 && section.parent?.depth === 0 ? undefined : section;
}

/** First reference of every row, in the column that holds what the row is about. */
const leadsOf = (table: ReadTable, column: number): string[] =>
  table.rows.flatMap((cells) => {
    const [first] = cells[column]?.prose.found ?? [];
    return first ? [first.ref] : [];
  });

/**
 * A row that begins with a thread of `old-owner/name` in the section of `owner/name` takes the first for a former name
 * of the second: GitHub keeps old addresses alive after a move. Returns the name to remember.
 */
export function formerName(draft: Draft, lead: string): string | undefined {
  const repo = repoOf(lead);
  if (draft.repo === undefined || repo === undefined || parseRef(lead)?.type !== "thread") return undefined;
  const [owner, name] = draft.repo.toLowerCase().split("/");
  const [old, same] = repo.toLowerCase().split("/");
  return old !== owner && name === same && !draft.former.includes(repo) ? repo : undefined;
}
