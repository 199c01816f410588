import type { Found, PinUse, Reader } from "./found.ts";

const URL = /(?:huggingface\.co|hf\.co)\/(?:datasets\/|spaces\/)?([\w.-]+\/[\w.-]+)\/(?:resolve|tree|blob|raw|commit)\/([0-9a-f]{7,40})\b/g;
const CALL = /["']([\w.-]+\/[\w.-]+)["'][^()]{0,400}?\brevision\s*=\s*["']([0-9a-f]{7,40})["']/g;

/** Revisions of models and data sets: links to one revision, and `revision="…"` of a Python call. */
export const huggingFace: Reader = (file): Found => {
  const pins: PinUse[] = [];
  for (const pattern of file.path.endsWith(".py") ? [URL, CALL] : [URL]) {
    for (const match of file.text.matchAll(pattern)) {
      const at = match.index + match[0].lastIndexOf(match[2] ?? "");
      pins.push({
        kind: "hf",
        name: match[1] ?? "",
        value: match[2] ?? "",
        file: file.path,
        line: file.text.slice(0, at).split("\n").length,
      });
    }
  }
  return { pins };
};
