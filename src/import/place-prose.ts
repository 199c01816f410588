import type { ReadDocument, ReadProse } from "./read.ts";
import { joinLists } from "./prose-notes.ts";
import { linkedRefs } from "./read.ts";
import { repoOf } from "./links.ts";
import type { BuiltRow, Cell } from "./row.ts";
import type { Section } from "./sections.ts";
import type { Draft, Upstreams } from "./upstreams.ts";

/** Cells of a row that becomes a note of its section. */
export interface Loose {
  cells: Cell[];
  section: Section;
}

/** A text for a note, and where in the document it stands. */
export interface NoteText {
  line: number;
  text: string;
  /** The row's cells, when it was a row of a table. */
  cells: Cell[];
  /** `conventions` of the tracker rather than its notes. */
  convention: boolean;
  /** The upstream it is about; undefined: the stack as a whole. */
  draft: Draft | undefined;
}

/** Prose and rows without a kind of their own, as notes of the upstream they stand under, else of the stack. Headings lead the first note. */
export function placeProse(doc: ReadDocument, upstreams: Upstreams, rows: readonly BuiltRow[], loose: readonly Loose[]): NoteText[] {
  const headed = new Set<Section>();
  const notes: NoteText[] = [];
  const lead = (section: Section, draft: Draft | undefined): string => {
    if (headed.has(section)) return "";
    headed.add(section);
    const own = draft && (section.title === draft.title || section.repo !== undefined);
    return own || section.title === "" || section.title === doc.title ? "" : `${section.title}: `;
  };
  for (const section of doc.sections) {
    const parts = joinLists(doc.prose.filter((block) => block.section === section).map((block) => block.parts));
    const draft = upstreams.ofSection(section);
    for (const part of parts) {
      const convention = draft === undefined && part.numbered && /convention|how to|contribut|guideline|rules|filing/i.test(section.title);
      notes.push({ line: part.line, text: convention ? part.text : lead(section, draft) + part.text, cells: [], convention, draft });
    }
    if (draft) addSee(draft, { section, parts }, rows, doc.known.own);
  }
  for (const { cells, section } of loose) {
    const said = cells.filter(({ prose }) => prose.text !== "").map(({ head, prose }) => (head ? `${head}: ${prose.text}` : prose.text));
    const draft = upstreams.ofSection(section);
    if (said.length > 0)
      notes.push({ line: cells[0]?.line ?? section.line, text: lead(section, draft) + said.join("; "), cells, convention: false, draft });
  }
  return notes.sort((a, b) => a.line - b.line);
}

/** What prose links and no row of the document is about is worth knowing of the upstream. */
function addSee(draft: Draft, prose: ReadProse, rows: readonly BuiltRow[], own: string | undefined): void {
  const heads = new Set(
    rows.flatMap(({ value }) =>
      ((value.refs ?? []) as { ref: string; role: string }[]).filter(({ role }) => role !== "context").map(({ ref }) => ref),
    ),
  );
  for (const ref of linkedRefs(prose.parts)) {
    if (!heads.has(ref) && !draft.see.includes(ref) && (own === undefined || repoOf(ref) !== own)) draft.see.push(ref);
  }
}
