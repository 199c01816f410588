import { cli } from "./cli.ts";
export const command = () => cli("x", "x");
