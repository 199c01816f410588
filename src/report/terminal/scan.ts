import { groupBy } from "../../model/group.ts";
import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { ScanReport } from "../scan.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../words.ts";

/** What a scan found: images with their users, the findings by file, the counts, and what was not checked. */
export function scanText(report: ScanReport, { images, notices }: { images: boolean; notices: boolean }, paint: Paint): string {
  const shown = report.findings.filter(({ level }) => notices || level !== "notice");
  const blocks = [...groupBy(shown, ({ file }) => file)]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([file, found]) =>
      [
        paint.bold(file),
        ...found.map(({ line, level, rule, message }) => {
          const word =
            level === "error"
              ? paint.red(level.padEnd(7))
              : level === "warning"
                ? paint.yellow(level.padEnd(7))
                : paint.dim(level.padEnd(7));
          return `  ${String(line).padStart(5)}  ${word} ${rule.padEnd(19)} ${message}`;
        }),
      ].join("\n"),
    );
  const { errors, warnings, notices: told } = report.counts;
  const count = `${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(told, "notice")}${told > 0 && !notices ? " (--notices lists them)" : ""}.`;
  const unchecked = report.notChecked.length > 0 ? ` Not checked: ${report.notChecked.join("; ")}.` : "";
  return [images ? imageTable(report.images, paint) : "", ...blocks, `${summary(report)}\n${count}${unchecked}`]
    .filter((block) => block !== "")
    .join("\n\n");
}

/** One line an image: how many use it, and those that only archived files use apart. */
function imageTable(images: InventoryFile["images"], paint: Paint): string {
  if (images.length === 0) return "";
  const rows = images
    .map((image) => ({ image, live: image.users.filter(({ archived }) => !archived).length }))
    .sort((a, b) => b.live - a.live || b.image.users.length - a.image.users.length);
  const line = ({ image, live }: (typeof rows)[number]) => {
    const apart = image.users.length - live;
    const name = image.image.replace(/^docker\.io\/(?:library\/)?/, "").replace(/([0-9a-f]{12})[0-9a-f]{28,}/g, "$1");
    return `  ${String(live > 0 ? live : apart).padStart(4)}  ${name}  ${paint.dim(`${image.mutability}${live > 0 && apart > 0 ? `, and ${apart} archived` : ""}`)}`;
  };
  const live = rows.filter((row) => row.live > 0);
  const archived = rows.filter((row) => row.live === 0);
  return [
    paint.bold("Users  Image"),
    ...live.map(line),
    ...(archived.length > 0 ? [paint.bold("Archived only"), ...archived.map(line)] : []),
  ].join("\n");
}

function summary({ tree, counts, images, pins, mounts, invocations, references }: ScanReport): string {
  const at = tree.commit === null ? "no commit known" : `at ${tree.commit.slice(0, 10)}`;
  const apart = counts.archived !== undefined ? `, ${counts.archived} archived` : "";
  const side = counts.services > 0 ? ` and ${plural(counts.services, "side service")}` : "";
  return `${tree.repo} ${at}: ${plural(counts.composes, "compose file")}${side}${apart}; ${plural(images.length, "image")}, ${plural(pins.length, "other pin")}, ${plural(mounts.length, "patch mount")}, ${plural(invocations.length, "invocation")}, ${plural(references.length, "reference")}.`;
}
