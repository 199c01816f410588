import { createInterface } from "node:readline/promises";

/** A question on the terminal; prompts go to stderr, so results on stdout stay clean. */
export async function ask(question: string, fallback = ""): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question(fallback ? `${question} [${fallback}] ` : `${question} `)).trim();
    return answer || fallback;
  } finally {
    lines.close();
  }
}

/** A choice by its name, a start of it, or its number. Asks again until one fits. */
export async function choose<T extends string>(question: string, choices: readonly T[], fallback: T): Promise<T> {
  const listed = choices.map((choice, index) => `${index + 1} ${choice}`).join(", ");
  for (;;) {
    const answer = (await ask(`${question}\n  ${listed}`, fallback)).toLowerCase();
    const found =
      choices.find((choice, index) => choice === answer || String(index + 1) === answer) ??
      choices.find((choice) => choice.startsWith(answer));
    if (found) return found;
    process.stderr.write(`"${answer}" is none of them.\n`);
  }
}

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;
