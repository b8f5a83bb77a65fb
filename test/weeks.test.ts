import { afterAll, expect, test } from 'vitest';
import type { Account } from './support/accounts/account.ts';
import type { Scenario } from './support/accounts/arbitrary-account.ts';
import { calendarOf } from './support/accounts/calendars.ts';
import { startCheck } from './support/accounts/check.ts';
import { inWeeks, row, times } from './support/accounts/simple-account.ts';

const check = await startCheck();
afterAll(() => check.close());

/** So many days after Monday, 2 November 2026, at nine. */
const on = (days: number): string => `${new Date(Date.UTC(2026, 10, 2 + days, 9)).toISOString().slice(0, 19)}+00:00`;
const idle = row(null);
const [tuesday, nextTuesday] = [row(on(1)), row(on(8))];
const unreadable = row('10/11/2026 10:00');
const none = (reason: string) => ({ comparison: { basis: 'none', reason }, previous: null });

/** So many of so many who saw something on a day. */
const seenBy = (views: number, audience: number, days: number) => [
  ...times(views, row(on(days))),
  ...times(audience - views, idle),
];
/** Enough rows for an audience to be known as one. */
const crowd = { rows: seenBy(150, 200, 1), name: 'Crowd' };

/** A series of which an edition goes out in each week, to so many of whom so many see it, and more four days later; beside others. */
function series(others: object, ...editions: Array<[views: number, audience: number, later?: number]>): Scenario {
  const sent = editions.map(([views, audience, later = 0], place) => {
    const rows = [...seenBy(views, audience - later, 1 + 7 * place), ...times(later, row(on(5 + 7 * place)))];
    return { [`e${place}`]: { rows, name: `Rota week ${45 + place}` } };
  });
  return inWeeks(...sent.map((_, place) => Object.assign({}, others, ...sent.slice(0, place + 1))));
}

/** The same in each week, but for what is given here. */
function changed(scenario: Scenario, ...changes: Array<Partial<Account>>): Scenario {
  return scenario.map((account, place) => ({ ...account, ...changes[place] }));
}

