import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from './support/accounts/account.ts';
import { scenarioArbitrary, type Scenario } from './support/accounts/arbitrary-account.ts';
import { calendarOf, calendarsFrom } from './support/accounts/calendars.ts';
import { startCheck, type Check } from './support/accounts/check.ts';
import { inWeeks, row, simpleAccount, times } from './support/accounts/simple-account.ts';
import { asksOf } from './support/oracle/groups.ts';
import { knownOf, type Known, type KnownDelivery } from './support/oracle/known.ts';
import { endingsOfObjects, ways } from './support/accounts/paging.ts';

const cases = 400;
const seed = 14;
/** A failure is made smaller before it is reported: that takes some hundred runs more. */
const timeout = 300_000;

let check: Check;

beforeAll(async () => {
  check = await startCheck();
});
afterAll(() => check.close());

test(
  'whatever a service answers from week to week, each figure of digest, html, text and file is what can be known, or is named as missing',
  { timeout },
  async () => {
    const fault = await check.run({ seed, cases });
    if (fault !== null) expect.fail(fault);
  },
);

const idle = row(null);
const tuesday = row('2026-11-03T08:00:00Z');
const sunday = row('2026-11-08T10:00:00Z');
const nextTuesday = row('2026-11-10T08:00:00Z');
const unreadable = row('10/11/2026 10:00');
const none = (reason: string) => ({ comparison: { basis: 'none', reason }, previous: null });
const [week, nextWeek] = calendarsFrom('week', 'Europe/London', '2026-11-02', 2);

/** Successive periods, with what each digest says. */
const told: Array<[title: string, scenario: Scenario, expected: object[]]> = [
  [
    'dates that cannot be read for a week are no smaller number, then or later',
    inWeeks({ a: times(5, tuesday) }, { a: times(10, unreadable) }, { a: [...times(5, tuesday), row('2026-11-17')] }),
    [
      { totals: { seen: 5 }, deliveries: [{ kind: 'new' }] },
      {
        totals: { seen: null, undated: 10, unavailable: { reason: 'incomplete' }, ...none('incomplete-now') },
        deliveries: [{ kind: null, seen: 10, inPeriod: null, unavailable: { reason: 'dates-unreadable' } }],
        missing: [{ what: 'delivery', delivery: 'a', reason: 'dates-unreadable' }],
      },
      { totals: { seen: 1, ...none('incomplete-before') }, late: null, deliveries: [{ kind: 'active' }], missing: [] },
    ],
  ],
  [
    'three dates that cannot be read are too many for a delivery of four, and a note among forty others',
    inWeeks({ a: times(40, tuesday), b: [...times(3, unreadable), tuesday] }),
    [{ totals: { seen: 41, undated: 3 }, deliveries: [{ inPeriod: { seen: 40 } }, { kind: 'new', inPeriod: null }] }],
  ],
  [
    'two dates that cannot be read are a note of each delivery, and too many of all of them together',
    inWeeks({ a: [...times(2, unreadable), tuesday], b: [...times(2, unreadable), tuesday] }),
    [
      {
        totals: { seen: null, undated: 4, unavailable: { reason: 'incomplete' }, ...none('incomplete-now') },
        deliveries: [
          { kind: 'new', inPeriod: { seen: 1 } },
          { kind: 'new', inPeriod: { seen: 1 } },
        ],
        missing: [{ what: 'deliveries', reason: 'dates-unreadable' }],
      },
    ],
  ],
  [
    'lists of items that hold all who engaged, or an answer more, are no audience',
    inWeeks({
      a: { rows: times(60, tuesday), item: [...times(30, tuesday), ...times(30, idle)] },
      b: { rows: times(2, sunday), item: times(3, sunday) },
    }),
    [{ deliveries: [{ contents: [{ listed: 60, reach: null }] }, { contents: [{ listed: 3, reach: null }] }] }],
  ],
  [
    "people who did nothing on deliveries' own lists make these the audience",
    inWeeks({ a: { rows: [...times(6, tuesday), ...times(14, idle)], item: times(6, tuesday) }, b: times(5, sunday) }),
    [{ deliveries: [{ reach: 0.3 }, { reach: 1 }], broadcasts: [{ audience: 20 }, { audience: 5 }] }],
  ],
  [
    'a week is not compared with a day of the week before it',
    [
      simpleAccount({}, calendarOf('day', 'Europe/London', '2026-11-02')),
      simpleAccount({ a: [nextTuesday] }, nextWeek),
    ],
    [{}, { totals: none('not-kept'), late: null }],
  ],
  [
    'a period that is run after a later one is not its own past',
    [nextWeek, week].map((period) => simpleAccount({ a: [tuesday, nextTuesday] }, period)),
    [
      { totals: { seen: 1, ...none('first') }, deliveries: [{ kind: 'active' }] },
      { totals: { seen: 1, ...none('first-so-early') }, late: null, deliveries: [{ kind: 'new' }] },
    ],
  ],
];

