import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { boundsOf, periodBefore, type PeriodBounds, type PeriodKind } from '../../../../functions/domain/period.ts';
import type { Engagement } from '../../../../functions/ledger/runs/collections.ts';
import type { Composition } from '../../../../functions/run/compose/compose.ts';
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
} from './collected-samples.ts';

/** Somebody's view or response: when it happened, NaN where the service gives no readable date, and from when on it knows of it. */
interface Sign {
  seenAt: number | null;
  respondedAt: number | null;
  knownFrom: number;
}

/** A delivery, in a world that only grows. Runs are counted from 0. */
interface WorldDelivery {
  /** Its broadcast's creation; `null` where the service does not say it. */
  createdAt: number | null;
  signs?: readonly Sign[];
  /** The runs in which the service fails to answer about it. */
  unread?: readonly number[];
  /** The first run that finds it delivered: before, it is being sent. */
  deliveredIn?: number;
  /** The first run that finds it on the list. */
  listedIn?: number;
}

/** What a run goes by, beside the world. */
interface RunAt {
  scheduled: string;
  every?: PeriodKind;
  timeZone?: string;
  report?: object;
}

const runsAt = (...dates: string[]): RunAt[] => dates.map((date) => ({ scheduled: `${date}T08:00:00Z` }));
const mondays = runsAt('2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23');

/** What a collection counts of a delivery. */
function engagementOf(signs: readonly Sign[], { start, end }: PeriodBounds): Engagement {
  const dated = (what: 'seenAt' | 'respondedAt') => signs.flatMap((each) => each[what] ?? []);
  const count = (from: number, to: number) => {
    const of = (what: 'seenAt' | 'respondedAt') => dated(what).filter((each) => each >= from && each < to).length;
    return { seen: of('seenAt'), responded: of('respondedAt') };
  };
  const instants = [...dated('seenAt'), ...dated('respondedAt')].filter((each) => !Number.isNaN(each));
  const undated = signs.filter(({ seenAt, respondedAt }) => Number.isNaN(seenAt) || Number.isNaN(respondedAt)).length;
  return engagement({
    seen: dated('seenAt').length,
    responded: dated('respondedAt').length,
    engaged: signs.length,
    undated,
    inPeriod: { ...count(start, end), answered: 0 },
    before: count(-Infinity, start),
    firstSign: instants.length === 0 ? null : Math.min(...instants),
  });
}

/** The digest of each run, one after the other, as one ledger sees them: each goes by the one before. */
function compositionsOf(world: readonly WorldDelivery[], runs: readonly RunAt[] = mondays): Composition[] {
  const made: Composition[] = [];
  for (const [n, { scheduled, every = 'week', timeZone = 'Europe/London', report = {} }] of runs.entries()) {
    const period = periodBefore(every, timeZone, scheduled);
    const listed = [...world.entries()].filter(
      ([, { createdAt, listedIn = 0 }]) => listedIn <= n && (createdAt ?? 0) <= at(scheduled),
    );
    const isDelivered = ({ deliveredIn = 0 }: WorldDelivery): boolean => deliveredIn <= n;
    const found = collected({
      others: listed.filter(([, each]) => !isDelivered(each)).map(([id]) => listedDelivery(`d${id}`, 'sent')),
      recipients: listed
        .filter(([, each]) => isDelivered(each))
        .map(([id, { signs = [], unread = [] }]) => {
          const known = signs.filter(({ knownFrom }) => knownFrom <= at(scheduled));
          const unavailable = { reason: 'failed' as const };
          const answer = unread.includes(n) ? { unavailable } : { engagement: engagementOf(known, boundsOf(period)) };
          return recipients(`d${id}`, answer);
        }),
      broadcasts: world.map(({ createdAt }, id) =>
        broadcast(`d${id}`, createdAt === null ? null : new Date(createdAt).toISOString()),
      ),
      history: made.at(-1)?.history ?? null,
    });
    made.push(compose(found, { period, report, earlier: made.map(figuresOf) }));
  }
  return made;
}

const digestsOf = (...world: Parameters<typeof compositionsOf>): Digest[] =>
  compositionsOf(...world).map(({ digest }) => digest);

