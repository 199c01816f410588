import { changesDecision } from "../../derive/news.ts";
import { day } from "../../derive/proof.ts";
import { freshAttention } from "./body.ts";
import type { News } from "./body.ts";

/** Title of the pull request and subject of its commits: numbers and a day, and no word of upstream origin (field cases D08, D11). */
export function pullRequestTitle(news: News): string {
  const to = (status: string) => news.transitions.filter((one) => one.to === status).length;
  const [landed, awaiting] = [to("landed"), to("awaiting-propagation")];
  const counts: [number, string][] = [
    [freshAttention(news).filter(changesDecision).length, "to decide"],
    [landed, "landed"],
    [awaiting, "awaiting propagation"],
    [news.transitions.length - landed - awaiting, "moved"],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return said.length > 0 ? `Upstream changes: ${said.join(", ")}` : `Upstream facts as of ${day(news.after.asOf)}`;
}

/** The commit's message. It cites nothing, because a commit's references reach upstream threads and cannot be taken back. */
export const commitMessage = (news: News): string =>
  `${pullRequestTitle(news)}\n\nObserved as of ${day(news.after.asOf)}; pages rendered from it.`;