/** A weekly broadcast that one more sees each week; the service lists the last three. Of the fifth a date cannot be read. */
const series = Array.from({ length: 10 }, (_, week) => {
  const day = (offset: number): string => new Date(Date.UTC(2026, 10, 3 + 7 * week + offset)).toISOString();
  const rows = [...times(10 + week, row(day(0.3))), ...times(5, row(day(2), day(2.1)))];
  if (week === 4) rows.push(unreadable);
  return { [`d${week}`]: { rows, name: `Friday Five ${day(3).slice(0, 10)}` } };
});
const listed = series.map((_, week) => Object.assign({}, ...series.slice(Math.max(0, week - 2), week + 1)));

test('what is usual grows with a series of ten weeks, of which the service lists three', async () => {
  const scenario = inWeeks(...listed);
  const digests = await check.digests(scenario);
  const newest = digests.map(({ broadcasts }) => broadcasts.find(({ kind }) => kind === 'new')?.atAge);
  expect(newest.map((atAge) => atAge?.seen)).toEqual([15, 16, 17, 18, undefined, 20, 21, 22, 23, 24]);
  expect(newest.map((atAge) => atAge?.usual?.of)).toEqual([...Array(3), 3, undefined, 4, 5, 6, 7, 8]);
  expect(newest.at(-1)).toEqual({
    hours: 144,
    seen: 24,
    responded: 5,
    usual: { of: 8, editions: expect.anything(), seen: 19, responded: 5, share: null },
  });
  expect(await check.faults(scenario)).toEqual([]);
});

test.each(told)('%s', async (_title, scenario, expected) => {
  const digests = await check.digests(scenario);
  expect(digests).toHaveLength(expected.length);
  for (const [period, digest] of digests.entries()) expect(digest).toMatchObject(expected[period] ?? {});
  expect(await check.faults(scenario)).toEqual([]);
});

