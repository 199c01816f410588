import { DamagedMirror } from "./graph.ts";
import type { Message } from "./messages.ts";
import type { Mirror } from "./types.ts";

export interface Selection {
  /** Hashes to start from. */
  from: readonly string[];
  /** Hashes whose ancestors are left out. */
  not?: readonly string[];
  /** Exactly the commits in `from`, without their ancestors. */
  only?: boolean;
  /** Extended regular expressions; a commit is read when a line of its message matches one, whatever the case. */
  matching?: readonly string[];
  /** Texts taken as they are, instead of `matching`. */
  containing?: readonly string[];
}

/** Messages of commits, newest first in topological order. git does the filtering: only what matches is handed over. */
export async function readMessages(mirror: Pick<Mirror, "git">, selection: Selection): Promise<Message[]> {
  const { from, not = [], only = false, matching, containing } = selection;
  if (from.length === 0 || matching?.length === 0 || containing?.length === 0) return [];
  const patterns = containing ?? matching ?? [];
  const result = await mirror.git(
    [
      "rev-list",
      only ? "--no-walk=unsorted" : "--topo-order",
      "--encoding=UTF-8",
      "--format=%x02%H%x01%s%x01%b%x03",
      ...(containing ? ["--fixed-strings"] : ["--extended-regexp", "--regexp-ignore-case"]),
      ...patterns.map((pattern) => `--grep=${pattern}`),
      "--stdin",
    ],
    [...from, ...not.map((sha) => `^${sha}`), ""].join("\n"),
  );
  if (result.code !== 0) throw new DamagedMirror(result.stderr.trim().slice(0, 200));
  // Before the first mark of each stands the "commit <hash>" line of git versions that cannot leave it out.
  return result.stdout.split("\x03").flatMap((text) => {
    const [sha = "", subject = "", ...body] = text.slice(text.indexOf("\x02") + 1).split("\x01");
    return sha.length === 40 ? [{ sha, subject, body: body.join("") }] : [];
  });
}
