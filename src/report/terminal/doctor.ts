import type { Paint } from "../paint.ts";

/** One thing that was tried, as `doctor --json` prints it. */
export interface DoctorCheck {
  area: "machine" | "GitHub" | "git" | "registries";
  name: string;
  verdict: "fine" | "note" | "wrong" | "unsure";
  text: string;
}

const SYMBOLS = { fine: "✔", note: "•", wrong: "✖", unsure: "?" } as const;

/** What works, what will not and why, area by area. */
export function doctorText(checks: readonly DoctorCheck[], paint: Paint): string {
  const colour = { fine: paint.green, note: paint.cyan, wrong: paint.red, unsure: paint.yellow };
  const lines = (["machine", "GitHub", "git", "registries"] as const).flatMap((area) => {
    const own = checks.filter((check) => check.area === area);
    return own.length === 0
      ? []
      : [paint.bold(area), ...own.map(({ name, verdict, text }) => `  ${colour[verdict](SYMBOLS[verdict])} ${name}: ${text}`), ""];
  });
  const count = (verdict: DoctorCheck["verdict"]) => checks.filter((check) => check.verdict === verdict).length;
  const [wrong, unsure] = [count("wrong"), count("unsure")];
  const verdict =
    wrong > 0
      ? `${wrong} ${wrong === 1 ? "thing" : "things"} will not work${unsure > 0 ? `, ${unsure} could not be told` : ""}.`
      : unsure > 0
        ? `Nothing is wrong; ${unsure} could not be told.`
        : "Everything works.";
  return [...lines, verdict].join("\n");
}
