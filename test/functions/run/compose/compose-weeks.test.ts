import { expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { boundsOf, periodBefore, type PeriodBounds, type PeriodKind } from '../../../../functions/domain/period.ts';
import type { Engagement } from '../../../../functions/ledger/runs/collections.ts';
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

/** A view: its day, `null` where its date cannot be read, and from which day on the service knows of it. */
interface View {
  day: string | null;
  knownFrom: string;
}

/** A delivery whose views only grow. Runs are counted from 0. */
interface Delivery {
  /** The day on which its broadcast was created; `null` where the service does not say it. */
  created: string | null;
  views?: readonly View[];
  /** The runs in which the service fails to answer about it. */
  unread?: readonly number[];
  /** The first run that finds it delivered: before, it is being sent. */
  deliveredIn?: number;
  /** The first run that finds it on the list. */
  listedIn?: number;
}

/** Everything happens at eight, and so do the runs. */
const ofDay = (day: string): number => at(`${day}T08:00:00Z`);

/** What a collection counts of a delivery. */
function engagementOf(views: readonly View[], { start, end }: PeriodBounds): Engagement {
  const dated = views.flatMap(({ day }) => (day === null ? [] : [ofDay(day)]));
  const count = (from: number, to: number) => dated.filter((each) => each >= from && each < to).length;
  return engagement({
    seen: views.length,
    undated: views.length - dated.length,
    inPeriod: { seen: count(start, end), responded: 0, answered: 0 },
    before: { seen: count(-Infinity, start), responded: 0 },
    firstSign: dated.length === 0 ? null : Math.min(...dated),
  });
}

const mondays = ['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'];

/** The digest of each run, one after the other, as one ledger sees them: each goes by the one before. */
function digestsOf(
  deliveries: readonly Delivery[],
  days: readonly string[] = mondays,
  { every = 'week', report = {} }: { every?: PeriodKind; report?: object } = {},
): Digest[] {
  const made: Array<ReturnType<typeof compose>> = [];
  for (const [n, day] of days.entries()) {
    const period = periodBefore(every, 'Europe/London', `${day}T08:00:00Z`);
    const listed = [...deliveries.entries()].filter(([, { listedIn = 0 }]) => listedIn <= n);
    const isDelivered = ([, { deliveredIn = 0 }]: [number, Delivery]): boolean => deliveredIn <= n;
    const answerOf = ({ views = [], unread = [] }: Delivery) => {
      const known = views.filter(({ knownFrom }) => knownFrom <= day);
      const unavailable = { reason: 'failed' as const };
      return unread.includes(n) ? { unavailable } : { engagement: engagementOf(known, boundsOf(period)) };
    };
    const found = collected({
      others: listed.filter((each) => !isDelivered(each)).map(([id]) => listedDelivery(`d${id}`, 'sent')),
      recipients: listed.filter(isDelivered).map(([id, each]) => recipients(`d${id}`, answerOf(each))),
      broadcasts: deliveries.map(({ created: on }, id) => broadcast(`d${id}`, on && `${on}T08:00:00Z`)),
      history: made.at(-1)?.history ?? null,
    });
    made.push(compose(found, { period, report, earlier: made.map(figuresOf) }));
  }
  return made.map(({ digest }) => digest);
}

/** What each digest says of the delivery: its kind, with `*` where it is judged and `~` where it is still counting; `-` nothing. */
const saidOf = (digests: readonly Digest[]): string =>
  digests
    .map(({ deliveries: [each] }) =>
      each === undefined ? '-' : `${each.kind ?? 'unread'}${each.judged ? '*' : ''}${each.stillCounting ? '~' : ''}`,
    )
    .join(' ');

const seen = (day: string, knownFrom = day): View => ({ day, knownFrom });
const created = '2026-10-12';
const old = '2025-10-12';
const inFirstWeek = seen('2026-10-14');
const onSunday = seen('2026-10-18');
const threeUndated = [1, 2, 3].map((): View => ({ day: null, knownFrom: '2026-10-14' }));
const learnedLater = [seen('2026-10-13', '2026-10-22'), seen('2026-10-22')];

test.each<[what: string, delivery: Delivery, said: string]>([
  ['seen later', { created, views: [seen('2026-10-20'), seen('2026-11-04')] }, 'silent new* - active - -'],
  [
    'with an earlier view that is known later',
    { created, views: [inFirstWeek, ...learnedLater] },
    'new* active - - - -',
  ],
  ['of an old broadcast, by its first sign', { created: old, views: [inFirstWeek] }, 'new* - - - - -'],
  ['that nobody sees, four times', { created, unread: [1] }, 'silent unread silent silent silent -'],
  ['of unknown date in a first digest', { created: old, views: [seen('2026-11-04')] }, '- - - new* - -'],
  ['that is new to the list', { created: old, listedIn: 1 }, '- silent silent silent silent -'],
  ['that is judged in the next', { created, views: [onSunday] }, 'new~ active* - - - -'],
  ['that is judged once it can be read', { created, views: [onSunday], unread: [1, 2] }, 'new~ - - active* - -'],
  ['that cannot be read at first', { created, views: [inFirstWeek], unread: [0, 1] }, 'unread unread active* - - -'],
  ['seen while unread', { created, views: [seen('2026-10-21')], unread: [1] }, 'silent unread active* - - -'],
  ['left out as older', { created: old, views: [seen('2025-10-14')], unread: [1] }, '- - - - - -'],
  ['that is delivered later', { created, views: [inFirstWeek], deliveredIn: 2 }, '- - active* - - -'],
  ['seen and delivered later', { created, views: [seen('2026-10-27')], deliveredIn: 2 }, '- - new* - - -'],
  ['whose dates can be read later', { created, views: [...threeUndated, seen('2026-10-20')] }, 'unread new* - - - -'],
  ['some of whose dates can be read', { created, views: [inFirstWeek, ...threeUndated] }, 'new active* - - - -'],
])('six weekly digests say of a delivery %s what they can, and each once: %j', (_what, delivery, said) => {
  expect(saidOf(digestsOf([delivery]))).toBe(said);
});

test('of deliveries that nobody sees it is said since when, and then only how many there are', () => {
  const digests = digestsOf([{ created }, { created: old }, { created: null }]);
  const sinces = digests.map(({ broadcasts }) => broadcasts.map(({ unseenSince }) => unseenSince));
  const since = '2026-10-12T00:00:00+01:00';
  expect(sinces).toEqual([[null], [since], [since], [since], [], []]);
  expect(digests.map(({ unseenNotNamed }) => unseenNotNamed)).toEqual([0, 0, 0, 0, 1, 1]);
  expect(digests.map(({ unknownDate }) => unknownDate)).toEqual([2, 0, 0, 0, 0, 0]);
});

test.each([
  { report: {}, said: 'new~ - active* - -' },
  { report: { settleHours: 16 }, said: 'new* - - - -' },
  { report: { settleHours: 88 }, said: 'new~ - - active* -' },
])('a delivery is pending through daily digests until one ends so long after its first sign: $report', (each) => {
  const days = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14'];
  const delivery = { created: '2026-11-09', views: [seen('2026-11-09')] };
  expect(saidOf(digestsOf([delivery], days, { every: 'day', report: each.report }))).toBe(each.said);
});

test('a delivery is remembered for two years after it was last listed', () => {
  const before = history({
    kept: { listedIn: at('2024-11-10T00:00:00Z') },
    old: { listedIn: at('2024-11-03T00:00:00Z') },
  });
  const { deliveries } = compose(collected({ history: before })).history;
  expect([...deliveries.keys()]).toEqual(['kept']);
});
