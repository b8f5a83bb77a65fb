/**
 * The limit of requests in flight that all calls of a worker share, and the pause that was ordered. Told to slow down
 * (429, 503), it halves the limit; each success adds a little again, up to the limit configured (additive increase,
 * multiplicative decrease). Its times are those of `performance.now()`, which nobody sets.
 */
export interface ConcurrencyLimiter {
  /** Runs `call` when there is room, in the order of coming. Waiting for a pause's end is left to the call. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** How long nothing new is to begin, in milliseconds; 0 where no pause is on. */
  pausedForMs(): number;
  /**
   * Orders a pause of `pauseMs`, and halves the limit: once a pause, and not again for calls that had begun before it was
   * last halved (at `begunAt`, default now), which say nothing about the new limit.
   */
  slowDown(pauseMs: number, begunAt?: number): void;
  /** One call succeeded. */
  succeeded(): void;
}

/** What the limit grows by while as many calls succeed as it allows at once. */
const increaseOfRound = 2;

/** A limiter of at most `limit` calls in flight. */
export function createConcurrencyLimiter(limit: number): ConcurrencyLimiter {
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

  const enter = async (): Promise<void> => {
    const turn = new Promise<void>((resolve) => waiting.push(resolve));
    admit();
    await turn;
  };

  return {
    run: async (call) => {
      await enter();
      try {
        return await call();
      } finally {
        inFlight -= 1;
        admit();
      }
    },
    pausedForMs: () => Math.max(0, pausedUntil - performance.now()),
    slowDown: (pauseMs, begunAt = performance.now()) => {
      const now = performance.now();
      if (now >= pausedUntil && begunAt >= slowedAt) {
        allowed = Math.max(1, allowed / 2);
        slowedAt = now;
      }
      pausedUntil = Math.max(pausedUntil, now + pauseMs);
    },
    succeeded: () => {
      allowed = Math.min(limit, allowed + increaseOfRound / Math.max(1, allowed));
      admit();
    },
  };
}
