import { setTimeout as sleep } from 'node:timers/promises';

/** Spreads sends evenly over time; told that it was too fast, it slows down and comes back little by little. */
export interface Pace {
  /** Waits for the next turn. */
  turn(): Promise<void>;
  tooFast(): void;
}

/** What each further success gives back of the rate that was lost. */
const recovery = 1.01;
/** Turns that were missed for no longer than this, because something else took the time, are made up for. */
const madeUpMs = 500;
/** A second as it is counted here is longer than one by what messages may overtake each other on their way. */
const jitterMs = 10;
const pauseMs = 500;

/**
 * A pace of `rate` turns a second: evenly, without drift, and never more of them within any one second, since SES refuses
 * what is above its rate even where a second before had less.
 */
export function createPace(rate: number): Pace {
  const turnsOfSecond = Math.max(1, Math.floor(rate));
  const secondMs = Math.max(1000, (turnsOfSecond / rate) * 1000) + jitterMs;
  /** When each of the last turns was, a second's worth of them, in a ring. */
  const taken: number[] = [];
  let turns = 0;
  let current = rate;
  let last = 0;
  let pausedUntil = 0;
  return {
    turn: async () => {
      const now = Date.now();
      const place = turns % turnsOfSecond;
      turns += 1;
      last = Math.max(last + 1000 / current, now - madeUpMs, (taken[place] ?? 0) + secondMs, pausedUntil);
      current = Math.min(rate, current * recovery);
      taken[place] = Math.max(now, last);
      if (last <= now) return;
      await sleep(last - now);
      // A timer fires late, and the second counts from when it did.
      taken[place] = Date.now();
    },
    tooFast: () => {
      const now = Date.now();
      // Those that were on their way together are refused together: that is one reason, not many, to slow down.
      if (now >= pausedUntil) current = Math.max(0.5, current / 2);
      pausedUntil = now + pauseMs;
    },
  };
}
