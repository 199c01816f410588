import type { APIContext } from "astro";
import { FORMATS, feedAnswer } from "../../views/feeds.ts";
import type { Format } from "../../views/feeds.ts";

export const getStaticPaths = () => FORMATS.map((format) => ({ params: { format } }));
export const GET = ({ params }: APIContext): Response => feedAnswer(params.format as Format, {});
