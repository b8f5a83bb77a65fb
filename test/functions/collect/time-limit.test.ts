import { expect, test, vi } from 'vitest';
import { workWithin } from '../../../functions/collect/batch.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';
import { OutOfTimeError } from '../../../functions/reporting-service/requests/request.ts';
import { pass, standStill } from '../reporting-service/passing-time.ts';
import { configured } from '../run/configured.ts';

const usual = { from: 0, interrupted: [], width: 2, deadline: Infinity };

standStill();

/** The items of a batch that were finished, in that order, and what is left. */
async function collectWithin(
  items: readonly number[],
  limits: Partial<Parameters<typeof workWithin>[1]>,
  work: Parameters<typeof workWithin<number>>[2] = () => Promise.resolve(),
) {
  const finished: number[] = [];
  const { asked, left } = await workWithin(items, { ...usual, ...limits }, async (item, wasInterrupted) => {
    await work(item, wasInterrupted);
    finished.push(item);
  });
  expect(asked).toBe(finished.length);
  return { finished, left };
}

test('a batch is worked through from the item that it goes on from, with its width of items at once and no more', async () => {
  const begun: number[] = [];
  const gate = Promise.withResolvers<void>();
  const collected = collectWithin([9, 30, 1, 20, 0], { from: 1, width: 3 }, async (item) => {
    begun.push(item);
    await gate.promise;
  });
  await vi.waitFor(() => expect(begun).toEqual([30, 1, 20]));
  gate.resolve();
  expect(await collected).toEqual({ finished: [30, 1, 20, 0], left: null });
});

test('a batch begins nothing new once its time is up, and says where to go on', async () => {
  const collected = collectWithin([0, 1, 2, 3, 4, 5], { deadline: 150 }, () => Promise.resolve(pass(100)));
  expect(await collected).toEqual({ finished: [0, 1], left: { from: 2, interrupted: [] } });
});

test.each([
  { from: 0, finished: [0], left: { from: 1, interrupted: [] } },
  { from: 2, finished: [2], left: null },
  { from: 3, finished: [], left: null },
])('a batch whose time was up before it began gets one item further: from $from', async ({ from, ...expected }) => {
  expect(await collectWithin([0, 1, 2], { from, width: 3, deadline: 0 })).toEqual(expected);
});

/** The second item takes more time than a worker has, unless it is tried again. */
const longSecond = (item: number, wasInterrupted: boolean) =>
  item === 1 && !wasInterrupted ? Promise.reject(new OutOfTimeError()) : Promise.resolve();

test('an item that a worker had no time to finish is left to another, which knows it', async () => {
  const left = { from: 3, interrupted: [1] };
  expect(await collectWithin([0, 1, 2], {}, longSecond)).toEqual({ finished: [0, 2], left });
  expect(await collectWithin([0, 1, 2], left, longSecond)).toEqual({ finished: [1], left: null });
});

test('a batch ends with the error of one of its items', async () => {
  await expect(collectWithin([0, 1], {}, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('a request is taken as it is, or refused with every fault at once', () => {
  const bounds = { precedingStart: 1, start: 2, end: 3, timeZone: 'Europe/London' };
  const { service } = configured();
  const batch = { run: 'weekly_2026-W46', collection: 'one', phase: 'recipients', batch: 0, from: 0 } as const;
  const request: CollectRequest = { ...batch, bounds, service, statuses: ['delivered'] };
  expect(parseCollectRequest(JSON.parse(JSON.stringify(request)))).toEqual(request);
  const insecure = { ...service, baseUrl: 'http://reporting.example.com' };
  const faulty = { ...request, phase: 'all', batch: -1, bounds: { ...bounds, end: 'x' }, service: insecure, more: 1 };
  for (const field of ['phase:', 'batch:', 'bounds.end:', 'service.baseUrl:', 'more:'])
    expect(() => parseCollectRequest(faulty)).toThrow(field);
  expect(() => parseCollectRequest(null)).toThrow(TypeError);
});
