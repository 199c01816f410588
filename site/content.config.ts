import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";
import { contentLoader } from "./content-loader.ts";

export const collections = { docs: defineCollection({ loader: contentLoader(), schema: docsSchema() }) };
