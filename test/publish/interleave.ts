/** Lets several clients run in steps of one request each, in an order that a seed decides, so that every race can be met again. */
export async function interleave<T>(
  pick: (count: number) => number,
  clients: readonly ((via: typeof fetch) => Promise<T>)[],
): Promise<T[]> {
  const waiting = new Map<number, () => void>();
  const running = new Set(clients.map((_, index) => index));
  const next = () => {
    if (waiting.size === 0 || waiting.size < running.size) return;
    const [index, go] = [...waiting][pick(waiting.size)] as [number, () => void];
    waiting.delete(index);
    go();
  };
  return Promise.all(
    clients.map(async (client, index) => {
      try {
        return await client(async (...request) => {
          await new Promise<void>((go) => {
            waiting.set(index, go);
            next();
          });
          return fetch(...request);
        });
      } finally {
        running.delete(index);
        next();
      }
    }),
  );
}
