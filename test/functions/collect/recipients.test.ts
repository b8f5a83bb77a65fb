import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectBroadcast, collectRecipients } from '../../../functions/collect/batch.ts';
import type { PeriodBounds } from '../../../functions/domain/period.ts';
import { json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { connect, grantTokens } from '../reporting-service/connect.ts';

const bounds: PeriodBounds = {
  start: Date.parse('2026-11-09T00:00:00Z'),
  end: Date.parse('2026-11-16T00:00:00Z'),
  timeZone: 'Europe/London',
};
const delivery = { id: 'd-1', broadcast: { id: '71', name: 'Friday Five' }, status: 'delivered' };
const recipients = '/v1/broadcasts/deliveries/d-1/recipients';
let stub: HttpStub;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

const recipientsFound = (of = delivery, createdAt: number | null = null) => {
  const { service, tally } = connect(stub);
  return collectRecipients({ delivery: of, createdAt }, { service, tally, bounds });
};
const broadcastFound = (id = '71') => collectBroadcast(id, { service: connect(stub).service, bounds });

test("a delivery's recipients are counted over all pages, within the period and from its broadcast's creation on", async () => {
  stub.answer(
    recipients,
    json([{ seenAt: '2026-11-10T08:00:00Z', respondedAt: null }], { link: '<?page=2>; rel="next"' }),
  );
  stub.answer(`${recipients}?page=2`, json([{ seenAt: '2026-11-03T08:00:00Z', respondedAt: null }]));
  const rows = { listed: 2, seen: 2, inPeriod: { seen: 1, responded: 0, answered: 0 } };
  expect(await recipientsFound()).toMatchObject({ delivery, engagement: { ...rows, undated: 0, before: { seen: 1 } } });
  expect(await recipientsFound(delivery, Date.parse('2026-11-09T08:00:00Z'))).toMatchObject({
    delivery,
    engagement: { ...rows, undated: 1, before: { seen: 0 } },
  });
});

test.each([
  { code: 403, reason: 'forbidden' },
  { code: 404, reason: 'not-found' },
  { code: 410, reason: 'gone' },
  { code: 503, reason: 'failed' },
])('a delivery that answers $code is $reason', async ({ code, reason }) => {
  stub.answer(recipients, status(code));
  expect(await recipientsFound()).toEqual({ delivery, unavailable: { reason, status: code } });
});

test('a delivery whose second page is unavailable has no counts at all', async () => {
  stub.answer(recipients, json([{ seenAt: null, respondedAt: null }], { link: '<?page=2>; rel="next"' }));
  stub.answer(`${recipients}?page=2`, status(500));
  expect(await recipientsFound()).toEqual({ delivery, unavailable: { reason: 'failed', status: 500 } });
});

test('a delivery whose list may be cut off has no counts', async () => {
  stub.answer(recipients, json({ data: [{ seenAt: null, respondedAt: null }], hasMore: true }));
  expect(await recipientsFound()).toEqual({ delivery, unavailable: { reason: 'cut-off' } });
});

test('a delivery whose id no URL can hold is refused', async () => {
  const of = { ...delivery, id: '..' };
  expect(await recipientsFound(of)).toEqual({ delivery: of, unavailable: { reason: 'refused' } });
});

test.each([
  { at: '2026-11-09T09:30:00+00:00', createdAt: '2026-11-09T09:30:00.000Z' },
  { at: '2026-07-09', createdAt: '2026-07-08T23:00:00.000Z' },
  { at: 'recently', createdAt: null },
  { at: '0001-01-01T00:00:00Z', createdAt: null },
  { at: '1970-01-01T00:00:00+00:00', createdAt: null },
  { at: undefined, createdAt: null },
])("a broadcast's creation at $at is $createdAt", async ({ at, createdAt }) => {
  const header = { id: '71', name: 'Friday Five', created: { by: { firstName: 'Priya', lastName: 'Shah' }, at } };
  stub.answer('/v1/broadcasts/71', json({ broadcast: header, contents: [{ id: '1', type: 'text' }] }));
  expect(await broadcastFound()).toEqual({
    id: '71',
    broadcast: {
      name: 'Friday Five',
      createdAt: createdAt === null ? null : Date.parse(createdAt),
      createdBy: 'Priya Shah',
      contents: [{ id: '1', type: 'text' }],
    },
  });
});

test('the result for an unavailable broadcast says why', async () => {
  stub.answer('/v1/broadcasts/71', status(410));
  expect(await broadcastFound()).toEqual({ id: '71', unavailable: { reason: 'gone', status: 410 } });
  expect(await broadcastFound('.')).toEqual({ id: '.', unavailable: { reason: 'refused' } });
});

test.each([
  { how: 'under other names', rows: [{ seen_at: '2026-11-10T08:00:00Z', responded_at: null }] },
  { how: 'in an object of its own', rows: [{ state: { seenAt: '2026-11-10T08:00:00Z' } }, { state: {} }] },
  { how: 'not at all, in bare ids', rows: ['4711', 4712] },
])('recipients who have their dates $how are unreadable, and not an empty list', async ({ rows }) => {
  stub.answer(recipients, json(rows));
  expect(await recipientsFound()).toEqual({ delivery, unavailable: { reason: 'unreadable' } });
});

test('recipients of whom one has a date are read', async () => {
  stub.answer(recipients, json([{ id: '4711' }, { recipient: { seenAt: null } }]));
  expect(await recipientsFound()).toMatchObject({
    engagement: { listed: 2, seen: 0, lackingFields: 2, lackingBoth: 1 },
  });
});
