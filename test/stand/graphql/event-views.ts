import { nodeId } from "../node-id.ts";
import { WEB } from "../rest/context.ts";
import type { Issue, Pull, ThreadEvent } from "../thread-types.ts";
import { fullName, type Repo, refTo } from "../world.ts";
import { commitView, refView } from "./git-views.ts";
import { repositoryView } from "./repository-view.ts";
import { commentView, labelView, reviewView, threadView, viewOf } from "./thread-views.ts";
import { actor, connection, type Scene, type View, visibleRepo, visibleThread } from "./view.ts";

const TYPENAMES = {
  closed: "ClosedEvent",
  reopened: "ReopenedEvent",
  locked: "LockedEvent",
  unlocked: "UnlockedEvent",
  convert_to_draft: "ConvertToDraftEvent",
  ready_for_review: "ReadyForReviewEvent",
  head_ref_deleted: "HeadRefDeletedEvent",
  merged: "MergedEvent",
  referenced: "ReferencedEvent",
  "cross-referenced": "CrossReferencedEvent",
  renamed: "RenamedTitleEvent",
  labeled: "LabeledEvent",
  unlabeled: "UnlabeledEvent",
  transferred: "TransferredEvent",
  converted_to_discussion: "ConvertedToDiscussionEvent",
  marked_as_duplicate: "MarkedAsDuplicateEvent",
  unmarked_as_duplicate: "UnmarkedAsDuplicateEvent",
  connected: "ConnectedEvent",
  disconnected: "DisconnectedEvent",
  base_ref_changed: "BaseRefChangedEvent",
  automatic_base_change_succeeded: "AutomaticBaseChangeSucceededEvent",
  added_to_merge_queue: "AddedToMergeQueueEvent",
  auto_merge_enabled: "AutoMergeEnabledEvent",
  auto_merge_disabled: "AutoMergeDisabledEvent",
} as const satisfies Record<ThreadEvent["event"], string>;

/** `ClosedEvent` -> `CLOSED_EVENT`, the name that itemTypes uses. */
const itemType = (typename: string): string => typename.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

type Item = { at: string; type: string; view: () => View };

/**
 * Events, comments and reviews in time order, of the wanted types. Whether GitHub's `totalCount` leaves the other types
 * out is not documented; the stand takes the reading that helps a client least. `filteredCount` is of the wanted ones.
 */
export function timelineView(scene: Scene, repo: Repo, thread: Issue | Pull, args: Record<string, unknown>): View {
  const wanted = args.itemTypes as string[] | undefined;
  const items: Item[] = thread.events
    .filter((event) => isShown(scene, event))
    .map((event) => ({ at: event.at, type: itemType(TYPENAMES[event.event]), view: () => eventView(scene, repo, thread, event) }));
  for (const of of thread.comments) items.push({ at: of.at, type: "ISSUE_COMMENT", view: () => commentView("IssueComment", of) });
  if (thread.kind === "pull")
    for (const of of thread.reviews) items.push({ at: of.at, type: "PULL_REQUEST_REVIEW", view: () => reviewView(of) });
  const shown = items
    .filter((item) => (wanted?.includes(item.type) ?? true) && (typeof args.since !== "string" || item.at >= args.since))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return connection(shown, args, (item) => item.view(), { totalCount: items.length, updatedAt: thread.updatedAt });
}

/** References from repositories that the caller cannot read are left out, as on GitHub. */
function isShown(scene: Scene, event: ThreadEvent): boolean {
  if (event.event === "cross-referenced") return visibleThread(scene, event.source) !== undefined;
  if (event.event === "connected" || event.event === "disconnected") return visibleThread(scene, event.subject) !== undefined;
  if (event.event === "referenced") return visibleRepo(scene, event.repo) !== undefined;
  return true;
}

function eventView(scene: Scene, repo: Repo, thread: Issue | Pull, event: ThreadEvent): View {
  const typename = TYPENAMES[event.event];
  const self = () => threadView(scene, repo, thread);
  const path = `/${fullName(repo)}/${thread.kind === "pull" ? "pull" : "issues"}/${thread.number}#event-${event.id}`;
  const base: View = {
    __typename: typename,
    id: nodeId(typename, event.id),
    createdAt: event.at,
    actor: actor(event.actor),
    url: WEB + path,
    resourcePath: path,
    closable: self,
    subject: self,
    ...(thread.kind === "pull" ? { pullRequest: self } : { issue: self }),
  };
  return { ...base, ...specifics(scene, repo, thread, event, self) };
}

function specifics(scene: Scene, repo: Repo, thread: Issue | Pull, event: ThreadEvent, self: () => View): Record<string, unknown> {
  const elsewhere = (ref: { repo: number }): boolean => ref.repo !== repo.id;
  switch (event.event) {
    case "closed":
      return { stateReason: event.stateReason?.toUpperCase() ?? null, closer: () => closerView(scene, event) };
    case "merged":
      return {
        commit: () => commitView(scene, repo, event.sha),
        mergeRefName: event.branch,
        mergeRef: () => refView(scene, repo, `refs/heads/${event.branch}`),
      };
    case "referenced": {
      const home = visibleRepo(scene, event.repo);
      return {
        commit: () => (home ? commitView(scene, home, event.sha) : null),
        commitRepository: () => (home ? repositoryView(scene, home) : null),
        isCrossRepository: elsewhere(event),
        isDirectReference: event.direct,
      };
    }
    case "cross-referenced":
      return {
        source: () => viewOf(scene, event.source),
        target: self,
        willCloseTarget: event.willClose,
        isCrossRepository: elsewhere(event.source),
        referencedAt: event.at,
      };
    case "renamed":
      return { previousTitle: event.from, currentTitle: event.to };
    case "labeled":
    case "unlabeled": {
      const label = repo.labels[event.label.toLowerCase()] ?? { id: 0, name: event.label, color: "ededed", description: null };
      return { label: labelView(label), labelable: self };
    }
    case "transferred": {
      const from = visibleRepo(scene, event.fromRepo);
      return { fromRepository: () => (from ? repositoryView(scene, from) : null) };
    }
    case "converted_to_discussion":
      return { discussion: () => viewOf(scene, event.discussion) };
    case "marked_as_duplicate":
    case "unmarked_as_duplicate":
      return {
        canonical: () => viewOf(scene, event.canonical),
        duplicate: () => viewOf(scene, refTo(repo, thread)),
        isCrossRepository: elsewhere(event.canonical),
      };
    case "connected":
    case "disconnected":
      return { source: self, subject: () => viewOf(scene, event.subject), isCrossRepository: elsewhere(event.subject) };
    case "base_ref_changed":
      return { previousRefName: event.from, currentRefName: event.to };
    case "automatic_base_change_succeeded":
      return { oldBase: event.from, newBase: event.to };
    case "locked":
      return { lockReason: null, lockable: self };
    case "unlocked":
      return { lockable: self };
    case "head_ref_deleted":
      return { headRefName: thread.kind === "pull" ? thread.head : "" };
    default:
      return {};
  }
}

function closerView(scene: Scene, event: Extract<ThreadEvent, { event: "closed" }>): View | null {
  if (!event.closer) return null;
  if ("pull" in event.closer) return viewOf(scene, event.closer.pull);
  const home = visibleRepo(scene, event.closer.repo);
  return home ? commitView(scene, home, event.closer.commit) : null;
}
