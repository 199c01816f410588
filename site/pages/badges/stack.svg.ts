import { stackBadge } from "../../../src/report/faces/badge.ts";
import { answer } from "../../origin.ts";
import { stack } from "../../stack.ts";

export const GET = (): Response => answer(stackBadge(stack().derived), "image/svg+xml");
