import type { Found, Reader } from "./found.ts";
import { isRevision } from "./packages.ts";

export interface EnvLine {
  name: string;
  value: string;
  line: number;
}

/** `NAME=value` lines of a `.env`: quotes are taken off, `export` and trailing comments are skipped. */
export function readEnv(text: string): EnvLine[] {
  return text.split(/\r?\n/).flatMap((source, index): EnvLine[] => {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*)$/.exec(source);
    if (!match) return [];
    const [, name = "", rest = ""] = match;
    const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(rest);
    return [{ name, value: quoted ? (quoted[2] ?? "") : rest.replace(/\s+#.*$/, "").trim(), line: index + 1 }];
  });
}

/** Pins that a `.env` sets by the variable that data/pins/ names. */
export const envFile: Reader = (file, { pinOfEnv }): Found => ({
  pins: readEnv(file.text).flatMap(({ name, value, line }) => {
    const pin = pinOfEnv.get(name);
    return pin && isRevision(value) ? [{ kind: pin.kind, name: pin.name, value, file: file.path, line }] : [];
  }),
});
