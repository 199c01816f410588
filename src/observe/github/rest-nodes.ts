/** The fields of REST answers that are read. Everything may be missing. */
export interface RestUser {
  login?: string;
  type?: string;
}
export interface RestIssue {
  node_id?: string;
  number?: number;
  title?: string;
  html_url?: string;
  repository_url?: string;
  state?: string;
  state_reason?: string | null;
  user?: RestUser | null;
  body?: string | null;
  created_at?: string;
  updated_at?: string;
  closed_at?: string | null;
  draft?: boolean;
  pull_request?: { merged_at?: string | null };
}
export interface RestPull {
  node_id?: string;
  merged?: boolean;
  merged_at?: string | null;
  merge_commit_sha?: string | null;
  mergeable?: boolean | null;
  draft?: boolean;
  base?: { ref?: string };
}
export interface RestEvent {
  event?: string;
  created_at?: string;
  submitted_at?: string;
  actor?: RestUser | null;
  user?: RestUser | null;
  author_association?: string;
  /** Of a review. */
  state?: string;
  body?: string | null;
  commit_id?: string | null;
  commit_url?: string | null;
  rename?: { from?: string; to?: string };
  source?: { issue?: RestIssue & { repository?: { full_name?: string } } };
  author?: { date?: string; name?: string };
  committer?: { date?: string };
}
