import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from './support/accounts/account.ts';
import { scenarioArbitrary, type Scenario } from './support/accounts/arbitrary-account.ts';
import { calendarOf, calendarsFrom } from './support/accounts/calendars.ts';
import { startCheck, type Check } from './support/accounts/check.ts';
import { inWeeks, row, simpleAccount, times } from './support/accounts/simple-account.ts';
import { asksOf } from './support/oracle/groups.ts';
import type { KnownDelivery } from './support/oracle/included.ts';
import { knownOf, type Known } from './support/oracle/known.ts';
import { endingsOfObjects, ways } from './support/accounts/paging.ts';

const cases = 400;
const seed = 7;
/** A failure is made smaller before it is reported: that takes some hundred runs more. */
const timeout = 300_000;

let check: Check;

beforeAll(async () => {
  check = await startCheck();
});
afterAll(() => check.close());

test(
  'whatever a service answers from week to week, each figure of digest.json is what can be known, or is named as missing',
  { timeout },
  async () => {
    const fault = await check.run({ seed, cases });
    if (fault !== null) expect.fail(fault);
  },
);

const idle = row(null);
/** So many days after Monday, 2 November 2026, at nine. */
const on = (days: number): string => `${new Date(Date.UTC(2026, 10, 2 + days, 9)).toISOString().slice(0, 19)}+00:00`;
const [tuesday, sunday, nextTuesday] = [row(on(1)), row(on(6)), row(on(8))];
const answered = row(on(1), on(1.1));
const unreadable = row('10/11/2026 10:00');
const none = (reason: string) => ({ comparison: { basis: 'none', reason }, previous: null });
const [week, nextWeek] = calendarsFrom('week', 'Europe/London', '2026-11-02', 2);

/** So many of so many who saw something on a day. */
const seenBy = (views: number, audience: number, days: number): object[] => [
  ...times(views, row(on(days))),
  ...times(audience - views, idle),
];
/** Enough rows for an audience to be known as one. */
const crowd = { rows: seenBy(150, 200, 1), name: 'Crowd' };

/** Editions of a weekly series in successive weeks, by who saw them. */
function fridays(...editions: Array<[views: number, audience: number]>): Scenario {
  const sent = editions.map(([views, audience], place) => ({
    [`e${place}`]: { rows: seenBy(views, audience, 1 + 7 * place), name: `Friday Five #${place}` },
  }));
  return inWeeks(...sent.map((_, place) => Object.assign({ crowd }, ...sent.slice(0, place + 1))));
}

