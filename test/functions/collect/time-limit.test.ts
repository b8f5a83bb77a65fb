import { expect, test, vi } from 'vitest';
import { parseObserveRequest, type ObserveRequest } from '../../../functions/collect/protocol.ts';
import { workWithin } from '../../../functions/collect/observation/read.ts';
import { OutOfTimeError } from '../../../functions/reporting-service/requests/request.ts';
import { pass, standStill } from '../reporting-service/passing-time.ts';
import { configured } from '../run/configured.ts';

standStill();

/** The items of a batch that were done, in that order, and whether all were. */
async function doWithin(
  items: readonly number[],
  limits: Partial<Parameters<typeof workWithin>[1]>,
  work: (item: number) => Promise<void> = () => Promise.resolve(),
) {
  const finished: number[] = [];
  const { done, isDone } = await workWithin(items, { width: 2, deadline: Infinity, ...limits }, async (item) => {
    await work(item);
    finished.push(item);
  });
  expect(done).toBe(finished.length);
  return { finished, isDone };
}

test('a batch is worked through with its width of items at once and no more', async () => {
  const begun: number[] = [];
  const gate = Promise.withResolvers<void>();
  const working = doWithin([9, 30, 1, 20, 0], { width: 3 }, async (item) => {
    begun.push(item);
    await gate.promise;
  });
  await vi.waitFor(() => expect(begun).toEqual([9, 30, 1]));
  gate.resolve();
  expect(await working).toEqual({ finished: [9, 30, 1, 20, 0], isDone: true });
});

test('a batch begins nothing new once its time is up, and one item where it was up before', async () => {
  const working = doWithin([0, 1, 2, 3, 4, 5], { deadline: 150 }, () => Promise.resolve(pass(100)));
  expect(await working).toEqual({ finished: [0, 1], isDone: false });
  expect(await doWithin([0, 1, 2], { width: 3, deadline: 0 })).toEqual({ finished: [0], isDone: false });
  expect(await doWithin([], {})).toEqual({ finished: [], isDone: true });
});

const longSecond = (item: number) => (item === 1 ? Promise.reject(new OutOfTimeError()) : Promise.resolve());

test('an item that a worker had no time to finish is left to another', async () => {
  expect(await doWithin([0, 1, 2], {}, longSecond)).toEqual({ finished: [0, 2], isDone: false });
});

test('a batch ends with the error of one of its items', async () => {
  await expect(doWithin([0, 1], {}, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('a request is taken as it is, or refused with every fault at once', () => {
  const { service } = configured();
  const observation = { account: 'sample', observation: 'one', atMs: 1, before: null, timeZone: 'Europe/London' };
  const batch = { phase: 'read', batch: 0, isLastTry: false, stepMinutes: 60 } as const;
  const request: ObserveRequest = { ...observation, ...batch, service, statuses: ['delivered'] };
  expect(parseObserveRequest(JSON.parse(JSON.stringify(request)))).toEqual(request);
  const insecure = { ...service, baseUrl: 'http://reporting.example.com' };
  const faulty = { ...request, phase: 'all', batch: -1, atMs: 'x', service: insecure, more: 1 };
  for (const field of ['phase:', 'batch:', 'atMs:', 'service.baseUrl:', 'more:'])
    expect(() => parseObserveRequest(faulty)).toThrow(field);
  expect(() => parseObserveRequest(null)).toThrow(TypeError);
});
