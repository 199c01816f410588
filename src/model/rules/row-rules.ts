import type { RowRule } from "./rule.ts";
import { swallowedComment } from "./swallowed-comment.ts";

/** Rules over the text of one row. The one place they are registered. */
export const ROW_RULES: readonly RowRule[] = [swallowedComment];
