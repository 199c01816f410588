import { didYouMean, listWords } from "../suggest.ts";
import { KINDS } from "../vocabulary.ts";
import type { FolderRule } from "./rule.ts";

const FOLDERS = [...Object.values(KINDS).filter((name) => !name.endsWith(".yaml")), "observed"];
const FILES: readonly string[] = [KINDS.tracker, "README.md"];

/** What stands in `data/` under a name that nothing reads: a mistyped folder would lose its rows without a word. */
export const unknownPlace: FolderRule = {
  name: "unknown-place",
  description: "A folder or file of data/ that is not read.",
  level: "error",
  check: (entries) =>
    entries.flatMap(({ path, folder }) => {
      const name = path.replace(/^data\//, "");
      if (name.startsWith(".") || (folder ? FOLDERS : FILES).includes(name)) return [];
      if (!folder && FOLDERS.includes(name)) return [{ file: path, message: `${path} is a file and has to be a folder of rows.` }];
      if (folder && FILES.includes(name)) return [{ file: path, message: `${path} is a folder and has to be a file.` }];
      const what = folder ? "Nothing in this folder is read." : "This file is not read.";
      const known = folder ? `Folders of data/ are ${listWords(FOLDERS, 20)}.` : `A row belongs in a folder: ${listWords(FOLDERS, 20)}.`;
      return [{ file: path, message: `${what}${didYouMean(name, folder ? FOLDERS : FILES)} ${known} Move it, or delete it.` }];
    }),
};