/** What is to hold of the digests of successive periods. */
const cases: Array<[title: string, scenario: Scenario, expected: object[]]> = [
  [
    'what was named and has moved is said once, with what it was; what changed is kept by series',
    inWeeks(
      { crowd, a: { rows: times(68, idle), name: 'Plant 9 November' } },
      { crowd, a: { rows: times(68, idle), name: 'Plant 9 November' } },
      { crowd, a: { rows: [...times(41, row(on(15))), ...times(27, idle)], name: 'Plant 9 November' } },
      { crowd, a: { rows: [...times(60, row(on(15))), ...times(8, idle)], name: 'Plant 9 November' } },
    ),
    [
      { since: [], totals: { series: [{ name: 'Crowd', seen: 150, responded: 0 }] } },
      { since: [], needs: [{ reason: 'unseen', deliveries: ['a'] }], totals: { series: [] } },
      {
        since: [{ delivery: 'a', seen: 0, audience: 68 }],
        needs: [],
        totals: {
          series: [{ key: 'plant', name: 'Plant 9 November', seen: 41, responded: 0 }],
          previous: { series: [] },
        },
      },
      { since: [] },
    ],
  ],
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
    'responses without a single view say that views are not given, from the tenth on',
    inWeeks({ a: times(10, row(null, on(1))), b: times(9, row(null, on(1))) }),
    [
      {
        totals: { seen: null, ...none('incomplete-now') },
        deliveries: [
          { id: 'b', seen: 0 },
          { id: 'a', seen: null, responded: 10, answered: null, unavailable: { reason: 'unreadable' } },
        ],
      },
    ],
  ],
  [
    "an own list that is empty while its item's list has people is unreadable",
    inWeeks({ a: { rows: [], item: times(60, tuesday) }, b: [tuesday] }),
    [
      {
        totals: { seen: null },
        deliveries: [{ kind: 'new' }, { kind: null, unavailable: { reason: 'unreadable' } }],
        needs: [],
      },
    ],
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
    inWeeks({ a: { rows: [], status: 'scheduled' }, b: [tuesday] }, ...times(6, { a: [], b: [tuesday] })),
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
    'silence is no matter for fewer than ten people, for nobody, and where a row says neither',
    inWeeks(
      ...times(2, { crowd, few: times(9, idle), many: times(10, idle), none: [], neither: [...times(30, idle), {}] }),
    ),
    [
      {},
      {
        needs: [{ deliveries: ['many'], audience: 10, untouched: null }],
        judged: { of: 3, deliveries: 1 },
        deliveries: expect.arrayContaining([
          expect.objectContaining({ id: 'few', judgedBy: 'nothing' }),
          expect.objectContaining({ id: 'neither', judgedBy: 'nothing' }),
          expect.objectContaining({ id: 'none', audience: 0, judgedBy: null }),
        ]),
      },
    ],
  ],
  [
    'fewer than half are too few, named once, in the first digest in which a delivery is two days old',
    inWeeks(
      { crowd, a: seenBy(19, 40, 1), b: seenBy(20, 40, 1), c: seenBy(3, 12, 1), d: seenBy(1, 40, 6) },
      { crowd, a: seenBy(19, 40, 1), d: seenBy(1, 40, 6) },
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
    'who responded without seeing is not to be reminded',
    inWeeks({ crowd, x: [...times(10, tuesday), ...times(60, row(null, on(1))), ...times(10, idle)] }),
    [{ deliveries: [{ id: 'crowd' }, { id: 'x', seen: 10, engaged: 70, untouched: 10 }], needs: [] }],
  ],
  [
    'of several deliveries the one with most untouched is shown, and nobody knows how many to remind',
    inWeeks({ crowd, a: seenBy(10, 40, 1), b: { rows: seenBy(12, 60, 1), broadcast: 1 } }),
    [{ needs: [{ deliveries: ['b', 'a'], listedDeliveries: 2, seen: 12, audience: 60, untouched: null }] }],
  ],
  [
    'an edition is judged by what is usual of its series: with three quarters then and now, and ten people fewer, it has too few',
    series({ crowd }, ...times<[number, number]>(9, [20, 40]), [30, 80], [20, 80, 20], [2, 20]),
    [
      ...times(9, { needs: [] }),
      {
        needs: [{ deliveries: ['e9'], seen: 30, untouched: 50, usual: { share: 0.5, hours: 48, editions: 8 } }],
        judged: { of: 1, deliveries: 1 },
      },
      { needs: [], judged: { of: 1, deliveries: 1 } },
      { needs: [], judged: { of: 1, deliveries: 1 } },
    ],
  ],
  [
    'where audiences are not known, views are compared as a fact, and only with alike editions of as many deliveries',
    series(
      { twin: { rows: times(10, tuesday), name: 'Rota week 45' } },
      ...[10, 12, 15, 14, 8, 9].map((views): [number, number] => [views, views]),
    ),
    [
      ...times(3, {}),
      { broadcasts: [{ atAge: { seen: 14, earlier: null } }] },
      {
        broadcasts: [{ atAge: { seen: 8, usual: null, earlier: { fewest: 12, most: 15 } } }],
        needs: [],
        judged: { of: 1, deliveries: 0 },
      },
      { broadcasts: [{ atAge: { seen: 9, earlier: null } }] },
    ],
  ],
  [
    'what is archived after it was delivered is still counted, and no longer judged',
    inWeeks({ crowd, a: seenBy(0, 40, 1) }, { crowd, a: { rows: seenBy(10, 40, 8), status: 'archived' } }),
    [
      { deliveries: [{}, { kind: 'silent' }] },
      {
        totals: { seen: 10, previous: { seen: 150 } },
        deliveries: [{ kind: 'new', judgedBy: null }],
        needs: [],
        otherStatuses: {},
      },
    ],
  ],
  [
    'what an earlier filter of statuses wanted, or one of names left out, no longer counts by that',
    changed(
      inWeeks(
        ...['delivered', 'archived', 'archived'].map((status) => ({
          x: { rows: [row(on(1)), row(on(8)), row(on(15))], status },
        })),
      ),
      { only: { broadcastName: 'pool' } },
      { statuses: ['archived'] },
    ),
    [
      { noMatch: true, deliveries: [] },
      { totals: { seen: 1 } },
      { totals: { seen: 0 }, otherStatuses: { archived: 1 } },
    ],
  ],
  [
    'what could not be read before is shown once it can be, whenever it was seen',
    inWeeks({ x: { fault: { status: 403 } } }, { x: { fault: { status: 403 } } }, { x: times(20, tuesday) }),
    [
      {
        deliveries: [{ kind: null }],
        missing: [{ what: 'delivery', delivery: 'x', name: 'News x', reason: 'forbidden', status: 403 }],
      },
      { deliveries: [{ kind: null }] },
      { deliveries: [{ kind: 'active', seen: 20 }], missing: [] },
    ],
  ],
  [
    'what the last list did not have is not late',
    inWeeks(
      { b: times(20, tuesday), c: [tuesday] },
      { a: times(3, tuesday), b: times(21, tuesday) },
      { b: times(21, tuesday), c: times(2, tuesday) },
    ),
    [{}, { late: { seen: 1, responded: 0 }, deliveries: [{ id: 'a', kind: 'active' }] }, { late: { seen: 0 } }],
  ],
  [
    'a list that is ten long three times, with many new ones, may hold the newest alone',
    inWeeks(
      ...[0, 4, 8].map((first) =>
        Object.fromEntries(Array.from({ length: 10 }, (_, place) => [`d${first + place}`, [tuesday]])),
      ),
    ),
    [{ onlyNewest: false }, { onlyNewest: false }, { onlyNewest: true }],
  ],
  [
    'a week is not compared with a day of the week before it',
    changed(inWeeks({}, { a: [nextTuesday] }), { calendar: calendarOf('day', 'Europe/London', '2026-11-02') }),
    [{}, { totals: none('not-kept'), late: null }],
  ],
  [
    'what was new in a month is not new again in its last week, once the report is a weekly one',
    changed(
      inWeeks(...times(2, { a: { rows: [row(on(-5))], created: '2026-10-27T09:00:00Z' } })),
      { calendar: calendarOf('month', 'Europe/London', '2026-10-01') },
      { calendar: calendarOf('week', 'Europe/London', '2026-10-26') },
    ),
    [{ deliveries: [{ kind: 'new' }] }, { deliveries: [{ kind: 'active' }] }],
  ],
  [
    'a period that is run after a later one is not its own past',
    inWeeks(...times(2, { a: [tuesday, nextTuesday] })).toReversed(),
    [
      { totals: { seen: 1, ...none('first') }, deliveries: [{ kind: 'active' }] },
      { totals: { seen: 1, ...none('first-so-early') }, late: null, deliveries: [{ kind: 'new' }] },
    ],
  ],
];

test.each(cases)('%s', async (_title, scenario, expected) => {
  const digests = await check.digests(scenario);
  expect(digests).toHaveLength(expected.length);
  for (const [period, digest] of digests.entries()) expect(digest).toMatchObject(expected[period] ?? {});
  expect(await check.faults(scenario)).toEqual([]);
});
