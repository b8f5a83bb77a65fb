import { expect, test } from 'vitest';
import { workWithin } from '../../../functions/collect/batch.ts';
import { OutOfTimeError } from '../../../functions/reporting-service/requests/request.ts';
import { pass, setClock, standStill } from '../reporting-service/passing-time.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';
import { configured } from '../run/configured.ts';

const never = Number.MAX_SAFE_INTEGER;

standStill();

/** What a batch is worked through to: the results of its items as they ended, and what is left. */
async function collectWithin(
  items: readonly number[],
  within: Parameters<typeof workWithin>[1],
  work: (item: number, wasInterrupted: boolean) => Promise<number | undefined>,
) {
  const results: Array<number | undefined> = [];
  const { asked, left } = await workWithin(items, within, async (item, wasInterrupted) => {
    results.push(await work(item, wasInterrupted));
  });
  expect(asked).toBe(results.length);
  return { results, left };
}

test('a batch is worked through from the item that it goes on from, with its width of items at once and no more', async () => {
  const begun: number[] = [];
  let open = 0;
  let most = 0;
  let openGate: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const collected = await collectWithin([9, 30, 1, 20, 0], { from: 1, width: 3, deadline: never }, async (item) => {
    begun.push(item);
    most = Math.max(most, (open += 1));
    if (open === 3) openGate?.();
    await gate;
    open -= 1;
    return item;
  });
  expect({ begun, most, left: collected.left }).toEqual({ begun: [30, 1, 20, 0], most: 3, left: null });
});

test('there may be nothing to go on with', async () => {
  const within = { from: 1, width: 3, deadline: never };
  expect((await collectWithin([9], within, (item) => Promise.resolve(item))).results).toEqual([]);
});

test.each([-20, 20])(
  'a batch begins nothing new once its time is up, also where the clock is set by %i s meanwhile, and says where to go on',
  async (seconds) => {
    const within = { from: 0, width: 2, deadline: performance.now() + 150 };
    const collected = await collectWithin([0, 1, 2, 3, 4, 5], within, (item) => {
      setClock(seconds);
      pass(100);
      return Promise.resolve(item);
    });
    expect(collected).toEqual({ results: [0, 1], left: { from: 2, interrupted: [] } });
  },
);

test.each([
  { from: 0, results: [0], left: { from: 1, interrupted: [] } },
  { from: 2, results: [2], left: null },
])(
  'a batch whose time was up before it began still gets one item further: from $from, and leaves $left',
  async (each) => {
    const { from, ...expected } = each;
    const within = { from, width: 3, deadline: 0 };
    expect(await collectWithin([0, 1, 2], within, (item) => Promise.resolve(item))).toMatchObject(expected);
  },
);

/** The second item takes more time than a worker has, unless it is tried again. */
const longSecond = (item: number, wasInterrupted: boolean) =>
  item === 1 && !wasInterrupted ? Promise.reject(new OutOfTimeError()) : Promise.resolve(item);

test('an item that a worker had no time to finish is left to another, which knows it', async () => {
  const within = { width: 2, deadline: never };
  const left = { from: 3, interrupted: [1] };
  expect(await collectWithin([0, 1, 2], { ...within, from: 0 }, longSecond)).toEqual({ results: [0, 2], left });
  expect(await collectWithin([0, 1, 2], { ...within, ...left }, longSecond)).toEqual({ results: [1], left: null });
});

test('a batch ends with the error of one of its items', async () => {
  const work = collectWithin([0, 1], { from: 0, width: 1, deadline: never }, (item) =>
    item === 1 ? Promise.reject(new Error('refused')) : Promise.resolve(item),
  );
  await expect(work).rejects.toThrow('refused');
});

test('a request is taken as it is, or refused with every fault at once', () => {
  const bounds = { precedingStart: 1, start: 2, end: 3, timeZone: 'Europe/London' };
  const { service } = configured();
  const of = { run: 'weekly_2026-W46', collection: 'one', phase: 'recipients', batch: 0, from: 0, bounds } as const;
  const request: CollectRequest = { ...of, service, statuses: ['delivered'] };
  expect(parseCollectRequest(JSON.parse(JSON.stringify(request)))).toEqual(request);
  const insecure = { ...service, baseUrl: 'http://reporting.example.com' };
  const faulty = { ...request, phase: 'all', batch: -1, bounds: { ...bounds, end: 'x' }, service: insecure, more: 1 };
  for (const field of ['phase:', 'batch:', 'bounds.end:', 'service.baseUrl:', 'more:'])
    expect(() => parseCollectRequest(faulty)).toThrow(field);
  expect(() => parseCollectRequest(null)).toThrow(TypeError);
});
