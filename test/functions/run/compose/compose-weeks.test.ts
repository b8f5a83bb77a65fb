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

/** Somebody's view: when it was, NaN where the service gives no readable date, and from when on it knows of it. */
interface View {
  seenAt: number;
  knownFrom: number;
}

/** A delivery, in a world that only grows. Runs are counted from 0. */
interface WorldDelivery {
  /** Its broadcast's creation; `null` where the service does not say it. */
  createdAt: number | null;
  views?: readonly View[];
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
  report?: object;
}

const runsAt = (...dates: string[]): RunAt[] => dates.map((date) => ({ scheduled: `${date}T08:00:00Z` }));
const mondays = runsAt('2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23');

/** What a collection counts of a delivery. */
function engagementOf(views: readonly View[], { start, end }: PeriodBounds): Engagement {
  const dated = views.map(({ seenAt }) => seenAt).filter((each) => !Number.isNaN(each));
  const count = (from: number, to: number) => dated.filter((each) => each >= from && each < to).length;
  return engagement({
    seen: views.length,
    undated: views.length - dated.length,
    inPeriod: { seen: count(start, end), responded: 0, answered: 0 },
    before: { seen: count(-Infinity, start), responded: 0 },
    firstSign: dated.length === 0 ? null : Math.min(...dated),
  });
}

