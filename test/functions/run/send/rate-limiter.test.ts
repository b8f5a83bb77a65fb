import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimiter } from '../../../../functions/run/send/rate-limiter.ts';

// The clock moves only by what is waited for.
vi.mock(import('node:timers/promises'), async (original) => ({
  ...(await original()),
  setTimeout: <T>(ms?: number, value?: T) =>
    new Promise<T>((resolve) => void globalThis.setTimeout(() => resolve(value as T), ms)),
}));

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-16T08:00:00Z'), toFake: ['Date', 'performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets the clock go on until the work is done. */
async function finish<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) await vi.advanceTimersToNextTimerAsync();
  return await done;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The milliseconds that this many sends wait. */
async function timeOf(limiter: ReturnType<typeof createRateLimiter>, sends: number): Promise<number> {
  const begun = performance.now();
  const all = Array.from({ length: sends }, () => limiter.schedule(() => Promise.resolve()));
  await finish(Promise.all(all));
  return performance.now() - begun;
}

test.each([1, 14, 200])('%i sends a second are spread over one that is a little longer', async (rate) => {
  const limiter = createRateLimiter(rate);
  await timeOf(limiter, rate + 1);
  expect((await timeOf(limiter, rate * 10)) / 10).toBeCloseTo(1_001, 0);
});

test('a throttle makes it wait half a second, halves the rate, and it recovers little by little', async () => {
  const limiter = createRateLimiter(100);
  await timeOf(limiter, 20);
  // Sends that were on their way together are throttled together, which counts once.
  for (let times = 0; times < 20; times += 1) limiter.tooFast();
  expect(await timeOf(limiter, 1)).toBeGreaterThanOrEqual(500);
  const tens = [];
  for (let ten = 0; ten < 8; ten += 1) tens.push(await timeOf(limiter, 10));
  expect(tens[0]).toBeGreaterThan(180);
  expect(tens[0]).toBeLessThanOrEqual(200);
  expect(tens).toEqual(tens.toSorted((a, b) => b - a));
  expect(await timeOf(limiter, 100)).toBeLessThanOrEqual(1_030);
});

test('an SES that counts a second at its end of the way never sees more than the rate in one', async () => {
  const way = fc.integer({ min: 10, max: 120 });
  const trips = fc.array(fc.record({ there: way, back: way }), { minLength: 150, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(trips, fc.constantFrom(1, 5, 30), async (ways, rate) => {
      const limiter = createRateLimiter(rate);
      const counted: number[] = [];
      const send = async ({ there, back }: (typeof ways)[number]): Promise<void> => {
        await wait(there);
        counted.push(performance.now());
        await wait(back);
      };
      await finish(Promise.all(ways.slice(0, rate * 5).map((way) => limiter.schedule(() => send(way)))));
      const spans = counted.toSorted((a, b) => a - b).map((at, index, all) => (all[index + rate] ?? Infinity) - at);
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(1_000);
    }),
    { numRuns: 30 },
  );
});
