import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from '../../../functions/run/pace.ts';

// Waiting moves the clock on, and takes no time.
vi.mock(import('node:timers/promises'), async (original) => {
  const real = await original();
  const setTimeout: typeof real.setTimeout = (ms = 0, ...rest) => {
    vi.setSystemTime(Date.now() + ms);
    return real.setTimeout(0, ...rest);
  };
  return { ...real, setTimeout };
});

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-16T08:00:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds that so many turns take. */
async function timeOf(pace: ReturnType<typeof createPace>, turns: number): Promise<number> {
  const begun = Date.now();
  for (let turn = 0; turn < turns; turn += 1) await pace.turn();
  return Date.now() - begun;
}

test.each([1, 14, 200])(
  '%i turns a second are spread over the second, which is a hundredth longer than one',
  async (rate) => {
    const pace = createPace(rate);
    await timeOf(pace, rate + 1);
    expect(await timeOf(pace, rate * 10)).toBeCloseTo(10_100, -1);
  },
);

test('turns that nobody took are not made up for, save those of the last half second', async () => {
  const pace = createPace(100);
  await timeOf(pace, 20);
  vi.setSystemTime(Date.now() + 60_000);
  expect([await timeOf(pace, 50), await timeOf(pace, 40)]).toEqual([0, 390]);
});

test('what is made up for never makes a second that has more turns than the rate', async () => {
  const pace = createPace(100);
  const instants: number[] = [];
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (turn % 130 === 0) vi.setSystemTime(Date.now() + 300);
    await pace.turn();
    instants.push(Date.now());
  }
  const shortest = instants.slice(100).map((instant, index) => instant - (instants[index] ?? 0));
  expect(Math.min(...shortest)).toBeGreaterThan(1_000);
});

test('told that it was too fast it waits half a second, takes half the rate, and comes back little by little', async () => {
  const pace = createPace(100);
  await timeOf(pace, 20);
  pace.tooFast();
  expect(await timeOf(pace, 1)).toBeGreaterThanOrEqual(500);
  const tens = [];
  for (let ten = 0; ten < 8; ten += 1) tens.push(await timeOf(pace, 10));
  expect(tens[0]).toBeGreaterThan(180);
  expect(tens).toEqual(tens.toSorted((a, b) => b - a));
  expect(await timeOf(pace, 100)).toBeLessThanOrEqual(1_030);
});

test('told several times at once it slows down once', async () => {
  const pace = createPace(100);
  await timeOf(pace, 20);
  for (let times = 0; times < 20; times += 1) pace.tooFast();
  await pace.turn();
  expect(await timeOf(pace, 10)).toBeLessThanOrEqual(200);
});

test('however often it is told, a turn comes every two seconds at least', async () => {
  const pace = createPace(10);
  for (let times = 0; times < 50; times += 1) {
    pace.tooFast();
    await pace.turn();
  }
  expect(await timeOf(pace, 1)).toBeLessThanOrEqual(2_000);
});
