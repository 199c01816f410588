/** What a column of a tracker's table holds. */
export type Role =
  | "title"
  | "refs"
  | "status"
  | "why"
  | "workaround"
  | "drop"
  | "notes"
  | "upstream"
  | "stake"
  | "artifact"
  | "users"
  | "reason"
  | "retire"
  | "deferred"
  | "trigger"
  | "decide"
  | "seen";

export type TableKind = "items" | "pins" | "retired-pins" | "follow-ups";

/** Heading words and what they stand for; the first match of a kind's list wins. Compared in lower case. */
const WORDS: Record<TableKind, readonly (readonly [RegExp, Role])[]> = {
  items: [
    [/^(?:upstream|repo(?:sitory)?|project|engine|package)$/, "upstream"],
    [/\bstatus\b|^state$|^standing$|^upstream state$/, "status"],
    [/^(?:severity|priority|stake|criticality)$/, "stake"],
    [/drop (?:trigger|when|condition)|^drop\b|^remove when|^until$/, "drop"],
    [/work-?around|mitigation|what we do|^action$|^local(?:ly)?$|local (?:fix|patch|state)|our fix/, "workaround"],
    [/why|matters|impact|reason|dependency|effect|affects|significance|relevance|context|blocks what|need/, "why"],
    [/^(?:link|links|url|urls|ref|refs|reference|references|#|no\.?|number|issue ?#|pr ?#|ticket|thread)$/, "refs"],
    [/title|^(?:item|resource|topic|what|name|summary|feature|change|bug|patch|fix|description)s?$/, "title"],
    [/\b(?:issue|pr|pull request|bug|upstream item)s?\b/, "title"],
    [/^(?:last )?(?:checked|verified|updated|seen|as of|last update)$/, "seen"],
    [/^(?:notes?|comments?|remarks?|details?|more|misc|info)$/, "notes"],
    [
      /^(?:owner|assignee|who|author|reporter|filed by|added|date|since|eta|milestone|labels?|version|tags?|type|kind|area|component|category|filed|opened)$/,
      "notes",
    ],
  ],
  "follow-ups": [
    [/defer|^why\b|reason|context/, "deferred"],
    [/trigger|revisit|^when\b|until|condition/, "trigger"],
    [/decide|decision|action|next step|^do$|to do|todo/, "decide"],
    [/^(?:link|links|url|ref|refs|reference|references|#)$/, "refs"],
    [/\bstatus\b|^state$/, "status"],
    [/item|what|topic|title|task|follow-?up|name|issue|pr\b/, "title"],
    [/notes?|comments?|remarks?|owner|who|date|since/, "notes"],
  ],
  pins: [
    [
      /^(?:pins?|image|images|pinned|pinned (?:image|build|version|commit)|pin source|artifact|container|build|version pinned)$/,
      "artifact",
    ],
    [/using it|used by|users?|composes|consumers|former use|where used/, "users"],
    [/reason|why/, "reason"],
    [/retire|drop|until|when can/, "retire"],
    [/notes?|comments?|remarks?|status|since|date|owner/, "notes"],
  ],
  "retired-pins": [
    [/^(?:pins?|image|images|pinned|pin source|artifact|container|build)$/, "artifact"],
    [/using it|used by|users?|composes|former use|where used/, "users"],
    [/reason|why|notes?|because|retired|replaced|comments?|remarks?|date|since/, "reason"],
  ],
};

export interface Understood {
  kind: TableKind;
  /** A role for each column, in order; undefined where no word is known. */
  roles: (Role | undefined)[];
}

/**
 * What kind of table this is, told from its headings and the section it stands in, and what each column holds.
 * @returns undefined when the table is none of a tracker's
 */
export function understand(headings: readonly string[], section: string): Understood | undefined {
  const heads = headings.map(plainHeading);
  const place = section.toLowerCase();
  const kind = kindOf(heads, place);
  return kind && { kind, roles: rolesOf(heads, kind) };
}

/** The role of each heading in a table of a known kind. */
export function rolesOf(heads: readonly string[], kind: TableKind): (Role | undefined)[] {
  const roles = heads.map((head) => WORDS[kind].find(([pattern]) => pattern.test(head))?.[1]);
  for (const [index, role] of roles.entries()) {
    if (role !== undefined && role !== "notes" && roles.indexOf(role) < index) roles[index] = "notes";
  }
  if (kind === "items") {
    if (!roles.includes("title") && roles.includes("refs")) roles[roles.indexOf("refs")] = "title";
    if (!roles.includes("why") && roles.includes("notes")) roles[roles.indexOf("notes")] = "why";
  }
  return roles;
}

export const plainHeading = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[`*_~?!:]|\p{Extended_Pictographic}|\ufe0f/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();

function kindOf(heads: readonly string[], place: string): TableKind | undefined {
  const says = (pattern: RegExp) => heads.some((head) => pattern.test(head));
  const has = (kind: TableKind, ...roles: Role[]) => {
    const found = rolesOf(heads, kind);
    return roles.every((role) => found.includes(role));
  };
  if (has("pins", "artifact") && (has("pins", "users") || has("pins", "reason") || has("pins", "retire") || /\bpin/.test(place))) {
    return /retired|former|old pins/.test(place) || says(/former|retired/) ? "retired-pins" : "pins";
  }
  if (
    has("follow-ups", "title") &&
    (has("follow-ups", "deferred", "trigger") ||
      (/follow-?ups?|revisit|deferred|queue/.test(place) && !has("items", "status", "workaround")))
  ) {
    return "follow-ups";
  }
  const told = (["status", "why", "workaround", "drop"] as const).filter((role) => has("items", role));
  return has("items", "title") && (told.includes("status") || told.length >= 2) ? "items" : undefined;
}
