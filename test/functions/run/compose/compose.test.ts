import { expect, test } from 'vitest';
import { defaultInformingTypes } from '../../../../functions/domain/broadcasts.ts';
import { hourMs, periodBefore, type Period } from '../../../../functions/domain/period.ts';
import { countedBy } from '../../../../functions/run/earlier-figures.ts';
import { configured, reportOf } from '../configured.ts';
import {
  at,
  broadcast,
  collected,
  collectedAt,
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

const emptyOf = (answers: Parameters<typeof collected>[0], options: Composing = {}) =>
  compose(collected(answers), { ...options, report: { whenEmpty: 'skip' } }).withheld === 'empty';

test('a digest is empty where there is nothing of the period, and nothing to say of it', () => {
  expect(emptyOf({})).toBe(true);
  expect(emptyOf({ recipients: [past] })).toBe(true);
  expect(emptyOf({ unavailable: { reason: 'cut-off' } })).toBe(false);
  expect(emptyOf({ recipients: [unread] })).toBe(false);
  // Nothing has a wanted status.
  expect(emptyOf({ others: [listedDelivery('o', 'sent')] })).toBe(false);

  const earlier = [figuresOf(compose(collected(), { period: weekBefore }))];
  const lastRun = { in: at(weekBefore.start), engaged: 1, undated: 0, inPeriod: { seen: 1, responded: 0 } };
  const counted = { ...lastRun, seen: 1, responded: 0 };
  const known = history({ a: { counted, shown: true, engaged: true, new: true } });
  const emptyWhereLate = (seen: number) => {
    const a = engagement({ seen, before: { seen, responded: 0 }, firstSign: at(weekBefore.start) });
    return emptyOf({ recipients: [recipients('a', { engagement: a })], history: known }, { earlier });
  };
  expect([1, 3].map(emptyWhereLate)).toEqual([true, false]);
});

test('the type of a content item decides whether its list is the audience, and an empty list has no reach', () => {
  const items = ['poll', 'text', 'poll'].map((type, n) => ({ id: String(n), type }));
  const lists = [engagement({ seen: 30, untouched: 90 }), engagement({ seen: 4 }), engagement()];
  const { digest, coverage } = compose(
    collected({
      recipients: [recipients('a', { engagement: seenInPeriod(30) })],
      broadcasts: [broadcast('a', '2026-11-09T09:30:00Z', items)],
      contents: lists.map((list, n) => ({ delivery: 'a', content: String(n), engagement: list })),
    }),
  );
  expect(digest.deliveries[0]?.contents?.map(({ reach }) => reach)).toEqual([0.25, null, null]);
  expect(digest.deliveries[0]?.reach).toBeNull();
  expect(coverage.readings).toEqual({
    'delivery lists': { 'those who engaged': 1 },
    'content lists': { 'the audience': 1, 'those who engaged': 1 },
  });
});

test('a row with one of the two fields says enough: what is absent is null', () => {
  const lackingFields = [0, 4].map((neither) => {
    const list = { ...seenInPeriod(25), lacking: { seenAt: neither, respondedAt: 20 + neither, neither } };
    const { digest } = compose(collected({ recipients: [recipients('a', { engagement: list })] }));
    return digest.deliveries[0]?.lackingFields;
  });
  expect(lackingFields).toEqual([undefined, 4]);
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
  },
};

/** A delivery that was listed last in the run of a period, with so many views in it. */
const listedIn = (period: Period, seen: number) => {
  const counts = { engaged: seen, undated: 0, inPeriod: { seen, responded: 0 }, seen, responded: 0 };
  return { listedIn: at(period.start), counted: { in: at(period.start), ...counts } };
};

test.each([
  [7, { basis: 'none', reason: 'left-list' }],
  [8, { basis: 'kept' }],
])('where 15 of 40 views left with the list, and %i the run before, the comparison is %j', (leftBefore, comparison) => {
  const secondLast = periodBefore('week', 'Europe/London', weekBefore.start);
  const [stays, leaves, left] = [listedIn(weekBefore, 25), listedIn(weekBefore, 15), listedIn(secondLast, leftBefore)];
  const lists = [recipients('stays', { engagement: seenInPeriod(25) })];
  const answers = collected({ recipients: lists, history: history({ stays, leaves, left }) });
  const earlier = [{ ...kept, start: secondLast.start, end: secondLast.end }, kept];
  expect(compose(answers, { earlier }).digest.totals.comparison).toMatchObject(comparison);
});

const wanted = (hours: number) => history({ a: { wantedAt: collectedAt - hours * hourMs } });
const audience = { service: { deliveryRecipients: 'audience' } };
const sibling = {
  ...recipients('b', { engagement: seenInPeriod(3) }),
  delivery: { ...listedDelivery('b'), broadcast: { id: 'b-a', name: null } },
};

test.each<[title: string, hours: number, others: Array<typeof sibling>, judgedBy: string | null]>([
  ['46 hours after a run listed it: runs begin some minutes off', 46, [], 'silence'],
  ['45 hours after a run listed it', 45, [], null],
  ['of a broadcast that others have seen, for nobody knows whom', 168, [sibling], 'nothing'],
])('that nobody has seen a delivery is judged %s', (_title, hours, others, judgedBy) => {
  const lists = [recipients('a', { engagement: engagement() }), ...others];
  const composed = compose(collected({ recipients: lists, history: wanted(hours) }), { earlier: [kept] });
  const { digest } = composed;
  expect(digest.deliveries.find(({ id }) => id === 'a')).toMatchObject({ kind: 'silent', judgedBy });
  expect(digest.needs.map(({ reason, deliveries }) => [reason, deliveries])).toEqual(
    judgedBy === 'silence' ? [['unseen', ['a']]] : [],
  );
  expect(composed.history.deliveries.get('a')?.namedIn).toEqual(judgedBy === null ? undefined : [week.start]);
});

test.each<[title: string, rows: { untouched: number }, judgedBy: string | null]>([
  ['an audience', { untouched: 100 }, 'silence'],
  ['a small group', { untouched: 9 }, 'nothing'],
  ['nobody', { untouched: 0 }, null],
])('that nobody has seen a delivery that is for %s is judged', (_title, rows, judgedBy) => {
  const unseen = recipients('a', { engagement: engagement(rows) });
  const { digest } = compose(collected({ recipients: [unseen], history: wanted(168) }), {
    earlier: [kept],
    ...audience,
  });
  expect(digest.deliveries).toMatchObject([{ judgedBy }]);
  expect(digest.judged).toEqual({ of: judgedBy === null ? 0 : 1, deliveries: judgedBy === 'silence' ? 1 : 0 });
});

test('a delivery is wanted since the first run that listed it with a wanted status, and counts from then on whatever its status', () => {
  const others = ['noted', 'new'].map((id) => listedDelivery(id, 'archived'));
  const { deliveries } = compose(collected({ others, history: history({ noted: { wantedAt: 5 } }) })).history;
  expect(others.map(({ id }) => deliveries.get(id)?.wantedAt)).toEqual([5, undefined]);
});

test('a digest with a gap is held where its report says so, and a complete one is not', () => {
  const hold = { report: { whenIncomplete: 'hold' } } as const;
  const incomplete = collected({ recipients: [unread] });
  const digests = [compose(incomplete, hold), compose(incomplete), compose(collected(), hold)];
  expect(digests.map(({ withheld }) => withheld)).toEqual(['held', null, null]);
});

test('a digest is held, and says nothing of any broadcast, where none says what its report filters by', () => {
  const { withheld, digest } = compose(collected({ unsaid: ['createdBy'] }), { report: { whenEmpty: 'skip' } });
  expect([withheld, digest.totals.seen, digest.missing]).toEqual([
    'held',
    null,
    [{ what: 'createdBy', reason: 'incomplete' }],
  ]);
});

test('a list of which nothing is what the report is about is said to be that, and never skipped', () => {
  const list = { rows: 1, deliveries: [listedDelivery('a')] };
  const noneOf = (answers: object, filter: object = { only: { createdBy: 'Tom' } }) => {
    const report = { whenEmpty: 'skip', ...filter };
    const { digest, withheld } = compose({ ...collected(), list, ...answers }, { report });
    return [digest.noMatch, withheld];
  };
  expect(noneOf({})).toEqual([true, null]);
  expect(noneOf({}, {})).toEqual([undefined, 'empty']);
  expect(noneOf({ list: { rows: 0, deliveries: [] } })).toEqual([undefined, 'empty']);
  expect(noneOf({ others: list.deliveries })).toEqual([undefined, null]);
  // What is missing is said in its place.
  expect(noneOf({ unsaid: ['createdBy'] })).toEqual([undefined, 'held']);
  expect(noneOf({ list: { ...list, unavailable: { reason: 'cut-off' } } })).toEqual([undefined, null]);
});

test('how many deliveries a report leaves out stands in the coverage', () => {
  expect([3, 0].map((leftOut) => compose(collected({ leftOut })).coverage.readings['except'])).toEqual([
    { 'left out': 3 },
    undefined,
  ]);
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
  ['account', { earlier: [kept], service: { baseUrl: 'https://staging.example.com' } }],
  ['path', { earlier: [kept], service: { baseUrl: 'https://reporting.example.com/tenant-b' } }],
  ['port of this machine', { earlier: [local], service: { baseUrl: 'http://127.0.0.1:4001' } }],
  ['filter that leaves out', { earlier: [kept], report: { except: { broadcastName: 'Test' } } }],
])('kept figures of another %s are not compared, and nothing counts as late', (_what, options) => {
  const { totals, late } = compose(collected({ history: history({}) }), options).digest;
  expect(totals).toMatchObject({ previous: null, comparison: { basis: 'none', reason: 'counted-otherwise' } });
  expect(late).toBeNull();
});
