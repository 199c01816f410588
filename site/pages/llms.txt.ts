import { llmsText } from "../views/llms.ts";
import { answer } from "../origin.ts";

export const GET = (): Response => answer(llmsText(), "text/plain; charset=utf-8");
