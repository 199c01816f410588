import type { APIContext } from "astro";
import { stack } from "../../../../stack.ts";
import { FORMATS, feedAnswer } from "../../../../views/feeds.ts";
import type { Format } from "../../../../views/feeds.ts";

export const getStaticPaths = () =>
  Object.keys(stack().derived.pins).flatMap((id) => FORMATS.map((format) => ({ params: { id, format } })));
export const GET = ({ params }: APIContext): Response => feedAnswer(params.format as Format, { pin: params.id ?? "" });
