import type { ArtifactQuestion } from "../model/questions.ts";
import type { Observed, RegistryFile } from "../model/shapes/observed.ts";
import type { Failure } from "./change.ts";
import { same } from "./change.ts";
import type { Look } from "./look.ts";
import type { Memory } from "./memory.ts";

export type RegistryEntry = RegistryFile[string];
/** What a registry says about an artifact. */
export type ArtifactFacts = Omit<RegistryEntry, "source" | "asOf" | "since" | "stale" | "seenDigests">;

export interface ArtifactAsk extends ArtifactQuestion {
  known: RegistryEntry | undefined;
  /** Validator of the last answer. */
  etag: string | undefined;
}

export type AskArtifact = (ask: ArtifactAsk) => Promise<Look<ArtifactFacts>>;

/** Digests of a floating tag that are remembered. */
const DIGESTS = 30;

/** Asks registries for images, packages and assets. Writes into `observed` and `memory`. */
export async function observeArtifacts(
  questions: readonly ArtifactQuestion[],
  ask: AskArtifact,
  state: { observed: Observed; memory: Memory; now: string },
  say: (line: string) => void,
): Promise<{ observed: number; failed: Failure[] }> {
  const { observed, memory, now } = state;
  const failed: Failure[] = [];
  let seen = 0;
  for (const question of questions) {
    const { key } = question;
    say(`Registry: ${key}`);
    const known = observed.registry[key];
    const look = await ask({ ...question, known, etag: known && !known.stale ? memory.artifacts[key]?.etag : undefined });
    if (look.state === "failed") {
      failed.push({ ref: key, why: look.why });
      if (known && !known.stale) observed.registry[key] = { ...known, stale: { since: now, why: look.why } };
      continue;
    }
    seen += 1;
    if (look.state === "unchanged") {
      memory.artifacts[key] = { ...memory.artifacts[key], verifiedAt: now };
      continue;
    }
    if (look.state === "seen") {
      observed.registry[key] = keepArtifact(known, question.floating, look.value, look.source, now);
      memory.artifacts[key] = { verifiedAt: now, ...(look.etag === undefined ? {} : { etag: look.etag }) };
    } else {
      observed.registry[key] = keepGone(known, look.why, look.source, now);
      delete memory.artifacts[key];
    }
  }
  return { observed: seen, failed };
}

/** A fact changes only when the facts change; a digest that a floating tag had before is kept (design, section 5). */
export function keepArtifact(
  known: RegistryEntry | undefined,
  floating: boolean,
  facts: ArtifactFacts,
  source: string,
  now: string,
): RegistryEntry {
  const { source: was, asOf, since, stale, seenDigests, ...before } = known ?? { source, asOf: null, since: now };
  const moved = floating && facts.digest !== undefined && !seenDigests?.some(({ digest }) => digest === facts.digest);
  const digests =
    moved && facts.digest !== undefined ? [...(seenDigests ?? []), { digest: facts.digest, at: now }].slice(-DIGESTS) : seenDigests;
  const changed = !known || moved || !same(before, facts);
  return {
    ...facts,
    ...(digests === undefined ? {} : { seenDigests: digests }),
    source: changed ? source : was,
    asOf: changed || asOf === null ? now : asOf,
    ...(since === undefined ? {} : { since }),
  };
}

/** The registry answered that it is not there: a state of its own, with everything that was known of it. */
function keepGone(known: RegistryEntry | undefined, why: string, source: string, now: string): RegistryEntry {
  if (known?.available === "gone" && !known.stale) return known;
  const { stale: _, ...before } = known ?? { since: now };
  return { ...before, available: "gone", note: why, source, asOf: now };
}
