import { setTimeout as sleep } from 'node:timers/promises';

/** Spreads sends evenly over time; told that it was too fast, it slows down and comes back little by little. */
export interface Pace {
  /** Waits for the next turn. */
  turn(): Promise<void>;
  tooFast(): void;
}

/** What each further success gives back of the rate that was lost. */
const recovery = 1.01;

/** A pace of `rate` turns a second. */
export function createPace(rate: number): Pace {
  let current = rate;
  let next = 0;
  return {
    turn: async () => {
      const now = Date.now();
      // A timer fires up to a millisecond or two late: turns that were missed by less than a tenth of a second are caught up.
      next = Math.max(next + 1000 / current, now - 100);
      current = Math.min(rate, current * recovery);
      if (next > now) await sleep(next - now);
    },
    tooFast: () => {
      current = Math.max(0.5, current / 2);
      next = Math.max(next, Date.now() + 500);
    },
  };
}
