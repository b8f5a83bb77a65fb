import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { collectWithin } from '../../../functions/collect/batch.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';

afterEach(() => void vi.useRealTimers());

const never = Number.MAX_SAFE_INTEGER;
const same = <Item>(item: Item): Promise<Item> => Promise.resolve(item);

test('results come in the order of the items, whichever ends first', async () => {
  expect(
    await collectWithin([30, 1, 20, 0], { from: 0, width: 3, deadline: never }, (item) => pause(item, item)),
  ).toEqual({
    results: [30, 1, 20, 0],
    next: null,
    interrupted: [],
  });
});

test('no more than the width are worked on at once, and the width is used', async () => {
  let open = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    open += 1;
    most = Math.max(most, open);
    await pause(1);
    open -= 1;
  };
  await collectWithin(
    Array.from({ length: 20 }, (_, n) => n),
    { from: 0, width: 4, deadline: never },
    work,
  );
  expect(most).toBe(4);
});

test('a batch goes on from the item it is given', async () => {
  expect(await collectWithin(['a', 'b', 'c'], { from: 1, width: 2, deadline: never }, same)).toEqual({
    results: ['b', 'c'],
    next: null,
    interrupted: [],
  });
  expect(await collectWithin(['a'], { from: 1, width: 2, deadline: never }, same)).toEqual({
    results: [],
    next: null,
    interrupted: [],
  });
});

test('once its time is up nothing new is begun, and the result says where to go on', async () => {
  const deadline = performance.now() + 40;
  const begun: number[] = [];
  const { results, next } = await collectWithin([0, 1, 2, 3, 4, 5], { from: 0, width: 2, deadline }, async (item) => {
    begun.push(item);
    await pause(60);
    return item;
  });
  expect({ results, next, begun }).toEqual({ results: [0, 1], next: 2, begun: [0, 1] });
});

test.each([-20_000, 20_000])('its time is the same where the clock is set by %i ms meanwhile', async (stepMs) => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const deadline = performance.now() + 1_000;
  const items = Array.from({ length: 60 }, (_, n) => n);
  const { results } = await collectWithin(items, { from: 0, width: 1, deadline }, async (item) => {
    if (item === 1) vi.setSystemTime(Date.now() + stepMs);
    await pause(50);
    return item;
  });
  expect(results.length).toBeGreaterThan(2);
  expect(results.length).toBeLessThan(30);
});

test('a batch whose time was up before it began still gets one item further', async () => {
  const ended = { width: 3, deadline: 0 };
  expect(await collectWithin([0, 1, 2], { ...ended, from: 0 }, same)).toEqual({
    results: [0],
    next: 1,
    interrupted: [],
  });
  expect(await collectWithin([0, 1, 2], { ...ended, from: 2 }, same)).toEqual({
    results: [2],
    next: null,
    interrupted: [],
  });
});

test('an error of one item is the error of the batch', async () => {
  const work = collectWithin([0, 1, 2], { from: 0, width: 1, deadline: never }, (item) =>
    item === 1 ? Promise.reject(new Error('refused')) : Promise.resolve(item),
  );
  await expect(work).rejects.toThrow('refused');
});

const request: CollectRequest = {
  run: 'weekly_2026-W46',
  collection: 'one',
  report: 'weekly',
  phase: 'recipients',
  batch: 0,
  from: 0,
  concurrency: 4,
  bounds: { start: 2, end: 3, timeZone: 'Europe/London' },
};

test('a request is taken as it is', () => {
  expect(parseCollectRequest({ ...request })).toEqual(request);
});

test('the error names every fault of a request at once', () => {
  const faults = {
    ...request,
    phase: 'all',
    batch: -1,
    concurrency: 0,
    bounds: { ...request.bounds, end: 'x' },
    more: 1,
  };
  let message = '';
  try {
    parseCollectRequest(faults);
  } catch (error) {
    message = error instanceof TypeError ? error.message : '';
  }
  for (const field of ['phase:', 'batch:', 'concurrency:', 'bounds.end:', 'more:']) expect(message).toContain(field);
  expect(() => parseCollectRequest(null)).toThrow(TypeError);
});
