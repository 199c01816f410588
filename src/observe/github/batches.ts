import { GithubFailure, endsTheRun } from "./failure.ts";

/** What one element of a batch got: an answer, or nothing usable and it has to be asked again. */
export type Part<A> = { answer: A } | { again: string };

export interface Batching<T, A> {
  /** Largest batch. */
  size: number;
  /** Batches under way at the same time. */
  together: number;
  /** Asks for all of a batch at once; the answers in the same order. @throws {GithubFailure} when the whole request failed */
  ask: (batch: readonly T[]) => Promise<Part<A>[]>;
  /** The last resort for one that fails even alone. */
  alone: (one: T, why: string) => Promise<A>;
  /** For one that is not asked any more, because a limit or an outage ended the run's questions. */
  unasked: (one: T, why: string) => A;
  /** Ends this kind of question for all batches; set here, and may be set before. */
  stop: Stop;
  onProgress?: (done: number, total: number) => void;
}

/** Shared by everything that asks one host. */
export interface Stop {
  because: string | undefined;
  /** The token is not accepted, or the query not understood: the same can be asked over REST. */
  otherWay?: boolean;
  /** Requests in a row that failed. An outage is not asked a thousand times. */
  failures: number;
}
export const newStop = (): Stop => ({ because: undefined, failures: 0 });
/** More than splitting one batch of a hundred down to a single element takes. */
export const OUTAGE = 16;

/**
 * Asks for many things in batches. A batch that fails is halved until it works, down to one, so that a single bad element never
 * loses the rest (C09, C12); after a batch that was too costly, later ones are smaller too (C13). Every element gets an answer.
 */
export async function inBatches<T, A>(things: readonly T[], options: Batching<T, A>): Promise<A[]> {
  const { ask, alone, unasked, stop, onProgress = () => {} } = options;
  const answers = new Map<number, A>();
  let size = options.size;
  const queue: { places: number[]; why?: string }[] = [];
  const batches = Math.ceil(things.length / size);
  // Batches of equal length: 101 elements are 51 and 50, not 100 and 1.
  for (let at = 0, left = batches; left > 0; left -= 1) {
    const take = Math.ceil((things.length - at) / left);
    queue.push({ places: Array.from({ length: take }, (_, index) => at + index) });
    at += take;
  }
  const halves = (places: number[]) => {
    const middle = Math.ceil(places.length / 2);
    return [places.slice(0, middle), places.slice(middle)].filter((half) => half.length > 0);
  };
  const settle = (place: number, answer: A) => {
    answers.set(place, answer);
    onProgress(answers.size, things.length);
  };
  const failed = async (places: number[], why: string) => {
    stop.failures += 1;
    if (stop.failures >= OUTAGE) stop.because ??= `GitHub keeps failing: ${why}`;
    if (places.length > 1) queue.unshift(...halves(places).map((half) => ({ places: half, why })));
    else
      for (const place of places)
        settle(place, stop.because ? unasked(things[place] as T, stop.because) : await alone(things[place] as T, why));
  };
  const work = async () => {
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      const { places } = batch;
      if (stop.because !== undefined) {
        for (const place of places) settle(place, unasked(things[place] as T, stop.because));
        continue;
      }
      if (places.length > size) {
        queue.unshift(...halves(places).map((half) => ({ places: half })));
        continue;
      }
      try {
        const parts = await ask(places.map((place) => things[place] as T));
        const again: number[] = [];
        let why = "";
        places.forEach((place, index) => {
          const part = parts[index];
          if (part && "answer" in part) settle(place, part.answer);
          else {
            again.push(place);
            why = part?.again ?? "the answer leaves it out";
          }
        });
        if (again.length === 0) stop.failures = 0;
        else if (again.length < places.length) {
          stop.failures = 0;
          if (again.length === 1 && places.length > 1) queue.unshift({ places: again, why });
          else queue.unshift(...halves(again).map((half) => ({ places: half, why })));
        } else await failed(again, why);
      } catch (error) {
        if (!(error instanceof GithubFailure)) throw error;
        if (endsTheRun(error) || (error.kind === "refused" && error.status === 401)) {
          if (stop.because === undefined) stop.otherWay = error.kind === "refused" || error.kind === "setup";
          stop.because ??= error.message;
          queue.unshift(batch);
          continue;
        }
        if (error.kind === "cost" && places.length > 1) size = Math.max(1, Math.min(size, Math.ceil(places.length / 2)));
        await failed(places, error.message);
      }
    }
  };
  // A worker that finds the queue empty may miss halves that another is about to put back; those are done by that other one.
  await Promise.all(Array.from({ length: Math.max(1, options.together) }, work));
  return things.map((thing, place) => answers.get(place) ?? unasked(thing, stop.because ?? "it was not asked"));
}
