import type { Connection, ThreadNode } from "./nodes.ts";
import type { Bounds } from "./queries.ts";

/**
 * Large batches silently answer with fewer nodes than there are, down to none: that is a failure and never "none".
 * @returns what is missing, or undefined when the answer is whole
 */
export function shortAnswer(node: ThreadNode, bounds: Bounds): string | undefined {
  const issue = node.__typename === "Issue";
  const pull = node.__typename === "PullRequest";
  const expected: [string, Connection<unknown> | null | undefined, number][] = [
    ["comments", node.talk, bounds.talk],
    ...(issue || pull
      ? ([
          ["events", node.events, bounds.events],
          ["mentions", node.mentions, bounds.mentions],
        ] as [string, Connection<unknown>, number][])
      : []),
    ...(issue ? ([["linked pull requests", node.fixes, bounds.fixes]] as [string, Connection<unknown>, number][]) : []),
    ...(pull
      ? ([
          ["reviews", node.reviews, bounds.reviews],
          ["commits", node.commits, 1],
        ] as [string, Connection<unknown>, number][])
      : []),
  ];
  for (const [name, connection, bound] of expected) {
    if (!connection?.nodes) return `the answer has no ${name}`;
    const total = connection.filteredCount ?? connection.totalCount;
    const due = Math.min(total ?? 0, bound);
    if (connection.nodes.length < due) return `the answer has ${connection.nodes.length} of ${due} ${name}`;
  }
  return undefined;
}

export function live<T>(connection: Connection<T> | null | undefined): T[] {
  return (connection?.nodes ?? []).filter((node) => node !== null && node !== undefined) as T[];
}
/** Does the connection hold everything there is? */
export function whole(connection: Connection<unknown> | null | undefined): boolean {
  const total = connection?.filteredCount ?? connection?.totalCount;
  return total !== undefined && (connection?.nodes?.length ?? 0) >= total;
}
