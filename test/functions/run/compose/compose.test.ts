import { expect, test } from 'vitest';
import { defaultInformingTypes } from '../../../../functions/domain/broadcasts.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { countedBy } from '../../../../functions/run/earlier-figures.ts';
import { configured, reportOf } from '../configured.ts';
import {
  at,
  broadcast,
  collected,
  compose,
  engagement,
  figuresOf,
  history,
  listedDelivery,
  recipients,
  seenInPeriod,
  week,
  type Composing,
} from './collected-samples.ts';

const past = recipients('past', { engagement: engagement({ seen: 3, firstSign: at('2026-10-01T08:00:00Z') }) });

const unread = recipients('unread', { unavailable: { reason: 'failed', status: 500 } });

const weekBefore = periodBefore('week', 'Europe/London', week.start);

const emptyOf = (answers: Parameters<typeof collected>[0]) =>
  compose(collected(answers), { report: { whenEmpty: 'skip' } }).withheld === 'empty';

test('a digest is empty where there is nothing of the period, and nothing to say of it', () => {
  expect(emptyOf({})).toBe(true);
  expect(emptyOf({ recipients: [past] })).toBe(true);
  expect(emptyOf({ unavailable: { reason: 'cut-off' } })).toBe(false);
  expect(emptyOf({ recipients: [unread] })).toBe(false);
  // Nothing has a wanted status.
  expect(emptyOf({ others: [listedDelivery('o', 'sent')] })).toBe(false);
});

const noticedBy = (id: string, seen: number, responded: number) => {
  const inPeriod = { seen, responded, answered: 0 };
  return recipients(id, { engagement: engagement({ seen: 9, firstSign: at('2026-11-10T08:00:00Z'), inPeriod }) });
};

test('deliveries of one kind come by their views in the period, then their responses, then their ids, however they were answered', () => {
  const answers = [noticedBy('c', 1, 0), noticedBy('b', 1, 0), noticedBy('a', 0, 9), noticedBy('d', 1, 5)];
  const items = ['1', '2'].map((id) => ({ id, type: 'poll' }));
  const failed = { unavailable: { reason: 'failed' as const } };
  const recipients = [unread, ...answers, noticedBy('e', 7, 0)];
  const broadcasts = [{ id: 'b-c', ...failed }, { id: 'b-b', ...failed }, broadcast('e', null, items)];
  const contents = items.map(({ id }) => Object.assign({ delivery: 'e', content: id }, failed));
  const composed = compose(collected({ recipients, broadcasts, contents }));
  const { deliveries, missing } = composed.digest;
  expect(deliveries.map(({ id }) => id)).toEqual(['e', 'd', 'b', 'c', 'a', 'unread']);
  expect(missing.map(({ what }) => what)).toEqual(['broadcast', 'broadcast', 'content', 'content', 'delivery']);
  const [turned, backwards, last] = [recipients.toReversed(), broadcasts.toReversed(), contents.toReversed()];
  const again = compose(collected({ recipients: turned, broadcasts: backwards, contents: last }));
  expect(JSON.stringify(again.digest)).toBe(JSON.stringify(composed.digest));
  expect(again).toEqual(composed);
});

test('instants are given in the zone of the report, on both sides of a clock change', () => {
  const period = periodBefore('week', 'Europe/London', '2026-11-02T08:00:00Z');
  const list = recipients('a', { engagement: seenInPeriod(1, '2026-10-26T08:00:00Z') });
  const broadcasts = [broadcast('a', '2026-10-25T00:30:00Z')];
  const { digest } = compose(collected({ recipients: [list], broadcasts }), { period });
  expect(digest.deliveries[0]).toMatchObject({
    firstSign: '2026-10-26T08:00:00+00:00',
    broadcast: { createdAt: '2026-10-25T01:30:00+01:00' },
  });
});

test('what is gone for good is named in the first digest that meets it, and from then on only in the coverage', () => {
  const lists = [recipients('x', { unavailable: { reason: 'gone', status: 410 } })];
  const first = compose(collected({ recipients: lists }));
  const later = compose(collected({ recipients: lists, history: first.history }), { report: { whenEmpty: 'skip' } });
  const { missing, deliveries, totals } = later.digest;
  expect({ missing, deliveries, unavailable: totals.unavailable, withheld: later.withheld }).toEqual({
    missing: [],
    deliveries: [],
    withheld: 'empty',
  });
  expect(later.unavailable).toEqual(first.digest.missing);
});

