import type { APIContext } from "astro";
import { pinBadge } from "../../../../src/report/faces/badge.ts";
import { answer } from "../../../origin.ts";
import { stack } from "../../../stack.ts";

export const getStaticPaths = () => Object.keys(stack().derived.pins).map((id) => ({ params: { id } }));
export const GET = ({ params }: APIContext): Response => answer(pinBadge(stack().derived, params.id ?? ""), "image/svg+xml");
