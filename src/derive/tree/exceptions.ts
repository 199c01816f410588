import type { ScanSettings } from "../../model/shapes/scan.ts";
import type { TreeFinding } from "../../model/tree.ts";
import { finding } from "../../model/tree.ts";

/** The exceptions of the scan settings, each of which must stay necessary. */
export interface Exceptions {
  untracked: (pin: string) => boolean;
  /** May this citation stand? */
  allowed: (ref: string, file: string) => boolean;
  /** Exceptions that were asked and never needed, and those that ended. */
  needless: () => TreeFinding[];
}

const WHERE = { file: "data/tracker.yaml", line: 1 };

/** `asOf`: the day of the observation; an exception whose `until` has passed does not count. */
export function exceptionsOf({ untracked, references }: ScanSettings, asOf: string): Exceptions {
  const used = new Set<object>();
  const asked = { untracked: false, allowed: false };
  const use = <T extends object>(found: T | undefined): boolean => {
    if (found) used.add(found);
    return found !== undefined;
  };
  const ended = (until: string | undefined) => until !== undefined && until < asOf.slice(0, 10);
  return {
    untracked: (pin) => {
      asked.untracked = true;
      const names = [pin, pin.replace(/^\w+:/, ""), pin.replace(/^docker\.io\/(?:library\/)?/, "")];
      return use(untracked.find((entry) => names.some((name) => fits(entry.pin, name))));
    },
    allowed: (ref, file) => {
      asked.allowed = true;
      return use(
        references.allow.find(
          (entry) => !ended(entry.until) && fits(entry.ref, ref) && (entry.file === undefined || fits(entry.file, file)),
        ),
      );
    },
    needless: () => [
      ...untracked
        .filter((entry) => asked.untracked && !used.has(entry))
        .map(({ pin }) => finding("needless-exception", WHERE, `scan.untracked lists ${pin}, and nothing untracked fits it. Remove it.`)),
      ...references.allow
        .filter((entry) => ended(entry.until))
        .map(({ ref, until }) =>
          finding(
            "needless-exception",
            WHERE,
            `scan.references.allow let ${ref} stand until ${until}. Remove it, or renew it with a reason.`,
          ),
        ),
      ...references.allow
        .filter((entry) => asked.allowed && !used.has(entry) && !ended(entry.until))
        .map(({ ref }) => finding("needless-exception", WHERE, `scan.references.allow lists ${ref}, and no citation needs it. Remove it.`)),
    ],
  };
}

/** `*` stands for anything, a slash too. */
function fits(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replace(/\*+/g, ".*")}$`, "i").test(text);
}
