import type { Found, PinUse, Reader } from "./found.ts";
import { pythonRequirement } from "./packages.ts";

/** `requirements*.txt`, `constraints*.txt` and the dependency lists of `pyproject.toml`: exact versions and commits. */
export const requirements: Reader = (file): Found => {
  const toml = file.path.endsWith(".toml");
  const pins = file.text.split("\n").flatMap((source, index): PinUse[] => {
    const line = index + 1;
    if (!toml) {
      const text = source
        .replace(/(^|\s)#(?!egg).*$/, "")
        .replace(/\\\s*$/, "")
        .replace(/\s--hash=.*$/, "")
        .replace(/^-e\s+/, "")
        .trim();
      const pin = pythonRequirement(text);
      return pin ? [{ ...pin, file: file.path, line }] : [];
    }
    return [...source.replace(/(^|\s)#.*$/, "").matchAll(/["']([^"']+)["']/g)].flatMap((match) => {
      const pin = pythonRequirement(match[1] ?? "");
      return pin ? [{ ...pin, file: file.path, line }] : [];
    });
  });
  return { pins };
};
