import type { APIContext } from "astro";
import { itemBadge } from "../../../../src/report/faces/badge.ts";
import { answer } from "../../../origin.ts";
import { stack } from "../../../stack.ts";

export const getStaticPaths = () => Object.keys(stack().derived.items).map((id) => ({ params: { id } }));
export const GET = ({ params }: APIContext): Response => answer(itemBadge(stack().derived, params.id ?? ""), "image/svg+xml");
