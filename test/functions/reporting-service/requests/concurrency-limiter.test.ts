import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../../functions/reporting-service/requests/concurrency-limiter.ts';
import { pass, standStill } from '../passing-time.ts';

standStill();

const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('calls beyond the limit wait, and go in the order in which they came', async () => {
  const limiter = createConcurrencyLimiter(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  for (const [id, end] of ends.entries()) {
    void limiter.run(async () => {
      begun.push(id);
      await end.promise;
    });
  }
  for (const [ended, expected] of [
    [1, [0, 1, 2]],
    [0, [0, 1, 2, 3]],
  ] as const) {
    await moment();
    expect(begun).toEqual(expected.slice(0, -1));
    ends[ended]?.resolve();
    await moment();
    expect(begun).toEqual(expected);
  }
});

test('a call that fails makes room like one that succeeds', async () => {
  const limiter = createConcurrencyLimiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await limiter.run(() => Promise.resolve('next'))).toBe('next');
});

test('slowing down halves the limit once a pause, never below one; successes give it back, up to the limit', async () => {
  const limiter = createConcurrencyLimiter(8);
  limiter.slowDown(20);
  limiter.slowDown(20);
  const openAtOnce = async (): Promise<number> => {
    let open = 0;
    let most = 0;
    const call = async (): Promise<void> => {
      open += 1;
      most = Math.max(most, open);
      await moment();
      open -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => limiter.run(call)));
    return most;
  };
  expect(await openAtOnce()).toBe(4);
  for (let times = 0; times < 10; times += 1) {
    pass(20);
    limiter.slowDown(1);
  }
  expect(await openAtOnce()).toBe(1);
  for (let success = 0; success < 100; success += 1) limiter.succeeded();
  expect(await openAtOnce()).toBe(8);
});

test('of several pauses the one that ends last counts, and then none is on', () => {
  const limiter = createConcurrencyLimiter(4);
  limiter.slowDown(200);
  limiter.slowDown(10);
  expect(limiter.pausedForMs()).toBe(200);
  pass(200);
  expect(limiter.pausedForMs()).toBe(0);
});
