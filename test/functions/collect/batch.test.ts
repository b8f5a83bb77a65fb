import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { collectBroadcast, collectRecipients, collectWithin } from '../../../functions/collect/batch.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';
import { json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { connect, grantTokens } from '../reporting-service/connect.ts';

const week = { start: Date.UTC(2026, 10, 9), end: Date.UTC(2026, 10, 16), timeZone: 'Europe/London' };

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

describe('what is found of', () => {
  const delivery = { id: 'd-1', broadcast: { id: '71', name: 'Friday Five' }, status: 'delivered' };
  const path = '/v1/broadcasts/deliveries/d-1/recipients';
  let stub: HttpStub;

  beforeEach(async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    stub = await startHttpStub();
    grantTokens(stub);
  });
  afterEach(() => stub.close());

  const recipients = (of = delivery, createdAt: number | null = null) => {
    const { service, tally } = connect(stub);
    return collectRecipients({ delivery: of, createdAt }, { service, tally, bounds: week });
  };
  const broadcast = (id = '71') => collectBroadcast(id, { service: connect(stub).service, bounds: week });

  test("a delivery is counted over all pages, within the period and from its broadcast's creation on", async () => {
    stub.answer(path, json([{ seenAt: '2026-11-10T08:00:00Z', respondedAt: null }], { link: '<?page=2>; rel="next"' }));
    stub.answer(`${path}?page=2`, json([{ seenAt: '2026-11-03T08:00:00Z', respondedAt: null }]));
    const rows = { listed: 2, seen: 2, inPeriod: { seen: 1, responded: 0, answered: 0 } };
    expect(await recipients()).toMatchObject({ delivery, engagement: { ...rows, undated: 0, before: { seen: 1 } } });
    expect(await recipients(delivery, Date.UTC(2026, 10, 9, 8))).toMatchObject({
      engagement: { ...rows, undated: 1, before: { seen: 0 } },
    });
  });

  test('a delivery whose list is unavailable, or is in part, says why and has no counts', async () => {
    stub.answer(path, json([{ seenAt: null, respondedAt: null }], { link: '<?page=2>; rel="next"' }));
    stub.answer(`${path}?page=2`, status(500));
    expect(await recipients()).toEqual({ delivery, unavailable: { reason: 'failed', status: 500 } });
    stub.answer(path, json({ data: [{ seenAt: null, respondedAt: null }], hasMore: true }));
    expect(await recipients()).toEqual({ delivery, unavailable: { reason: 'cut-off' } });
    const of = { ...delivery, id: '..' };
    expect(await recipients(of)).toEqual({ delivery: of, unavailable: { reason: 'refused' } });
  });

  test.each([
    { how: 'under other names', rows: [{ seen_at: '2026-11-10T08:00:00Z', responded_at: null }] },
    { how: 'in an object of its own', rows: [{ state: { seenAt: '2026-11-10T08:00:00Z' } }, { state: {} }] },
    { how: 'not at all, in bare ids', rows: ['4711', 4712] },
  ])('recipients who have their dates $how is unreadable, and not an empty list', async ({ rows }) => {
    stub.answer(path, json(rows));
    expect(await recipients()).toEqual({ delivery, unavailable: { reason: 'unreadable' } });
  });

  test('recipients of whom one has a date is read', async () => {
    stub.answer(path, json([{ id: '4711' }, { recipient: { seenAt: null } }]));
    const engagement = { listed: 2, seen: 0, lackingFields: 2, lackingBoth: 1 };
    expect(await recipients()).toMatchObject({ engagement });
  });

  test.each([
    { at: '2026-11-09T09:30:00+00:00', createdAt: Date.UTC(2026, 10, 9, 9, 30) },
    { at: '2026-07-09', createdAt: Date.UTC(2026, 6, 8, 23) },
    { at: 'recently', createdAt: null },
    { at: '0001-01-01T00:00:00Z', createdAt: null },
    { at: undefined, createdAt: null },
  ])('a broadcast created at $at has its creation, who created it and its content items', async ({ at, createdAt }) => {
    const contents = [{ id: '1', type: 'text' }];
    const header = { id: '71', name: 'Friday Five', created: { by: { firstName: 'Priya', lastName: 'Shah' }, at } };
    stub.answer('/v1/broadcasts/71', json({ broadcast: header, contents }));
    const found = { name: 'Friday Five', createdAt, createdBy: 'Priya Shah', contents };
    expect(await broadcast()).toEqual({ id: '71', broadcast: found });
  });

  test('a broadcast that is unavailable says why', async () => {
    stub.answer('/v1/broadcasts/71', status(410));
    expect(await broadcast()).toEqual({ id: '71', unavailable: { reason: 'gone', status: 410 } });
    expect(await broadcast('.')).toEqual({ id: '.', unavailable: { reason: 'refused' } });
  });
});