/** One delivery that so many have seen, the first of them in the week before, with a rating that as many have given. */
function accountSeenBy(views: number): Account {
  const rated = { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:05:00Z', rating: 4 };
  const rows = [{ ...rated, seenAt: '2026-11-02T08:00:00Z' }, ...times(views - 1, rated)];
  return simpleAccount({ 'd-1': { rows, type: 'rating' } });
}

const ofDelivery = ['seen', 'responded', 'inPeriod.seen', 'contents.0.seen', 'contents.0.ratings.count'];

test('one view more of a broadcast is found in the digest', async () => {
  expect(await check.faults([accountSeenBy(3)])).toEqual([]);
  const found = await check.faults([accountSeenBy(3)], [accountSeenBy(4)]);
  const places = found.map((fault) => fault.replace(/: expected.*/, ''));
  const expected = ['digest.totals.seen', ...ofDelivery.map((figure) => `digest.deliveries.d-1.${figure}`)];
  expect(places).toEqual(expect.arrayContaining(expected));
});

test('what is refused is no figure, and none that is there is held to be refused', async () => {
  const account = accountSeenBy(3);
  const [delivery] = account.deliveries;
  if (delivery === undefined) throw new Error('There is no delivery.');
  const refused = { ...account, deliveries: [{ ...delivery, recipients: { status: 403 } }] };
  expect(await check.faults([refused])).toEqual([]);
  const [shown, hidden] = [await check.faults([refused], [account]), await check.faults([account], [refused])];
  for (const faults of [shown, hidden]) {
    for (const place of ['digest.missing', 'digest.deliveries.d-1.unavailable']) {
      expect(faults.join('\n')).toContain(place);
    }
  }
});

const rare =
  'broadcast unreadable, delivery dates-unreadable, undatable, late, judged, still counting, ratings, ratings any, ratings unreadable, ' +
  'ratings forbidden, some ratings unreadable, reach, reach of an item, unseen again, unseen for less than two days, of unknown date, ' +
  'a trend, a trend with a gap, several deliveries, sums that are not known, an audience, an audience of several deliveries, ' +
  'a broadcast of several kinds, ratings of several deliveries, ratings that are not all known, fewer broadcasts than ' +
  'deliveries, asked: not known, asked: a part, asked before: not known, createdBy incomplete, broadcastName incomplete, ' +
  'contentType incomplete, createdBy, contentType, no views, no views of an item, an own list that is contradicted, archived, ' +
  'judged by half, judged by usual, judged by silence, judged by nothing, needs unseen, needs too-few, people to remind, ' +
  'usual, earlier, asks by its responses, a wrong clock, left, unjudged left, only the newest, no match';

function* traitsOfGroups({ groups, account, asking }: Known): Generator<string> {
  for (const { asks, deliveries, audience, seen, listedDeliveries, contents, atAge } of groups) {
    const isOfSeveral = deliveries.length > 1;
    yield `asks: ${asks}`;
    if (isOfSeveral) yield 'several deliveries';
    if (isOfSeveral && seen === null) yield 'sums that are not known';
    if (audience !== null) yield isOfSeveral ? 'an audience of several deliveries' : 'an audience';
    if (listedDeliveries > deliveries.length) yield 'a broadcast of several kinds';
    if (atAge?.usual) yield 'usual';
    if (atAge?.earlier) yield 'earlier';
    const items = deliveries[0]?.broadcast.items ?? null;
    if (asks === true && asksOf('', items, { account, asking }) === false) yield 'asks by its responses';
    for (const { ratings } of contents ?? []) {
      if (ratings === null) yield 'ratings that are not all known';
      else if (ratings !== 'none' && isOfSeveral) yield 'ratings of several deliveries';
    }
  }
}

function* traitsOfDelivery(delivery: KnownDelivery): Generator<string> {
  const { kind, contents, counted, reach, judgedBy, memory, isUndatable, stillCounting, firstSign } = delivery;
  yield `kind ${kind}`;
  if (reach !== null) yield 'reach';
  if (judgedBy !== null) yield `judged by ${judgedBy}`;
  if (judgedBy === 'silence' && memory.timesNamed > 0) yield 'unseen again';
  if (kind === 'silent' && judgedBy === null) yield 'unseen for less than two days';
  if (stillCounting) yield 'still counting';
  if (kind === 'active' && counted?.inPeriod?.seen === 0 && judgedBy !== null) yield 'judged';
  if (isUndatable) yield 'undatable';
  if (delivery.viewsGap !== null) yield 'no views';
  if (!delivery.isWantedNow) yield 'archived';
  if (counted === null && kind === null && contents?.some((item) => item.counted?.engaged)) {
    if ('rows' in delivery.row.recipients && delivery.row.recipients.rows.length === 0) {
      yield 'an own list that is contradicted';
    }
  }
  if (firstSign !== null && counted?.rows.some(({ seenAt }) => seenAt !== null && seenAt < firstSign)) {
    yield 'a wrong clock';
  }
  for (const content of contents ?? []) {
    if (content.ratings !== null) yield content.ratings.unreadable > 0 ? 'some ratings unreadable' : 'ratings';
    if (content.reach !== null) yield 'reach of an item';
    if (content.counted !== null && content.counted.seen === null) yield 'no views of an item';
  }
}

function* traitsOf(known: Known): Generator<string> {
  const { deliveries, totals, missing, previous, uncompared, otherStatuses, late, trend, needs, left } = known;
  yield* traitsOfGroups(known);
  for (const delivery of deliveries) yield* traitsOfDelivery(delivery);
  if (totals?.asked === null) yield 'asked: not known';
  else if (totals !== null && totals.asked.seen > 0 && totals.asked.seen < totals.seen) yield 'asked: a part';
  if (totals !== null && totals.broadcasts < totals.deliveries) yield 'fewer broadcasts than deliveries';
  for (const { reason, untouched } of needs) yield* [`needs ${reason}`, ...(untouched ? ['people to remind'] : [])];
  for (const [key, gaps] of missing) for (const { reason } of gaps) yield* [key, `${key.split(' ')[0]} ${reason}`];
  for (const word of otherStatuses.keys()) yield `status ${word}`;
  for (const reason of uncompared?.reasons ?? ['kept']) yield `compared: ${reason}`;
  if (previous?.asked === null) yield 'asked before: not known';
  if (late !== null && late.seen + late.responded > 0) yield 'late';
  if (known.unknownDate.length > 0) yield 'of unknown date';
  if (trend.length > 2) yield trend.some(({ figures }) => figures === null) ? 'a trend with a gap' : 'a trend';
  if (left.deliveries > 0) yield 'left';
  if (left.unjudged > 0) yield 'unjudged left';
  if (known.onlyNewest) yield 'only the newest';
  if (known.noMatch) yield 'no match';
}

test('the scenarios of one seed have every kind of delivery, gap, comparison, paging and rating', () => {
  const met = new Set<string>();
  for (const scenario of fc.sample(scenarioArbitrary, { seed, numRuns: cases })) {
    const earlier: Known[] = [];
    for (const account of scenario) {
      const lists = account.deliveries.flatMap(({ recipients, contents }) => [recipients, ...contents]);
      for (const list of lists) {
        if (!('pageSize' in list)) continue;
        met.add(`ending ${list.ending}`);
        if (list.rows.length > list.pageSize) met.add(`way ${list.way}`);
      }
      const known = knownOf(account, { earlier });
      if (known.digest === 'yes') earlier.push(known);
      for (const trait of traitsOf(known)) met.add(trait);
    }
  }
  const reasons = ['unreadable', 'cut-off', 'forbidden', 'not-found', 'gone', 'refused', 'redirected'];
  const compared = [
    'kept',
    'first',
    'not-kept',
    'incomplete-now',
    'incomplete-before',
    'counted-otherwise',
    'recounted',
    'left-list',
    'dates-unreadable',
  ];
  const expected = [
    ...Object.keys(ways).map((way) => `way ${way}`),
    ...Object.keys(endingsOfObjects).map((ending) => `ending ${ending}`),
    ...['new', 'silent', 'active', null].map((kind) => `kind ${kind}`),
    ...reasons.flatMap((reason) => [`delivery ${reason}`, `content ${reason}`]),
    ...['unknown', 'constructor', '__proto__', 'toString'].map((word) => `status ${word}`),
    ...compared.map((reason) => `compared: ${reason}`),
    ...['cut-off', 'unreadable', 'list-empty'].map((reason) => `deliveries ${reason}`),
    ...['true', 'false', 'null'].map((asks) => `asks: ${asks}`),
    ...rare.split(', '),
  ];
  expect(expected.filter((one) => !met.has(one))).toEqual([]);
});
