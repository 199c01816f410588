import type { FolderRule } from "./rule.ts";
import { unknownPlace } from "./unknown-place.ts";

/** Rules over the names under `data/`. The one place they are registered. */
export const FOLDER_RULES: readonly FolderRule[] = [unknownPlace];
