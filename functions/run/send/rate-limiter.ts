import { setTimeout as sleep } from 'node:timers/promises';

/** Spreads sends evenly over time; told that it was too fast, it slows down and comes back little by little. */
export interface RateLimiter {
  /** Waits for its turn, and sends. */
  schedule<Outcome>(send: () => Promise<Outcome>): Promise<Outcome>;
  tooFast(): void;
}

/** What each further turn gives back of the rate that was lost. */
const recovery = 1.01;
/** Turns that were missed for no longer than this, because something else took the time, are made up for. */
const madeUpMs = 500;
/** How much faster than the rate they are made up for: all at once, they would wait for each other, now and a second later. */
const catchingUp = 1.5;
/** A timer may fire up to a millisecond before its time. */
const timerMs = 1;
const pauseMs = 500;

/**
 * A limiter of `rate` sends a second: evenly, and never more of them within any one second, since SES refuses what is above
 * its rate even where a second before had less. When it counts a message, between the asking and the answer, it does not
 * say: a send begins a second after another one has ended, of which there are as many as the rate allows. Time is that of
 * the monotonic clock, whatever becomes of the date.
 */
export function createRateLimiter(rate: number): RateLimiter {
  const sendsOfSecond = Math.max(1, Math.floor(rate));
  const secondMs = Math.max(1000, (sendsOfSecond / rate) * 1000) + timerMs;
  /** When those ended that others may follow, in order: a second's worth of sends, less what is under way. */
  const ended: number[] = Array.from({ length: sendsOfSecond }, () => -Infinity);
  let current = rate;
  let due = performance.now();
  let last = 0;
  let pausedUntil = 0;
  let turn = Promise.resolve();
  let wake: (() => void) | null = null;

  const takeTurn = async (): Promise<void> => {
    if (ended.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const now = performance.now();
    due = Math.max(due + 1000 / current, now - madeUpMs, pausedUntil);
    last = Math.max(now, due, last + 1000 / (current * catchingUp), (ended.shift() ?? now) + secondMs);
    current = Math.min(rate, current * recovery);
    if (last > now) await sleep(Math.ceil(last - now));
  };

  return {
    schedule: async (send) => {
      // One after the other: who waits first is first.
      turn = turn.then(takeTurn);
      await turn;
      try {
        return await send();
      } finally {
        ended.push(performance.now());
        wake?.();
      }
    },
    tooFast: () => {
      const now = performance.now();
      // Those that were on their way together are refused together: that is one reason, not many, to slow down.
      if (now >= pausedUntil) current = Math.max(0.5, current / 2);
      pausedUntil = now + pauseMs;
    },
  };
}