/** What each digest says of a delivery: its kind, with `*` where it is judged and `~` where it is still counting. */
const saidOf = (digests: readonly Digest[], id = 'd0') =>
  digests.map(({ deliveries }) => {
    const delivery = deliveries.find((each) => each.id === id);
    if (delivery === undefined) return '';
    return `${delivery.kind ?? 'unread'}${delivery.judged ? '*' : ''}${delivery.stillCounting ? '~' : ''}`;
  });

const seen = (instant: string, knownFrom = instant): Sign => ({
  seenAt: at(instant),
  respondedAt: null,
  knownFrom: at(knownFrom),
});
/** So many views that become known at an instant, and whose dates nobody can read. */
const undated = (views: number, knownFrom: string): Sign[] =>
  Array.from({ length: views }, () => ({ seenAt: Number.NaN, respondedAt: null, knownFrom: at(knownFrom) }));

describe('what six weekly digests say of a delivery', () => {
  const created = at('2026-10-12T08:00:00Z');
  const old = at('2025-10-12T08:00:00Z');
  const inFirstWeek = seen('2026-10-14T08:00:00Z');
  const onSunday = seen('2026-10-18T20:00:00Z');
  test.each<[what: string, delivery: WorldDelivery, said: string[]]>([
    [
      'silent until somebody sees it, then new, then active by a late view',
      { createdAt: created, signs: [seen('2026-10-20T08:00:00Z'), seen('2026-11-04T08:00:00Z')] },
      ['silent', 'new*', '', 'active', '', ''],
    ],
    [
      'not new again by a view that becomes known later and is dated before the first',
      {
        createdAt: created,
        signs: [inFirstWeek, seen('2026-10-13T09:00:00Z', '2026-10-22T08:00:00Z'), seen('2026-10-22T08:00:00Z')],
      },
      ['new*', 'active', '', '', '', ''],
    ],
    [
      'new at its first sign, however old its broadcast is',
      { createdAt: old, signs: [inFirstWeek] },
      ['new*', '', '', '', '', ''],
    ],
    [
      'named four times while nobody sees it, also with a week between in which it cannot be read',
      { createdAt: created, unread: [1] },
      ['silent', 'unread', 'silent', 'silent', 'silent', ''],
    ],
    [
      'never named where the first digest finds it of unknown date, unless somebody engages',
      { createdAt: old, signs: [seen('2026-11-04T08:00:00Z')] },
      ['', '', '', 'new*', '', ''],
    ],
    [
      'named where it is new to the list, however old its broadcast is',
      { createdAt: old, listedIn: 1 },
      ['', 'silent', 'silent', 'silent', 'silent', ''],
    ],
    [
      'still counting in the first, and judged in the next although nobody saw it since',
      { createdAt: created, signs: [onSunday] },
      ['new~', 'active*', '', '', '', ''],
    ],
    [
      'still counting, then not to be read, then judged',
      { createdAt: created, signs: [onSunday], unread: [1, 2] },
      ['new~', '', '', 'active*', '', ''],
    ],
    [
      'marked while it cannot be read, and judged in the first digest that can',
      { createdAt: created, signs: [inFirstWeek], unread: [0, 1] },
      ['unread', 'unread', 'active*', '', '', ''],
    ],
    [
      'judged although its first view came in a week in which it could not be read, after one in which it was silent',
      { createdAt: created, signs: [seen('2026-10-21T08:00:00Z')], unread: [1] },
      ['silent', 'unread', 'active*', '', '', ''],
    ],
    [
      'left out while it cannot be read, where an earlier digest left it out as older',
      { createdAt: old, signs: [seen('2025-10-14T08:00:00Z')], unread: [1] },
      ['', '', '', '', '', ''],
    ],
    [
      'judged in the first digest that finds it delivered',
      { createdAt: created, signs: [inFirstWeek], deliveredIn: 2 },
      ['', '', 'active*', '', '', ''],
    ],
    [
      'new and judged once somebody has seen it, where it is delivered in the same week',
      { createdAt: created, signs: [seen('2026-10-27T08:00:00Z')], deliveredIn: 2 },
      ['', '', 'new*', '', '', ''],
    ],
    [
      'of no kind while too many of its dates cannot be read, and judged once new rows can',
      { createdAt: created, signs: [...undated(3, '2026-10-14T08:00:00Z'), seen('2026-10-20T08:00:00Z')] },
      ['unread', 'new*', '', '', '', ''],
    ],
    [
      'new while too many of its dates cannot be read, and judged in the next digest that goes by them',
      { createdAt: created, signs: [inFirstWeek, ...undated(3, '2026-10-14T08:00:00Z')] },
      ['new', 'active*', '', '', '', ''],
    ],
  ])('%s', (_what, delivery, said) => {
    expect(saidOf(digestsOf([delivery]))).toEqual(said);
  });

  test('a first view that vanishes does not make it new again', () => {
    const [first] = compositionsOf([{ createdAt: created, signs: [inFirstWeek] }]);
    const period = periodBefore('week', 'Europe/London', '2026-10-26T08:00:00Z');
    const later = recipients('d0', { engagement: engagementOf([seen('2026-10-21T08:00:00Z')], boundsOf(period)) });
    const found = collected({ recipients: [later], history: first?.history ?? null });
    expect(saidOf([compose(found, { period }).digest])).toEqual(['active']);
  });

  test('that nobody sees is since when, and then only how many there are', () => {
    const digests = digestsOf([{ createdAt: created }, { createdAt: old }, { createdAt: null }]);
    const since = '2026-10-12T00:00:00+01:00';
    expect(digests.map(({ broadcasts }) => broadcasts.map(({ unseenSince }) => unseenSince))).toEqual([
      [null],
      [since],
      [since],
      [since],
      [],
      [],
    ]);
    expect(digests.map(({ unseenNotNamed, unknownDate }) => [unseenNotNamed, unknownDate])).toEqual([
      [0, 2],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
  });
});

test('a delivery is pending through daily digests until one ends so many hours after its first sign', () => {
  const days = runsAt('2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14');
  const of = (hours: object): RunAt[] =>
    days.map((each) => Object.assign({}, each, { every: 'day' as const, report: hours }));
  const world = [{ createdAt: at('2026-11-09T07:00:00Z'), signs: [seen('2026-11-09T10:00:00Z')] }];
  expect(saidOf(digestsOf(world, of({})))).toEqual(['new~', '', 'active*', '', '']);
  expect(saidOf(digestsOf(world, of({ settleHours: 14 })))).toEqual(['new*', '', '', '', '']);
  expect(saidOf(digestsOf(world, of({ settleHours: 86 })))).toEqual(['new~', '', '', 'active*', '']);
});

describe('what is late is not known', () => {
  const signs = [seen('2026-10-14T08:00:00Z'), seen('2026-10-15T08:00:00Z', '2026-10-20T08:00:00Z')];
  const delivery: WorldDelivery = { createdAt: at('2026-10-12T08:00:00Z'), signs };
  const [first = { scheduled: '' }, second = { scheduled: '' }, third = { scheduled: '' }] = mondays;
  const all = { statuses: ['delivered', 'sent'] };
  test.each<[where: string, world: WorldDelivery[], runs: RunAt[], late: Array<number | null>]>([
    [
      'in an incomplete digest and after one',
      [delivery, { ...delivery, unread: [1] }],
      mondays.slice(0, 4),
      [null, null, null, 0],
    ],
    [
      'under other filters than before',
      [delivery],
      [first, { ...second, report: all }, { ...third, report: all }],
      [null, null, 0],
    ],
    ['where no digest of the period before was made', [delivery], [first, third], [null, null]],
  ])('%s', (_where, world, runs, late) => {
    expect(digestsOf(world, runs).map((digest) => digest.late?.seen ?? null)).toEqual(late);
  });

  test('where a digest of a later period was made', () => {
    const [made] = compositionsOf([delivery]);
    if (made === undefined) throw new Error('There is one.');
    const period = periodBefore('week', 'Europe/London', second.scheduled);
    const found = collected({ recipients: [recipients('d0', { engagement: engagement() })], history: made.history });
    const lateOf = (hasLater: boolean) => compose(found, { period, earlier: [figuresOf(made)], hasLater }).digest.late;
    expect([lateOf(false), lateOf(true)]).toEqual([{ seen: 0, responded: 0 }, null]);
  });
});

test('a delivery is remembered for two years after it was last listed', () => {
  const before = history({
    kept: { listedIn: at('2024-11-10T00:00:00Z') },
    old: { listedIn: at('2024-11-03T00:00:00Z') },
  });
  const { deliveries } = compose(collected({ history: before })).history;
  expect([...deliveries.keys()]).toEqual(['kept']);
});

const instant = fc
  .integer({ min: at('2026-10-05T00:00:00Z') / 60_000, max: at('2026-11-09T00:00:00Z') / 60_000 })
  .map((minutes) => minutes * 60_000);
const delay = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  fc.nat(20 * 24 * 60).map((minutes) => minutes * 60_000),
);
/** How long after its delivery's broadcast was created; nobody engages before. */
const wait = fc.nat(30 * 24 * 60).map((minutes) => minutes * 60_000);
const sign = fc.record({ seenAfter: fc.option(wait), respondedAfter: fc.option(wait), delay });
const worldsWith = (unread: fc.Arbitrary<number[]>) =>
  fc.array(
    fc
      .record({ createdAt: instant, waits: fc.array(sign, { maxLength: 6 }), unread, deliveredIn: fc.nat(3) })
      .map(({ waits, ...delivery }): Required<Omit<WorldDelivery, 'listedIn'>> & { createdAt: number } =>
        Object.assign({}, delivery, {
          signs: waits.map(({ seenAfter, respondedAfter, delay: after }) => ({
            seenAt: seenAfter === null ? null : delivery.createdAt + seenAfter,
            respondedAt: respondedAfter === null ? null : delivery.createdAt + respondedAfter,
            knownFrom: delivery.createdAt + Math.max(seenAfter ?? 0, respondedAfter ?? 0) + after,
          })),
        }),
      ),
    { maxLength: 6 },
  );

test('over any six weeks a delivery is new at most once, judged at most once, silent at most four times, and never silent once it was new', () => {
  const unread = fc.oneof({ weight: 5, arbitrary: fc.constant<number[]>([]) }, fc.subarray([0, 1, 2, 3, 4, 5]));
  fc.assert(
    fc.property(worldsWith(unread), (world) => {
      const digests = digestsOf(world);
      for (const id of world.keys()) {
        const said = saidOf(digests, `d${id}`);
        const times = (what: string) => said.filter((each) => each.includes(what)).length;
        expect([times('new') <= 1, times('*') <= 1, times('silent') <= 4], said.join()).toEqual([true, true, true]);
        const firstNew = said.findIndex((each) => each.startsWith('new'));
        if (firstNew !== -1) expect(said.slice(firstNew).join()).not.toContain('silent');
      }
    }),
    { numRuns: 100 },
  );
});

test('over any six weeks every view and response is in the totals of its week or late, and each once', () => {
  fc.assert(
    fc.property(worldsWith(fc.constant([])), (world) => {
      const digests = digestsOf(world);
      let counted = { seen: 0, responded: 0 };
      for (const [n, { totals, late, period }] of digests.entries()) {
        const known = world
          .filter(({ deliveredIn }) => deliveredIn <= n)
          .flatMap(({ signs }) => signs.filter(({ knownFrom }) => knownFrom <= at(mondays[n]?.scheduled ?? '')));
        const before = (what: 'seenAt' | 'respondedAt', end: string) =>
          known.filter((each) => each[what] !== null && each[what] < at(end)).length;
        const inPeriod = (what: 'seenAt' | 'respondedAt') => before(what, period.end) - before(what, period.start);
        expect([totals.seen, totals.responded]).toEqual([inPeriod('seenAt'), inPeriod('respondedAt')]);
        const upToNow = { seen: before('seenAt', period.end), responded: before('respondedAt', period.end) };
        if (n > 0) {
          expect(late).toEqual({
            seen: upToNow.seen - counted.seen - inPeriod('seenAt'),
            responded: upToNow.responded - counted.responded - inPeriod('respondedAt'),
          });
          const { undated: _u, previous: _p, comparison: _c, ...figures } = digests[n - 1]?.totals ?? totals;
          expect([totals.previous, totals.comparison]).toEqual([figures, { basis: 'kept' }]);
        }
        counted = upToNow;
      }
    }),
    { numRuns: 100 },
  );
});
