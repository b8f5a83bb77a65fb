import { expect, test, vi } from 'vitest';
import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
} from '../../../../functions/reporting-service/requests/concurrency-limiter.ts';

/** Calls that are under way until they are released. */
function hold(limiter: ConcurrencyLimiter) {
  const releases = new Map<number, () => void>();
  return {
    open: () => [...releases.keys()],
    call: (id: number) => limiter.run(() => new Promise<void>((resolve) => void releases.set(id, resolve))),
    release: (id: number) => {
      releases.get(id)?.();
      releases.delete(id);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test('calls beyond the limit wait, and go in the order in which they came', async () => {
  const held = hold(createConcurrencyLimiter(2));
  const calls = [1, 2, 3, 4].map((id) => held.call(id));
  await settled();
  expect(held.open()).toEqual([1, 2]);
  held.release(2);
  await settled();
  expect(held.open()).toEqual([1, 3]);
  held.release(1);
  held.release(3);
  await settled();
  held.release(4);
  await Promise.all(calls);
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
    const held = hold(limiter);
    const calls = Array.from({ length: 20 }, (_, id) => held.call(id));
    await new Promise((resolve) => setTimeout(resolve, 60));
    const open = held.open().length;
    for (let id = 0; id < 20; id += 1) {
      held.release(id);
      await settled();
    }
    await Promise.all(calls);
    return open;
  };
  expect(await openAtOnce()).toBe(4);
  for (let times = 0; times < 10; times += 1) {
    limiter.slowDown(1);
    await settled();
  }
  expect(await openAtOnce()).toBe(1);
  for (let success = 0; success < 100; success += 1) limiter.succeeded();
  expect(await openAtOnce()).toBe(8);
});

test('of several pauses the one that ends last counts, and then none is on', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const limiter = createConcurrencyLimiter(4);
  limiter.slowDown(200);
  limiter.slowDown(10);
  expect(limiter.pausedForMs()).toBe(200);
  now.mockReturnValue(1_200);
  expect(limiter.pausedForMs()).toBe(0);
  now.mockRestore();
});
