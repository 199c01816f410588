/** Which configuration to run: pure, shared by the page and its tests. */
export interface Candidate {
  id: string;
  title: string;
  cards: number;
  /** Maximum context in tokens; undefined: not stated. */
  context: number | undefined;
  vision: boolean | undefined;
  /** Cliffs that can fire on it. */
  cliffs: readonly string[];
  standing: "safe" | "recommended" | "available" | "diagnostic" | "experimental";
  order: number;
}

/** Something a person does with the server, and the cliff that it fires. */
export interface Workload {
  key: string;
  does: string;
  cliff: string;
  cliffName: string;
  /** `borderline`: sometimes. */
  fires: "yes" | "borderline";
}

export interface Wish {
  cards: number;
  vision: boolean;
  /** Tokens; 0: no matter. */
  context: number;
  does: readonly Workload[];
}

export interface Pick {
  candidate: Candidate;
  /** Why not; empty when it fits. */
  against: string[];
}

/** Not a first choice even where it fits. */
export const SECOND_RATE: Partial<Record<Candidate["standing"], string>> = {
  diagnostic: "it is for diagnosis",
  experimental: "it is experimental",
};

const STANDING: Candidate["standing"][] = ["safe", "recommended", "available", "diagnostic", "experimental"];

/**
 * Every candidate, those that fit first: the safe ones before the rest, then those that use the cards one has.
 * What is not stated does not count as fitting.
 */
export function pick(candidates: readonly Candidate[], wish: Wish): Pick[] {
  return candidates
    .map((candidate) => ({ candidate, against: reasons(candidate, wish) }))
    .sort(
      (a, b) =>
        Number(a.against.length > 0) - Number(b.against.length > 0) ||
        STANDING.indexOf(a.candidate.standing) - STANDING.indexOf(b.candidate.standing) ||
        (a.against.length === 0 ? b.candidate.cards - a.candidate.cards : a.against.length - b.against.length) ||
        a.candidate.order - b.candidate.order ||
        (a.candidate.id < b.candidate.id ? -1 : 1),
    );
}

function reasons({ cards, context, vision, cliffs }: Candidate, wish: Wish): string[] {
  const against: string[] = [];
  if (cards > wish.cards) against.push(`needs ${cards} cards`);
  if (wish.vision && vision !== true) against.push(vision === false ? "takes no images" : "whether it takes images is not stated");
  if (wish.context > 0 && context === undefined) against.push("its context is not stated");
  if (context !== undefined && wish.context > context) against.push(`holds ${thousandsOf(context)} tokens`);
  for (const workload of wish.does) {
    if (cliffs.includes(workload.cliff))
      against.push(`${workload.cliffName} ${workload.fires === "yes" ? "fires" : "sometimes fires"} on “${workload.does}”`);
  }
  return against;
}

const thousandsOf = (tokens: number): string =>
  tokens % 1000 === 0 ? `${tokens / 1000}K` : String(tokens).replaceAll(/\B(?=(\d{3})+$)/g, ",");
