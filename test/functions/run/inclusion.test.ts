import { describe, expect, test } from 'vitest';
import type { DeliveryHistory } from '../../../functions/ledger/runs/delivery-history.ts';
import { includeDelivery, needsBroadcast, type DigestBounds } from '../../../functions/run/inclusion.ts';
import { at, engagement, type Engagement } from './compose/collected-samples.ts';

const bounds: DigestBounds = {
  startDate: '2026-11-09',
  precedingStart: at('2026-11-02T00:00:00Z'),
  start: at('2026-11-09T00:00:00Z'),
  end: at('2026-11-16T00:00:00Z'),
  timeZone: 'Europe/London',
  firstRun: false,
};
const firstRun = { ...bounds, firstRun: true };

interface Case {
  engagement?: Partial<Engagement>;
  createdAt?: string;
  shown?: DeliveryHistory;
  bounds?: DigestBounds;
}

function kindOf({ engagement: over, createdAt, shown, bounds: of = bounds }: Case) {
  const candidate =
    over === undefined ? { unavailable: { reason: 'failed' as const } } : { engagement: engagement(over) };
  const inclusion = includeDelivery(candidate, createdAt === undefined ? null : at(createdAt), shown, of);
  return inclusion === null ? 'not told' : inclusion.kind;
}
const seenFirst = (instant: string, inPeriod = 0): Partial<Engagement> => ({
  seen: 1,
  firstSign: at(instant),
  inPeriod: { seen: inPeriod, responded: 0 },
});

describe('a delivery that somebody engaged with', () => {
  test.each([
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 0, kind: 'not told' },
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 3, kind: 'active' },
    { first: '2026-11-09T00:00:00Z', inPeriod: 1, kind: 'new' },
    { first: '2026-11-15T23:59:59.999Z', inPeriod: 1, kind: 'new' },
    { first: '2026-11-16T00:00:00Z', inPeriod: 0, kind: 'not told' },
  ])('first at $first and $inPeriod times in the period is $kind', ({ first, inPeriod, kind }) => {
    expect(kindOf({ engagement: seenFirst(first, inPeriod) })).toBe(kind);
  });

  test('is active by a response alone', () => {
    const late = { responded: 1, firstSign: at('2026-10-01T00:00:00Z'), inPeriod: { seen: 0, responded: 1 } };
    expect(kindOf({ engagement: late })).toBe('active');
  });

  test('is new by its engagement, however old its broadcast is', () => {
    expect(kindOf({ engagement: seenFirst('2026-11-10T08:00:00Z', 1), createdAt: '2025-01-01T00:00:00Z' })).toBe('new');
  });

  test('is not new again where the digest of an earlier period counted it as new', () => {
    const again = seenFirst('2026-11-10T08:00:00Z', 1);
    expect(kindOf({ engagement: again, shown: { newIn: '2026-11-02' } })).toBe('active');
    expect(kindOf({ engagement: again, shown: { shownIn: '2026-11-02' } })).toBe('new');
    expect(kindOf({ engagement: again, shown: { newIn: '2026-11-09', shownIn: '2026-11-09' } })).toBe('new');
    expect(kindOf({ engagement: again, shown: { newIn: '2026-11-16' } })).toBe('new');
  });

  test('at instants that nobody knows has its broadcast’s creation as first sign', () => {
    const undated = { seen: 2, undated: 2 };
    expect(kindOf({ engagement: undated, createdAt: '2026-11-10T08:00:00Z' })).toBe('new');
    expect(kindOf({ engagement: undated, createdAt: '2026-11-01T08:00:00Z' })).toBe('not told');
    expect(kindOf({ engagement: undated, createdAt: '2026-11-16T08:00:00Z' })).toBe('not told');
  });

  test('at instants that nobody knows, of a broadcast that nobody can date, is told of once, of no kind', () => {
    expect(kindOf({ engagement: { seen: 2, undated: 2 } })).toBeNull();
    expect(kindOf({ engagement: { seen: 2, undated: 2 }, shown: { shownIn: '2026-11-02' } })).toBe('not told');
  });
});

