import { z } from "zod";
import { note, ref, repo, text } from "./common.ts";

/** `data/upstreams/*.yaml`: a project the stack is built from. */
export const upstream = z.strictObject({
  title: text.meta({ description: "The project's name." }),
  kind: z
    .enum(["repository", "assets", "registry"])
    .default("repository")
    .meta({ description: "A code repository, a set of assets, or a registry." }),
  repo: repo.optional().meta({ description: "Its repository on GitHub." }),
  git: z
    .string()
    .regex(/^(https?|ssh|git|file):\/\/\S+$|^[\w.-]+@[\w.-]+:\S+$/, "is not a git address; write https://…, ssh://… or user@host:path")
    .optional()
    .meta({ description: "Where its history is cloned from, when that is not GitHub." }),
  former: z.array(repo).default([]).meta({ description: "Former owners or names; references to them mean this upstream." }),
  aliases: z.array(text).default([]).meta({ description: "Short names used in comments, such as llama.cpp." }),
  branches: z.array(text).default([]).meta({ description: "Branches where landing counts. None listed: main and master." }),
  versions: z
    .enum(["semver", "pep440", "build-number", "calver", "none"])
    .default("none")
    .meta({ description: "How its versions are ordered." }),
  streams: z
    .array(
      z.strictObject({
        name: text,
        artifact: text.meta({ description: "Pattern of the published builds." }),
        retention: text.optional().meta({ description: "How long builds are kept, in words." }),
        keeps: z
          .strictObject({ builds: z.number().int().positive().optional(), days: z.number().int().positive().optional() })
          .optional()
          .meta({
            description:
              "How many of the newest builds its registry keeps, or for how many days, so that a pin is told before its image goes.",
          }),
      }),
    )
    .default([])
    .meta({ description: "Streams of published builds." }),
  flags: z
    .array(text)
    .optional()
    .meta({ description: "Files of its source, or folders ending in /, that declare the environment flags it knows." }),
  lands: z.enum(["merge", "squash", "rebase", "bot", "mixed"]).default("mixed").meta({ description: "How the project lands changes." }),
  order: z.number().int().default(100).meta({ description: "Place on the upstream page; lower comes first." }),
  notes: z.array(note).default([]).meta({ description: "Prose shown above its table." }),
  see: z.array(ref).default([]).meta({ description: "References worth knowing that head no row." }),
});
export type Upstream = z.infer<typeof upstream>;