/** The digest of each run, one after the other, as one ledger sees them: each goes by the one before. */
function compositionsOf(world: readonly WorldDelivery[], runs: readonly RunAt[] = mondays): Composition[] {
  const made: Composition[] = [];
  for (const [n, { scheduled, every = 'week', report = {} }] of runs.entries()) {
    const period = periodBefore(every, 'Europe/London', scheduled);
    const listed = [...world.entries()].filter(
      ([, { createdAt, listedIn = 0 }]) => listedIn <= n && (createdAt ?? 0) <= at(scheduled),
    );
    const isDelivered = ({ deliveredIn = 0 }: WorldDelivery): boolean => deliveredIn <= n;
    const found = collected({
      others: listed.filter(([, each]) => !isDelivered(each)).map(([id]) => listedDelivery(`d${id}`, 'sent')),
      recipients: listed
        .filter(([, each]) => isDelivered(each))
        .map(([id, { views = [], unread = [] }]) => {
          const known = views.filter(({ knownFrom }) => knownFrom <= at(scheduled));
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

const seen = (instant: string, knownFrom = instant): View => ({
  seenAt: at(instant),
  knownFrom: at(knownFrom),
});
/** Three views that become known at an instant, and whose dates nobody can read. */
const undated = (knownFrom: string): View[] => [1, 2, 3].map(() => ({ seenAt: Number.NaN, knownFrom: at(knownFrom) }));

describe('what six weekly digests say of a delivery', () => {
  const created = at('2026-10-12T08:00:00Z');
  const old = at('2025-10-12T08:00:00Z');
  const inFirstWeek = seen('2026-10-14T08:00:00Z');
  const onSunday = seen('2026-10-18T20:00:00Z');
  test.each<[what: string, delivery: WorldDelivery, said: string[]]>([
    [
      'silent until somebody sees it, then new, then active by a late view',
      { createdAt: created, views: [seen('2026-10-20T08:00:00Z'), seen('2026-11-04T08:00:00Z')] },
      ['silent', 'new*', '', 'active', '', ''],
    ],
    [
      'not new again by a view that becomes known later and is dated before the first',
      {
        createdAt: created,
        views: [inFirstWeek, seen('2026-10-13T09:00:00Z', '2026-10-22T08:00:00Z'), seen('2026-10-22T08:00:00Z')],
      },
      ['new*', 'active', '', '', '', ''],
    ],
    [
      'new at its first sign, however old its broadcast is',
      { createdAt: old, views: [inFirstWeek] },
      ['new*', '', '', '', '', ''],
    ],
    [
      'named four times while nobody sees it, also with a week between in which it cannot be read',
      { createdAt: created, unread: [1] },
      ['silent', 'unread', 'silent', 'silent', 'silent', ''],
    ],
    [
      'never named where the first digest finds it of unknown date, unless somebody engages',
      { createdAt: old, views: [seen('2026-11-04T08:00:00Z')] },
      ['', '', '', 'new*', '', ''],
    ],
    [
      'named where it is new to the list, however old its broadcast is',
      { createdAt: old, listedIn: 1 },
      ['', 'silent', 'silent', 'silent', 'silent', ''],
    ],
    [
      'still counting in the first, and judged in the next although nobody saw it since',
      { createdAt: created, views: [onSunday] },
      ['new~', 'active*', '', '', '', ''],
    ],
    [
      'still counting, then not to be read, then judged',
      { createdAt: created, views: [onSunday], unread: [1, 2] },
      ['new~', '', '', 'active*', '', ''],
    ],
    [
      'marked while it cannot be read, and judged in the first digest that can',
      { createdAt: created, views: [inFirstWeek], unread: [0, 1] },
      ['unread', 'unread', 'active*', '', '', ''],
    ],
    [
      'judged although its first view came in a week in which it could not be read, after one in which it was silent',
      { createdAt: created, views: [seen('2026-10-21T08:00:00Z')], unread: [1] },
      ['silent', 'unread', 'active*', '', '', ''],
    ],
    [
      'left out while it cannot be read, where an earlier digest left it out as older',
      { createdAt: old, views: [seen('2025-10-14T08:00:00Z')], unread: [1] },
      ['', '', '', '', '', ''],
    ],
    [
      'judged in the first digest that finds it delivered',
      { createdAt: created, views: [inFirstWeek], deliveredIn: 2 },
      ['', '', 'active*', '', '', ''],
    ],
    [
      'new and judged once somebody has seen it, where it is delivered in the same week',
      { createdAt: created, views: [seen('2026-10-27T08:00:00Z')], deliveredIn: 2 },
      ['', '', 'new*', '', '', ''],
    ],
    [
      'of no kind while too many of its dates cannot be read, and judged once new rows can',
      { createdAt: created, views: [...undated('2026-10-14T08:00:00Z'), seen('2026-10-20T08:00:00Z')] },
      ['unread', 'new*', '', '', '', ''],
    ],
    [
      'new while too many of its dates cannot be read, and judged in the next digest that goes by them',
      { createdAt: created, views: [inFirstWeek, ...undated('2026-10-14T08:00:00Z')] },
      ['new', 'active*', '', '', '', ''],
    ],
  ])('%s', (_what, delivery, said) => {
    expect(saidOf(digestsOf([delivery]))).toEqual(said);
  });

  test('that nobody sees is since when, and then only how many there are', () => {
    const digests = digestsOf([{ createdAt: created }, { createdAt: old }, { createdAt: null }]);
    const since = '2026-10-12T00:00:00+01:00';
    const said = digests.map(({ broadcasts, unseenNotNamed, unknownDate }) => [
      broadcasts.map(({ unseenSince }) => unseenSince ?? 'now').join(),
      unseenNotNamed,
      unknownDate,
    ]);
    expect(said).toEqual([
      ['now', 0, 2],
      [since, 0, 0],
      [since, 0, 0],
      [since, 0, 0],
      ['', 1, 0],
      ['', 1, 0],
    ]);
  });
});

test('a delivery is pending through daily digests until one ends so many hours after its first sign', () => {
  const days = runsAt('2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14');
  const of = (hours: object): RunAt[] =>
    days.map((each) => Object.assign({}, each, { every: 'day' as const, report: hours }));
  const world = [{ createdAt: at('2026-11-09T07:00:00Z'), views: [seen('2026-11-09T10:00:00Z')] }];
  expect(saidOf(digestsOf(world, of({})))).toEqual(['new~', '', 'active*', '', '']);
  expect(saidOf(digestsOf(world, of({ settleHours: 14 })))).toEqual(['new*', '', '', '', '']);
  expect(saidOf(digestsOf(world, of({ settleHours: 86 })))).toEqual(['new~', '', '', 'active*', '']);
});

test('a delivery is remembered for two years after it was last listed', () => {
  const before = history({
    kept: { listedIn: at('2024-11-10T00:00:00Z') },
    old: { listedIn: at('2024-11-03T00:00:00Z') },
  });
  const { deliveries } = compose(collected({ history: before })).history;
  expect([...deliveries.keys()]).toEqual(['kept']);
});