test('a delivery is remembered for two years after it was last listed', () => {
  const [kept, old] = ['2024-11-10', '2024-11-03'].map((day) => ({ listedIn: at(`${day}T00:00:00Z`) }));
  const { deliveries } = compose(collected({ history: history({ kept: { ...kept }, old: { ...old } }) })).history;
  expect([...deliveries.keys()]).toEqual(['kept']);
});

test('of more deliveries than a run remembers, those are forgotten that have not been listed for longest', () => {
  const listedIn = at(weekBefore.start);
  const many = Array.from({ length: 100_001 }, (_, index) => [`d${index}`, { listedIn: listedIn - index }] as const);
  const { deliveries } = compose(collected({ history: history(Object.fromEntries(many)) })).history;
  expect([deliveries.size, deliveries.has('d100000')]).toEqual([100_000, false]);
});

/** What the report's digest of the week of 2 November left. */
const kept = {
  ...figuresOf(compose(collected(), { period: weekBefore })),
  totals: {
    deliveries: 3,
    broadcasts: 3,
    seen: 40,
    responded: 10,
    asked: { seen: 40, responded: 10, answered: 10 },
    responseRate: 0.25,
    series: null,
  },
};

test('a digest with a gap is held where its report says so, and always where nobody knows which broadcasts it is about', () => {
  const hold = { report: { whenIncomplete: 'hold' } } as const;
  const incomplete = collected({ recipients: [unread] });
  const unsaid = collected({ unsaid: ['createdBy'] });
  const digests = [compose(incomplete, hold), compose(incomplete), compose(collected(), hold), compose(unsaid)];
  expect(digests.map(({ withheld }) => withheld)).toEqual(['held', null, null, 'held']);
});

const both = { ...kept, ...countedBy({ ...reportOf(), statuses: ['delivered', 'sent'] }, configured().service) };
const only = { createdBy: 'Tom Baker', contentType: 'poll' };
const ofTom = { ...kept, ...countedBy(reportOf({ only }), configured().service) };
const informing = defaultInformingTypes.toReversed().map((type) => type.toUpperCase());

test.each<[what: string, options: Composing]>([
  ['statuses', { earlier: [both], report: { statuses: ['Sent', 'delivered'] } }],
  ['filters', { earlier: [ofTom], report: { only: { contentType: 'POLL', createdBy: 'tom  BAKER' } } }],
  ['address', { earlier: [kept], service: { baseUrl: 'https://Reporting.example.com:443/' } }],
  [
    'account',
    { earlier: [{ ...kept, account: 'sample' }], service: { baseUrl: 'http://127.0.0.1:4001', account: 'sample' } },
  ],
  ['informing types', { earlier: [kept], service: { informingTypes: informing } }],
])('kept figures are compared with where the same %s are configured in another spelling', (_what, options) => {
  const { previous, comparison } = compose(collected(), options).digest.totals;
  expect({ previous, comparison }).toEqual({ previous: kept.totals, comparison: { basis: 'kept' } });
});

const local = { ...kept, account: '127.0.0.1:4000' };

test.each<[what: string, options: Composing]>([
  ['path', { earlier: [kept], service: { baseUrl: 'https://reporting.example.com/tenant-b' } }],
  ['port of this machine', { earlier: [local], service: { baseUrl: 'http://127.0.0.1:4001' } }],
  ['filter that leaves out', { earlier: [kept], report: { except: { broadcastName: 'Test' } } }],
])('kept figures of another %s are not compared, and nothing counts as late', (_what, options) => {
  const { totals, late } = compose(collected({ history: history({}) }), options).digest;
  expect(totals).toMatchObject({ previous: null, comparison: { basis: 'none', reason: 'counted-otherwise' } });
  expect(late).toBeNull();
});

test('a broadcast of which one delivery cannot be read says nothing of its edition, whichever of its names was read before', () => {
  const sign = at('2026-11-10T08:00:00Z');
  const growth = { broadcast: { id: 'b-a', name: 'Named by the list' }, firstSign: sign, audience: null, curve: [] };
  const list = { engagement: seenInPeriod(20), curve: [[48, 20, 0]] as Array<[number, number, number]> };
  const atAgeBeside = (deliveries: Parameters<typeof history>[0]) =>
    compose(
      collected({
        recipients: [recipients('a', list)],
        broadcasts: [broadcast('a', null)],
        history: history(deliveries),
      }),
    ).digest.broadcasts[0]?.atAge;
  expect(atAgeBeside({})).toMatchObject({ hours: 48, seen: 20 });
  expect(atAgeBeside({ other: { growth } })).toBeNull();
});
