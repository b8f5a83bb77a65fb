import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { collectWithin } from '../../../functions/collect/batch.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';

describe('a batch', () => {
  const never = Number.MAX_SAFE_INTEGER;

  test('has its results in the order of its items, whichever ends first, from the item that it goes on from', async () => {
    const within = { from: 1, width: 3, deadline: never };
    expect(await collectWithin([9, 30, 1, 20, 0], within, (item) => pause(item, item))).toEqual({
      results: [30, 1, 20, 0],
      next: null,
      interrupted: [],
    });
    expect((await collectWithin([9], within, (item) => pause(item, item))).results).toEqual([]);
  });

  test('is worked on with its width, and no wider', async () => {
    let open = 0;
    let most = 0;
    const items = Array.from({ length: 20 }, (_, n) => n);
    await collectWithin(items, { from: 0, width: 4, deadline: never }, async () => {
      most = Math.max(most, (open += 1));
      await pause(1);
      open -= 1;
    });
    expect(most).toBe(4);
  });

  test('begins nothing new once its time is up, wherever the clock is set meanwhile, and says where to go on', async () => {
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
    for (const stepMs of [-20_000, 20_000]) {
      const begun: number[] = [];
      const within = { from: 0, width: 2, deadline: performance.now() + 300 };
      const { results, next } = await collectWithin([0, 1, 2, 3, 4, 5], within, async (item) => {
        begun.push(item);
        vi.setSystemTime(Date.now() + stepMs);
        await pause(400);
        return item;
      });
      expect({ results, next, begun }).toEqual({ results: [0, 1], next: 2, begun: [0, 1] });
    }
    vi.useRealTimers();
  });

  test('whose time was up before it began still gets one item further', async () => {
    const ended = { width: 3, deadline: 0 };
    expect(await collectWithin([0, 1, 2], { ...ended, from: 0 }, (item) => Promise.resolve(item))).toMatchObject({
      results: [0],
      next: 1,
    });
    expect(await collectWithin([0, 1, 2], { ...ended, from: 2 }, (item) => Promise.resolve(item))).toMatchObject({
      results: [2],
      next: null,
    });
  });

  test('ends with the error of one of its items', async () => {
    const work = collectWithin([0, 1], { from: 0, width: 1, deadline: never }, (item) =>
      item === 1 ? Promise.reject(new Error('refused')) : Promise.resolve(item),
    );
    await expect(work).rejects.toThrow('refused');
  });
});

describe('a request', () => {
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

  test('is taken as it is, or refused with every fault at once', () => {
    expect(parseCollectRequest({ ...request })).toEqual(request);
    const bounds = { ...request.bounds, end: 'x' };
    const faulty = { ...request, phase: 'all', batch: -1, concurrency: 0, bounds, more: 1 };
    for (const field of ['phase:', 'batch:', 'concurrency:', 'bounds.end:', 'more:'])
      expect(() => parseCollectRequest(faulty)).toThrow(field);
    expect(() => parseCollectRequest(null)).toThrow(TypeError);
  });
});
