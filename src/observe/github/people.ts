import type { Actor } from "./nodes.ts";

/** Machine accounts that look like people to the API. */
const MACHINES = new Set(
  "claassistant codecov-commenter copybara-service copybara-github dosubot facebook-github-bot googlebot homu bors pytorchmergebot k8s-ci-robot rustbot".split(
    " ",
  ),
);

/**
 * Is an account a machine? Its comments, labels and pushes are no human activity (A44).
 * A deleted account (null) was a person as far as anybody knows.
 */
export function isMachine(actor: Actor | null | undefined): boolean {
  if (!actor) return false;
  if (actor.__typename === "Bot") return true;
  const login = (actor.login ?? "").toLowerCase();
  return login.endsWith("[bot]") || /(^|[-_])bots?([-_]|$)/.test(login) || MACHINES.has(login);
}

/** A person other than the stack's own accounts: only theirs is activity upstream (A44). */
export function isOutsider(actor: Actor | null | undefined, own: ReadonlySet<string>): boolean {
  return !isMachine(actor) && !own.has((actor?.login ?? "").toLowerCase());
}
