import { setTimeout as sleep } from 'node:timers/promises';

const recovery = 1.01;
/** Turns missed within this time, because something else took it, are caught up on. */
const catchUpMs = 500;
/** How much faster than the rate they are caught up on. All at once, they would wait for each other, now and a second later. */
const catchUpFactor = 1.5;
/** A timer may fire up to a millisecond early. */
const timerMs = 1;
const pauseMs = 500;

/**
 * A limiter of `rate` sends a second, which after a throttle slows down and recovers little by little: spread evenly, and never more within any one second, because SES refuses what is
 * above its rate even after a quiet second. SES does not say when, between request and answer, it counts a message, so a
 * send begins a second after the end of the one that is as many sends back as the rate allows. It uses the monotonic
 * clock, so a change of the date does not matter.
 */
export function createRateLimiter(rate: number) {
  const sendsOfSecond = Math.max(1, Math.floor(rate));
  const secondMs = Math.max(1000, (sendsOfSecond / rate) * 1000) + timerMs;
  /** When the last sends ended, oldest first: a second's worth, less those under way. Each makes room for another. */
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
    due = Math.max(due + 1000 / current, now - catchUpMs, pausedUntil);
    last = Math.max(now, due, last + 1000 / (current * catchUpFactor), (ended.shift() ?? now) + secondMs);
    current = Math.min(rate, current * recovery);
    if (last > now) await sleep(Math.ceil(last - now));
  };

  return {
    schedule: async <Outcome>(send: () => Promise<Outcome>): Promise<Outcome> => {
      turn = turn.then(takeTurn);
      await turn;
      try {
        return await send();
      } finally {
        ended.push(performance.now());
        wake?.();
      }
    },
    tooFast: (): void => {
      const now = performance.now();
      // Sends that were on their way together are throttled together: slow down once.
      if (now >= pausedUntil) current = Math.max(0.5, current / 2);
      pausedUntil = now + pauseMs;
    },
  };
}
