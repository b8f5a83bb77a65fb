import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../../functions/reporting-service/requests/concurrency-limiter.ts';
import { pass, standStill } from '../passing-time.ts';

standStill();

const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('calls beyond the limit wait, and go in the order in which they came, also after one that fails', async () => {
  const limiter = createConcurrencyLimiter(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const calls = ends.map(({ promise }, id) =>
    limiter.run(async () => {
      begun.push(id);
      await promise;
    }),
  );
  await moment();
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('lost'));
  await expect(calls[1]).rejects.toThrow('lost');
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve();
  await moment();
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('slowing down halves the limit, not for calls from before, and never below one; successes give it back', async () => {
  const limiter = createConcurrencyLimiter(8);
  const openAtOnce = async (): Promise<number> => {
    let open = 0;
    const call = async (): Promise<number> => {
      const now = (open += 1);
      await moment();
      open -= 1;
      return now;
    };
    return Math.max(...(await Promise.all(Array.from({ length: 20 }, () => limiter.run(call)))));
  };
  pass(20);
  limiter.slowDown(20, 0);
  limiter.slowDown(20, 10);
  expect(await openAtOnce()).toBe(4);
  for (let times = 0; times < 10; times += 1) limiter.slowDown(1, performance.now());
  expect(await openAtOnce()).toBe(1);
  for (let success = 0; success < 100; success += 1) limiter.succeeded();
  expect(await openAtOnce()).toBe(8);
});

test('of several pauses the one that ends last counts, and then none is on', () => {
  const limiter = createConcurrencyLimiter(4);
  limiter.slowDown(200, 0);
  limiter.slowDown(10, 0);
  expect(limiter.pausedForMs()).toBe(200);
  pass(200);
  expect(limiter.pausedForMs()).toBe(0);
});