describe('a delivery that nobody engaged with', () => {
  const listed = { listed: 9 };

  const october = ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'];
  test.each<{ why: string; shown?: DeliveryHistory; kind: string }>([
    { why: 'no digest named it', kind: 'silent' },
    { why: "the report's first digest left it out", shown: { leftOutIn: '2026-11-02' }, kind: 'not told' },
    { why: 'this digest, run before, left it out', shown: { leftOutIn: '2026-11-09' }, kind: 'silent' },
    { why: 'an earlier release named it, once', shown: { shownIn: '2026-11-02' }, kind: 'silent' },
    { why: 'three digests named it', shown: { shownIn: '2026-10-05', namedIn: october.slice(0, 3) }, kind: 'silent' },
    { why: 'four digests named it', shown: { shownIn: '2026-10-05', namedIn: october }, kind: 'not told' },
    {
      why: 'an earlier release and three digests named it',
      shown: { shownIn: '2026-10-05', namedIn: october.slice(1) },
      kind: 'not told',
    },
    {
      why: 'three digests and this one named it',
      shown: { shownIn: '2026-10-05', namedIn: [...october.slice(0, 3), '2026-11-09'] },
      kind: 'silent',
    },
    {
      why: 'four digests of later periods named it',
      shown: { namedIn: ['2026-11-16', '2026-11-23', '2026-11-30', '2026-12-07'] },
      kind: 'not told',
    },
    {
      why: 'an earlier digest showed it as engaged with',
      shown: { shownIn: '2026-11-02', engagedIn: '2026-11-02' },
      kind: 'not told',
    },
  ])('is $kind where $why', ({ shown, kind }) => {
    expect(
      kindOf({ engagement: listed, createdAt: '2026-11-10T08:00:00Z', ...(shown === undefined ? {} : { shown }) }),
    ).toBe(kind);
  });

  test('is silent however old it is, where earlier digests did not show it', () => {
    expect(kindOf({ engagement: listed, createdAt: '2025-01-01T00:00:00Z' })).toBe('silent');
  });

  test('is not told of before it exists', () => {
    expect(kindOf({ engagement: listed, createdAt: '2026-11-16T00:00:00Z' })).toBe('not told');
  });

  test.each([
    { createdAt: '2026-11-01T23:59:59.999Z', kind: 'not told' },
    { createdAt: '2026-11-02T00:00:00Z', kind: 'silent' },
    { createdAt: '2026-11-15T23:59:59.999Z', kind: 'silent' },
    { createdAt: '2026-11-16T00:00:00Z', kind: 'not told' },
  ])("in a report's first run is $kind if it was created at $createdAt", ({ createdAt, kind }) => {
    expect(kindOf({ engagement: listed, createdAt, bounds: firstRun })).toBe(kind);
  });

  test("in a report's first run is silent where its creation is not known", () => {
    expect(kindOf({ engagement: listed, bounds: firstRun })).toBe('silent');
  });
});

describe('a delivery that cannot be read', () => {
  test('is told of, of no kind', () => {
    expect(kindOf({})).toBeNull();
    expect(kindOf({ createdAt: '2026-01-01T00:00:00Z' })).toBeNull();
    expect(kindOf({ shown: { shownIn: '2026-11-02' } })).toBeNull();
    expect(kindOf({ bounds: firstRun })).toBeNull();
  });

  test('is not told of where it is known to be older: an earlier digest showed it as engaged with', () => {
    expect(kindOf({ shown: { shownIn: '2026-11-02', engagedIn: '2026-11-02' } })).toBe('not told');
    expect(kindOf({ shown: { engagedIn: '2026-11-09' } })).toBeNull();
  });

  test('is not told of where it is known to be later', () => {
    expect(kindOf({ createdAt: '2026-11-16T00:00:00Z' })).toBe('not told');
  });
});

describe('a broadcast has to be asked for', () => {
  test.each([
    {
      why: 'its delivery is new',
      candidate: { engagement: engagement(seenFirst('2026-11-10T08:00:00Z', 1)) },
      needed: true,
    },
    {
      why: 'its delivery is active',
      candidate: { engagement: engagement(seenFirst('2026-10-01T08:00:00Z', 1)) },
      needed: true,
    },
    { why: 'its delivery cannot be read', candidate: { unavailable: { reason: 'failed' as const } }, needed: true },
    { why: 'nobody has engaged', candidate: { engagement: engagement() }, needed: true },
    { why: 'nothing dates its delivery', candidate: { engagement: engagement({ seen: 1, undated: 1 }) }, needed: true },
    {
      why: 'its delivery is older',
      candidate: { engagement: engagement(seenFirst('2026-10-01T08:00:00Z')) },
      needed: false,
    },
    {
      why: 'its delivery is later',
      candidate: { engagement: engagement(seenFirst('2026-11-17T08:00:00Z')) },
      needed: false,
    },
  ])('or not, as $why: $needed', ({ candidate, needed }) => {
    expect(needsBroadcast(candidate, undefined, bounds, { recount: false })).toBe(needed);
  });

  test('where the preceding period is counted again and its delivery was engaged with then', () => {
    const before = seenFirst('2026-10-01T08:00:00Z');
    const then = engagement({ ...before, inPrecedingPeriod: { seen: 0, responded: 1 } });
    expect(needsBroadcast({ engagement: then }, undefined, bounds, { recount: true })).toBe(true);
    expect(needsBroadcast({ engagement: then }, undefined, bounds, { recount: false })).toBe(false);
    expect(needsBroadcast({ engagement: engagement(before) }, undefined, bounds, { recount: true })).toBe(false);
  });
});
