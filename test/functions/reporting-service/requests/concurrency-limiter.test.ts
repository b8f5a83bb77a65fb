import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../../functions/reporting-service/requests/http.ts';
import { pass, standStill } from '../passing-time.ts';

standStill();

const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

test('a shorter pause cuts no longer one', () => {
  const limiter = createConcurrencyLimiter(8);
  limiter.slowDown(60_000, 0);
  limiter.slowDown(20, 0);
  expect(limiter.pausedForMs()).toBeGreaterThan(30_000);
});
