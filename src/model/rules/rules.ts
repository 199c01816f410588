import type { FolderRule, RowRule } from "./rule.ts";
import { swallowedComment } from "./swallowed-comment.ts";
import { unknownPlace } from "./unknown-place.ts";

/** Rules over the text of one row. The one place they are registered. */
export const ROW_RULES: readonly RowRule[] = [swallowedComment];

/** Rules over the names under `data/`. The one place they are registered. */
export const FOLDER_RULES: readonly FolderRule[] = [unknownPlace];
