import { describe, expect, test } from 'vitest';
import type { Engagement } from '../../../functions/ledger/runs/collections.ts';
import type { DeliveryHistory } from '../../../functions/ledger/runs/digests.ts';
import { includeDelivery, includeFor } from '../../../functions/run/inclusion.ts';
import { at, collected, engagement, week } from './compose/collected-samples.ts';

/** The week of 9 November 2026 in London; what is younger than 48 hours at its end is still counting. */
const first = includeFor(collected(), week, { earlier: [], hasLater: false, settleHours: 48 });
const bounds = { ...first.bounds, firstRun: false };

interface Case {
  engagement?: Engagement;
  createdAt?: string;
  history?: Omit<DeliveryHistory, 'listedIn'>;
  firstRun?: boolean;
}

/** The kind of a delivery, with `*` where it is judged and `~` where it is still counting; `unread` where it is of none. */
function included({ engagement: found, createdAt, history, firstRun = false }: Case): string {
  const inclusion = includeDelivery(
    found === undefined ? {} : { engagement: found },
    createdAt === undefined ? null : at(createdAt),
    history === undefined ? undefined : { listedIn: at('2026-11-02T00:00:00Z'), ...history },
    { ...bounds, firstRun },
  );
  if (inclusion === null) return 'left out';
  return `${inclusion.kind ?? 'unread'}${inclusion.judged ? '*' : ''}${inclusion.stillCounting ? '~' : ''}`;
}

const seenFirst = (instant: string, inPeriod = 0): Engagement =>
  engagement({ seen: 1, firstSign: at(instant), inPeriod: { seen: inPeriod, responded: 0, answered: 0 } });

describe('a delivery that somebody engaged with', () => {
  const pending = { pending: true } as const;
  test.each<{ first: string; inPeriod: number; history?: Case['history']; said: string }>([
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 0, said: 'left out' },
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 3, said: 'active' },
    { first: '2026-11-09T00:00:00Z', inPeriod: 1, said: 'new*' },
    { first: '2026-11-14T00:00:00Z', inPeriod: 1, said: 'new*' },
    { first: '2026-11-14T00:00:00.001Z', inPeriod: 1, said: 'new~' },
    { first: '2026-11-15T23:59:59.999Z', inPeriod: 1, said: 'new~' },
    { first: '2026-11-16T00:00:00Z', inPeriod: 0, said: 'left out' },
    { first: '2026-11-10T08:00:00Z', inPeriod: 1, history: { shown: true }, said: 'new*' },
    { first: '2026-11-10T08:00:00Z', inPeriod: 1, history: { new: true, shown: true }, said: 'active' },
    { first: '2026-11-08T08:00:00Z', inPeriod: 0, history: pending, said: 'active*' },
    { first: '2026-11-14T08:00:00Z', inPeriod: 1, history: { ...pending, new: true }, said: 'active~' },
    { first: '2026-11-16T08:00:00Z', inPeriod: 0, history: pending, said: 'left out' },
  ])(
    'first at $first, and $inPeriod times in the period, is $said (before: $history)',
    ({ first, inPeriod, history, said }) => {
      expect(included({ engagement: seenFirst(first, inPeriod), ...(history === undefined ? {} : { history }) })).toBe(
        said,
      );
    },
  );

  test('at unknown instants is included once, of no kind, unless its broadcast is later', () => {
    const found = engagement({ seen: 2, undated: 2 });
    expect(included({ engagement: found })).toBe('unread');
    expect(included({ engagement: found, history: { shown: true } })).toBe('left out');
    expect(included({ engagement: found, createdAt: '2026-11-16T00:00:00Z' })).toBe('left out');
  });
});

describe('a delivery that nobody engaged with', () => {
  const october = ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'].map((date) => `${date}T00:00:00+01:00`);
  test.each<{ why: string; said: string } & Omit<Case, 'engagement'>>([
    { why: 'no digest named it, however old it is', createdAt: '2025-01-01T00:00:00Z', said: 'silent' },
    { why: 'its creation is not known', said: 'silent' },
    { why: 'it was created just now', createdAt: '2026-11-15T23:59:59.999Z', said: 'silent~' },
    { why: 'it was created after the period', createdAt: '2026-11-16T00:00:00Z', said: 'left out' },
    { why: 'three digests named it', history: { namedIn: october.slice(1) }, said: 'silent' },
    { why: 'four digests named it', history: { namedIn: october }, said: 'left out' },
    { why: "the report's first digest left it out", history: { leftOut: true }, said: 'left out' },
    { why: 'a digest showed it as engaged with', history: { shown: true, engaged: true }, said: 'left out' },
    { why: 'no digest could read it', history: { pending: true }, said: 'silent' },
    ...[
      { createdAt: '2026-11-01T23:59:59.999Z', said: 'left out' },
      { createdAt: '2026-11-02T00:00:00Z', said: 'silent' },
      { createdAt: '2026-11-15T23:59:59.999Z', said: 'silent~' },
    ].map((each) => Object.assign(each, { firstRun: true, why: `it was created at ${each.createdAt} in a first run` })),
    { why: 'its creation is not known in a first run', firstRun: true, said: 'left out' },
  ])('is $said where $why', ({ said, ...rest }) => {
    expect(included({ engagement: engagement({ untouched: 9 }), ...rest })).toBe(said);
  });
});

describe('a delivery that cannot be read', () => {
  const counted = { engaged: 5, undated: 0, seen: 0, responded: 0 };
  test.each<{ why: string; said: string } & Omit<Case, 'engagement'>>([
    { why: 'nothing is known of it', said: 'unread' },
    {
      why: 'it is a first run, and its broadcast old',
      createdAt: '2025-01-01T00:00:00Z',
      firstRun: true,
      said: 'unread',
    },
    { why: 'its engagement so far came after the digest before', history: { counted }, said: 'unread' },
    { why: 'it is known to be older', history: { counted: { ...counted, responded: 1 } }, said: 'left out' },
    { why: 'it is known to be later', createdAt: '2026-11-16T00:00:00Z', said: 'left out' },
  ])('is $said where $why', ({ said, ...rest }) => {
    expect(included(rest)).toBe(said);
  });
});
