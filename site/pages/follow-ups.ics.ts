import { calendarOf } from "../../src/report/faces/calendar.ts";
import { rowPath } from "../links.ts";
import { answer, fullUrl } from "../origin.ts";
import { stack } from "../stack.ts";

export const GET = (): Response => {
  const { derived } = stack();
  const text = calendarOf(derived, {
    title: `${derived.world.model.tracker.title}: follow-ups`,
    link: ({ kind, id }) => fullUrl(rowPath(kind, id)),
  });
  return answer(text, "text/calendar; charset=utf-8");
};
