import type { Derived } from "../../derive/derive.ts";
import { clause } from "../../derive/proof.ts";
import type { Inline } from "../markdown/build.ts";
import { anchor, foreign, heading, join, lineBreak, link, paragraph, prose, strong, table, text } from "../markdown/build.ts";
import { rowLink } from "./page.ts";
import type { PhrasingContent, RootContent } from "mdast";

export function followUps(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const rows = Object.entries(model.followUp).map(([id, row]): Inline[] => {
    const state = derived.followUps[id];
    return [
      [anchor(id), rowLink("followUp", id), lineBreak(), ...prose(row.title)],
      prose(row.why_deferred),
      prose(row.decide),
      row.done
        ? [strong("done"), ` ${row.done.on}: `, ...prose(row.done.outcome)]
        : [strong(state?.life ?? "waiting"), ...(state?.when ? [": ", text(state.when)] : []), ...proofOf(state?.proof)],
    ];
  });
  return [
    heading(2, "Follow-ups"),
    rows.length > 0 ? table(["Follow-up", "Why it was put off", "What to decide", "State"], rows) : paragraph("None."),
  ];
}

export function triggers(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const rows = Object.entries(model.trigger).map(([id, row]): Inline[] => {
    const state = derived.triggers[id];
    return [
      [anchor(id), rowLink("trigger", id), lineBreak(), ...prose(row.title)],
      state?.when ?? "",
      [
        ...join(
          row.rerun.map((step) => prose(clause(step))),
          "; ",
        ),
        ". Accepted when: ",
        ...prose(row.acceptance),
      ],
      row.done
        ? [strong("done"), ` ${row.done.on}: `, ...prose(row.done.outcome)]
        : [strong(state?.life ?? "waiting"), ...proofOf(state?.proof)],
    ];
  });
  return [
    heading(2, "Re-test triggers"),
    rows.length > 0 ? table(["Trigger", "Fires when", "Run again", "State"], rows) : paragraph("None."),
  ];
}

function proofOf(evidence: readonly { fact: string; url?: string | undefined }[] | undefined): PhrasingContent[] {
  if (!evidence || evidence.length === 0) return [];
  return [
    lineBreak(),
    ...join(
      evidence.map(({ fact, url }) => (url ? link(url, foreign(fact)) : foreign(fact))),
      "; ",
    ),
  ];
}
