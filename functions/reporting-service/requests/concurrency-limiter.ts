/** By how much the limit grows while as many calls succeed as it allows at once. */
const increaseOfRound = 2;

/**
 * A limiter of at most `limit` calls in flight, shared by all calls of a worker, and the pause that the service asked for. Where
 * the service asks to slow down (429, 503), the limit is halved; each success adds a little again, up to the configured limit
 * (additive increase, multiplicative decrease). Times are those of `performance.now()`, which no change of the clock moves.
 */
export function createConcurrencyLimiter(limit: number) {
  let allowed = limit;
  let inFlight = 0;
  let pausedUntil = 0;
  let slowedAt = 0;
  const waiting: Array<() => void> = [];

  const admit = (): void => {
    while (inFlight < Math.max(1, Math.floor(allowed)) && waiting.length > 0) {
      inFlight += 1;
      waiting.shift()?.();
    }
  };

  return {
    /** Runs `call` as soon as the limit allows, first come, first served. The call itself waits until a pause is over. */
    run: async <T>(call: () => Promise<T>): Promise<T> => {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      admit();
      await turn;
      try {
        return await call();
      } finally {
        inFlight -= 1;
        admit();
      }
    },
    /** How long the pause still lasts, in milliseconds; 0 where there is none. */
    pausedForMs: (): number => Math.max(0, pausedUntil - performance.now()),
    /**
     * Begins a pause of `pauseMs`, and halves the limit: not again for a call that had begun (at `begunAt`) before the limit
     * was last halved, since it says nothing about the new limit.
     */
    slowDown: (pauseMs: number, begunAt: number): void => {
      const now = performance.now();
      if (begunAt >= slowedAt) {
        allowed = Math.max(1, allowed / 2);
        slowedAt = now;
      }
      pausedUntil = Math.max(pausedUntil, now + pauseMs);
    },
    /** One call succeeded. */
    succeeded: (): void => {
      allowed = Math.min(limit, allowed + increaseOfRound / Math.max(1, allowed));
      admit();
    },
  };
}
