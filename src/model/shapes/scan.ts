import { z } from "zod";
import { day, text } from "./common.ts";

const globs = (usual: string[]) => z.array(text).default(usual);

/** `scan:` of `data/tracker.yaml`: where the stack's own tree is and how it is read. Everything has a sensible default. */
export const scanSettings = z.strictObject({
  tree: text.default(".").meta({ description: "The stack's own tree, from the folder that holds data/." }),
  include: globs(["**/*"]).meta({ description: "Files to look at, as globs." }),
  ignore: globs([]).meta({ description: "Files to leave out, besides what git ignores and installed packages." }),
  archived: globs(["**/_archive/**", "**/archive/**", "**/archived/**", "**/_archived/**"]).meta({
    description: "Trees that are kept but not run; what they use is told apart.",
  }),
  side: globs([]).meta({ description: "Services around the stack. Their images are listed, and need no pin." }),
  patches: globs(["**/patches/**"]).meta({ description: "Where local patches live." }),
  overlays: globs(["**/dist-packages/**", "**/site-packages/**"]).meta({
    description: "Places inside a container where a mounted file replaces installed code.",
  }),
  env_flags: globs(["*_ENABLE_*", "*_DISABLE_*", "*_USE_*"]).meta({
    description: "Environment flags worth recording, as patterns; flags that patches name are always recorded, secrets never.",
  }),
  profiles: z
    .strictObject({
      files: z.array(text).min(1).meta({ description: "Files of engine profiles, as globs." }),
      value: text.default("install.spec").meta({ description: "Path inside a profile to the image or package it pins." }),
      id: text.default("id").meta({ description: "Path to the profile's name; its file name when absent." }),
      named_by: text.default("Engine-profile").meta({ description: "Comment in a compose file that names its profile." }),
    })
    .optional()
    .meta({ description: "Engine profiles that decide which image a launcher really starts." }),
  cites: globs(["patch_*.py", "patch_*.sh", "*.patch", "*.diff"]).meta({
    description: "Names that always mean a file of the stack when a document cites them without a path.",
  }),
  history: globs(["**/CHANGELOG*", "**/HISTORY*"]).meta({
    description: "Documents that tell history: what they cite may be closed, gone or long changed.",
  }),
  listings: globs(["*_LISTING.txt"]).meta({ description: "Lists of the paths an exported tree left out, one a line." }),
  stamp: text.default("COMMIT.txt").meta({ description: "File of an exported tree that holds its commit and date." }),
  max_megabytes: z.number().positive().default(5).meta({ description: "Larger files are not read, and are named." }),
  untracked: z
    .array(
      z.strictObject({
        pin: text.meta({ description: "Image, package or repository, as scan prints it; * stands for anything." }),
        because: text,
      }),
    )
    .default([])
    .meta({ description: "Pins that deliberately have no row." }),
  references: z
    .strictObject({
      skip: globs([]).meta({ description: "More documents whose references are not judged, such as a hand-kept tracker." }),
      allow: z
        .array(
          z.strictObject({
            ref: text.meta({ description: "The reference, or owner/repo#* for all of a repository." }),
            file: text.optional().meta({ description: "Only in this file or glob." }),
            because: text,
            until: day.optional().meta({ description: "When the exception ends." }),
          }),
        )
        .default([])
        .meta({ description: "Citations that may stand although the reference is closed, landed or has no row." }),
    })
    .prefault({})
    .meta({ description: "How references in comments and documents are judged." }),
});
export type ScanSettings = z.infer<typeof scanSettings>;