/** The same in each week, but for what is given here. */
function changed(scenario: Scenario, ...changes: Array<Partial<Account>>): Scenario {
  return scenario.map((account, place) => ({ ...account, ...changes[place] }));
}

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
    'dates that are years ahead say that it was seen, and not when',
    inWeeks({ a: [...times(40, tuesday), ...times(4, row('2031-11-10T08:00:00Z'))] }),
    [{ totals: { seen: 40, undated: 4 }, deliveries: [{ seen: 44, firstSign: on(1) }] }],
  ],
  [
    'one slow clock in twenty makes a new delivery no older, and one in nineteen does',
    inWeeks(
      {},
      {
        a: { rows: [row(on(-5)), ...times(19, nextTuesday)], created: on(-9) },
        b: { rows: [row(on(-5)), ...times(18, nextTuesday)], created: on(-9) },
      },
    ),
    [
      {},
      {
        deliveries: [
          { kind: 'new', firstSign: on(8) },
          { kind: 'active', firstSign: on(-5) },
        ],
      },
    ],
  ],
  [
    'responses without a single view say that views are not given',
    inWeeks({ a: times(10, row(null, on(1))), b: times(5, tuesday) }),
    [
      {
        totals: { seen: null, ...none('incomplete-now') },
        deliveries: [{}, { seen: null, responded: 10, answered: null }],
      },
    ],
  ],
  [
    'an item whose list has only those who responded says nothing of who saw it',
    inWeeks({ a: { rows: [...times(40, tuesday), ...times(20, answered)], item: times(20, answered) } }),
    [{ totals: { seen: 60, responded: 20 }, deliveries: [{ seen: 60, contents: [{ seen: null, responded: 20 }] }] }],
  ],
  [
    "an own list that is empty while its item's list has people is unreadable",
    inWeeks({ a: { rows: [], item: times(60, tuesday) }, b: [tuesday] }),
    [{ totals: { seen: null }, deliveries: [{ kind: 'new' }, { kind: null, unavailable: { reason: 'unreadable' } }] }],
  ],
  [
    'ratings are of those who responded',
    inWeeks({
      a: { rows: [...times(5, { ...answered, rating: 4 }), ...times(40, { ...tuesday, rating: 0 })], type: 'ratings' },
    }),
    [{ deliveries: [{ contents: [{ ratings: { count: 5, mean: 4, histogram: { '4': 5 } } }] }] }],
  ],
  [
    'a text asks once ten people and a tenth of its viewers have responded, and then it keeps asking',
    inWeeks(
      { a: { rows: [...times(90, tuesday), ...times(10, answered)], type: 'text' } },
      { a: { rows: [...times(190, nextTuesday), ...times(10, answered)], type: 'text' } },
    ),
    [
      { totals: { responded: 10, asked: { seen: 100, answered: 10 } }, broadcasts: [{ asks: true }] },
      { totals: { asked: { seen: 190, answered: 0 } }, broadcasts: [{ asks: true }] },
    ],
  ],
  [
    'lists of items that hold all who engaged, or an answer more, are no audience',
    inWeeks({
      a: { rows: times(60, tuesday), item: [...times(30, tuesday), ...times(30, idle)] },
      b: { rows: times(60, sunday), item: times(61, sunday) },
    }),
    [{ deliveries: [{ contents: [{ listed: 60, reach: null }] }, { contents: [{ listed: 61, reach: null }] }] }],
  ],
  [
    "ten people in a hundred rows who did nothing make the deliveries' own lists audiences, until three weeks in a row say otherwise",
    inWeeks(
      { a: seenBy(91, 100, 1) },
      { b: seenBy(90, 100, 8) },
      ...[15, 22, 29].map((days) => ({ [`on ${days}`]: seenBy(100, 100, days) })),
    ),
    [
      { deliveries: [{ audience: null, reach: null }] },
      { deliveries: [{ audience: 100, engaged: 90, untouched: 10, reach: 0.9 }] },
      { deliveries: [{ audience: 100 }] },
      { deliveries: [{ audience: 100 }] },
      { deliveries: [{ audience: null, reach: null }] },
    ],
  ],
  [
    'what a run is the first to list with a wanted status is no matter yet, and four digests name it from the next on',
    inWeeks(
      { a: { rows: [], status: 'scheduled' }, b: [tuesday] },
      ...times(6, { a: [], b: [tuesday] }).map((deliveries) => Object.fromEntries(Object.entries(deliveries))),
    ),
    [
      { otherStatuses: { scheduled: 1 } },
      { deliveries: [{ kind: 'silent', judgedBy: null }], needs: [], judged: { of: 0, deliveries: 0 } },
      ...[0, 1, 2, 3].map((timesNamed) => ({
        deliveries: [{ kind: 'silent', judgedBy: 'silence' }],
        needs: [{ reason: 'unseen', deliveries: ['a'], seen: 0, audience: null, untouched: null, timesNamed }],
        judged: { of: 1, deliveries: 1 },
      })),
      { deliveries: [], needs: [], unseenNotNamed: 1 },
    ],
  ],
  [
    'where others have seen a broadcast, and for fewer than ten people, silence is no matter',
    inWeeks(...[1, 2].map(() => ({ crowd, few: times(9, idle), many: times(10, idle), none: [] }))),
    [
      {},
      {
        needs: [{ deliveries: ['many'], audience: 10, untouched: null }],
        judged: { of: 2, deliveries: 1 },
        deliveries: expect.arrayContaining([
          expect.objectContaining({ id: 'few', judgedBy: 'nothing' }),
          expect.objectContaining({ id: 'none', audience: 0, judgedBy: null }),
        ]),
      },
    ],
  ],
  [
    'fewer than half are too few, in the first digest in which a delivery is two days old',
    inWeeks(
      { crowd, a: seenBy(19, 40, 1), b: seenBy(20, 40, 1), c: seenBy(3, 12, 1), d: seenBy(1, 40, 6) },
      { crowd, d: seenBy(1, 40, 6) },
    ),
    [
      {
        needs: [{ reason: 'too-few', deliveries: ['a'], seen: 19, audience: 40, untouched: 21, usual: null }],
        judged: { of: 4, deliveries: 4 },
      },
      {
        needs: [{ deliveries: ['d'], seen: 1 }],
        deliveries: [{ id: 'd', kind: 'active' }],
        judged: { of: 1, deliveries: 1 },
      },
    ],
  ],
  [
    'of several deliveries the one with most untouched is shown, and nobody knows how many to remind',
    inWeeks({ crowd, a: seenBy(10, 40, 1), b: { rows: seenBy(12, 60, 1), of: 1 } }),
    [{ needs: [{ deliveries: ['b', 'a'], listedDeliveries: 2, seen: 12, audience: 60, untouched: null }] }],
  ],
  [
    'an edition is judged by the share that is usual of its series',
    fridays([16, 40], [18, 40], [16, 40], [20, 80], [22, 100]),
    [
      { needs: [{ deliveries: ['e0'], usual: null }] },
      { needs: [{ deliveries: ['e1'], usual: null }] },
      { needs: [{ deliveries: ['e2'], usual: null }] },
      {
        needs: [{ deliveries: ['e3'], seen: 20, untouched: 60, usual: { share: 0.4, hours: 48, editions: 3 } }],
        judged: { of: 1, deliveries: 1 },
      },
      { needs: [{ deliveries: ['e4'], usual: null }] },
    ],
  ],
  [
    'where audiences are not known, views are compared as a fact, and only with editions that are alike',
    inWeeks(
      ...[10, 12, 15, 4, 9].map((_, place, views) =>
        Object.fromEntries(
          views
            .slice(0, place + 1)
            .map((count, edition) => [
              `e${edition}`,
              { rows: times(count, row(on(1 + 7 * edition))), name: `Rota week ${45 + edition}` },
            ]),
        ),
      ),
    ),
    [
      {},
      {},
      { broadcasts: [{ atAge: { seen: 15, earlier: null } }] },
      { broadcasts: [{ atAge: { seen: 4, usual: null, earlier: { fewest: 10, most: 15 } } }], needs: [] },
      { broadcasts: [{ atAge: { seen: 9, earlier: null } }] },
    ],
  ],
  [
    'what is archived is still counted, and no longer judged',
    inWeeks({ crowd, a: seenBy(0, 40, 1) }, { crowd, a: { rows: seenBy(10, 40, 8), status: 'archived' } }),
    [
      { deliveries: [{}, { kind: 'silent' }] },
      {
        totals: { seen: 10 },
        deliveries: [{ kind: 'new', judgedBy: null }],
        needs: [],
      },
    ],
  ],
  [
    'a week that more than a tenth was added to afterwards is compared with nothing',
    inWeeks({ a: times(20, tuesday) }, { a: times(23, tuesday), b: [nextTuesday] }),
    [{}, { totals: { seen: 1, ...none('recounted') }, late: { seen: 3 } }],
  ],
  [
    'rows without a date that could undo a change are no change of that figure',
    inWeeks(
      { a: times(40, tuesday) },
      { a: times(40, tuesday), b: [...times(38, nextTuesday), ...times(2, unreadable)] },
    ),
    [{}, { totals: { seen: 38, undated: 2, previous: { seen: null, responded: 0 }, comparison: { basis: 'kept' } } }],
  ],
  [
    'another account is another count',
    changed(inWeeks({ a: times(5, tuesday) }, { a: times(5, tuesday) }), {}, { host: 1 }),
    [{}, { totals: none('counted-otherwise'), late: null }],
  ],
  [
    'what an earlier list did not have is not late',
    inWeeks({ b: times(20, tuesday) }, { a: times(3, tuesday), b: times(21, tuesday) }),
    [{}, { late: { seen: 1, responded: 0 }, deliveries: [{ id: 'a', kind: 'active' }] }],
  ],
  [
    'where much of a week has left the list there is no change',
    inWeeks(
      { a: times(15, tuesday), b: times(15, tuesday) },
      { a: times(15, tuesday), b: times(15, tuesday), c: times(20, nextTuesday), d: times(3, row(on(13))) },
      { a: times(15, tuesday), b: times(15, tuesday), e: times(20, row(on(15))) },
    ),
    [{}, { left: { deliveries: 0, unjudged: 0 } }, { left: { deliveries: 2, unjudged: 1 }, totals: none('left-list') }],
  ],
  [
    'a list that is ten long three times, with many new ones, may hold the newest alone',
    inWeeks(
      ...[0, 4, 8].map((first) =>
        Object.fromEntries(Array.from({ length: 10 }, (_, place) => [`d${first + place}`, [tuesday]])),
      ),
    ),
    [{}, {}, { onlyNewest: true }],
  ],
  [
    'a report about what no listed broadcast is says so',
    changed(inWeeks({ a: [tuesday] }), { only: { broadcastName: 'pool' } }),
    [{ noMatch: true, deliveries: [], missing: [] }],
  ],
  [
    'names are compared by what they say, and what a report excepts is left out',
    changed(
      inWeeks({ a: { rows: [tuesday], name: "Caf\u00e9 O'Neill" }, b: { rows: [tuesday], name: 'TEST o\u2019neill' } }),
      {
        only: { broadcastName: 'O\u2019Neill' },
        except: { broadcastName: 't\u00e9st' },
      },
    ),
    [{ deliveries: [{ id: 'a' }] }],
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

test('one view more is found in each figure of digest.json that it is in', async () => {
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
