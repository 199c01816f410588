import { appendFileSync } from "node:fs";

type Env = Readonly<Record<string, string | undefined>>;

/** Gives later steps of a workflow a value. Does nothing elsewhere. */
export function setOutput(env: Env, name: string, value: string): void {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value.replaceAll(/[\r\n]+/g, " ")}\n`);
}

/** Adds Markdown to the summary of the job. Does nothing elsewhere. */
export function addSummary(env: Env, markdown: string): void {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}
