import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import type { StoredFigures } from '../../../../functions/ledger/runs/figures.ts';
import type { DeliveryHistory } from '../../../../functions/ledger/runs/delivery-history.ts';
import { boundsOf, periodBefore, type PeriodBounds } from '../../../../functions/domain/period.ts';
import { at, collected, compose, engagement, type Engagement } from './collected-samples.ts';

/** Somebody's view or response: when it happened, and from when on the service knows of it. */
interface Sign {
  seenAt: number | null;
  respondedAt: number | null;
  knownFrom: number;
}

/** A delivery that the service lists from an instant on, in a world that only grows. */
interface WorldDelivery {
  createdAt: number;
  signs: Sign[];
  /** In which of the weeks the service fails to tell of it. */
  unread: readonly number[];
}

/** What a ledger keeps from one week to the next. */
interface Memory {
  shown: Record<string, DeliveryHistory>;
  figures: StoredFigures[];
}

const mondays = ['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'].map(
  (date) => `${date}T08:00:00Z`,
);
const periods = mondays.map((monday) => periodBefore('week', 'Europe/London', monday));

/** What a collection counts of a delivery. */
function engagementOf(signs: readonly Sign[], { precedingStart, start, end }: PeriodBounds): Engagement {
  const dated = (what: 'seenAt' | 'respondedAt') => signs.flatMap((each) => each[what] ?? []);
  const within = (from: number, to: number) => {
    const count = (instants: number[]) => instants.filter((instant) => instant >= from && instant < to).length;
    return { seen: count(dated('seenAt')), responded: count(dated('respondedAt')) };
  };
  const instants = [...dated('seenAt'), ...dated('respondedAt')];
  return engagement({
    listed: signs.length,
    seen: dated('seenAt').length,
    responded: dated('respondedAt').length,
    inPeriod: within(start, end),
    inPrecedingPeriod: within(precedingStart, start),
    firstSign: instants.length === 0 ? null : Math.min(...instants),
  });
}

/** The digest of the week `n`, from what the service knows on its Monday. */
function digestOf(world: readonly WorldDelivery[], n: number, memory: Memory): Digest {
  const period = periods[n];
  const now = at(mondays[n] ?? '');
  if (period === undefined) throw new Error('There is no such week.');
  const bounds = boundsOf(period);
  const recipients: Found<'recipients'>[] = [];
  for (const [id, { createdAt, signs, unread }] of world.entries()) {
    if (createdAt > now) continue;
    const delivery = { id: `d${id}`, broadcast: { id: `b${id}`, name: null }, status: 'delivered' };
    const known = signs.filter(({ knownFrom }) => knownFrom <= now);
    recipients.push({
      delivery,
      ...(unread.includes(n) ? { unavailable: { reason: 'failed' } } : { engagement: engagementOf(known, bounds) }),
    });
  }
  const broadcasts = world.map(({ createdAt }, id): Found<'broadcasts'> => ({
    id: `b${id}`,
    broadcast: { name: null, createdAt, createdBy: null, contents: [] },
  }));
  const composition = compose(collected({ recipients, broadcasts, shown: memory.shown }), {
    period,
    earlierFigures: memory.figures,
  });
  for (const [key, said] of composition.shown) {
    const before = memory.shown[key] ?? {};
    const namedIn = [...(before.namedIn ?? []), ...(said.namedIn ?? [])];
    memory.shown[key] = { ...said, ...before, ...(namedIn.length === 0 ? {} : { namedIn }) };
  }
  memory.figures.push(composition.figures);
  return composition.digest;
}

/** The digests of the six weeks, one after the other, as one ledger sees them. */
function digestsOf(world: readonly WorldDelivery[]): Digest[] {
  const memory: Memory = { shown: {}, figures: [] };
  const digests: Digest[] = [];
  for (const n of mondays.keys()) digests.push(digestOf(world, n, memory));
  return digests;
}

const kindsOf = (digests: readonly Digest[], id: string) =>
  digests.map(({ deliveries }) => deliveries.find((delivery) => delivery.id === id)?.kind);

const nothing = Array.from({ length: 4 }, () => undefined);

const seen = (instant: string, knownFrom = instant): Sign => ({
  seenAt: at(instant),
  respondedAt: null,
  knownFrom: at(knownFrom),
});

test('a delivery is silent until somebody sees it, then new, then active when somebody sees it late', () => {
  const world = [
    {
      createdAt: at('2026-10-14T08:00:00Z'),
      signs: [seen('2026-10-20T08:00:00Z'), seen('2026-11-04T08:00:00Z')],
      unread: [],
    },
  ];
  expect(kindsOf(digestsOf(world), 'd0')).toEqual(['silent', 'new', undefined, 'active', undefined, undefined]);
});

test('a view that becomes known later, dated before the first one, does not make its delivery new again', () => {
  const world = [
    {
      createdAt: at('2026-10-13T08:00:00Z'),
      signs: [
        seen('2026-10-14T08:00:00Z'),
        seen('2026-10-13T09:00:00Z', '2026-10-22T08:00:00Z'),
        seen('2026-10-22T08:00:00Z'),
      ],
      unread: [],
    },
  ];
  expect(kindsOf(digestsOf(world), 'd0')).toEqual(['new', 'active', ...nothing]);
});

test('a delivery that nobody sees is named in four digests, from the second on with since when', () => {
  const digests = digestsOf([{ createdAt: at('2026-10-14T08:00:00Z'), signs: [], unread: [1] }]);
  const since = '2026-10-12T00:00:00+01:00';
  expect(kindsOf(digests, 'd0')).toEqual(['silent', null, 'silent', 'silent', 'silent', undefined]);
  expect(digests.map(({ broadcasts }) => broadcasts[0]?.unseenSince)).toEqual([
    null,
    null,
    since,
    since,
    since,
    undefined,
  ]);
  expect(digests.map(({ unseenNotNamed }) => unseenNotNamed)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('a delivery that the first digest leaves out as too old is not named by a later one either', () => {
  const old = { createdAt: at('2026-10-04T08:00:00Z'), signs: [], unread: [] };
  const recent = { createdAt: at('2026-10-05T08:00:00Z'), signs: [], unread: [] };
  const digests = digestsOf([old, recent]);
  expect(kindsOf(digests, 'd0').every((kind) => kind === undefined)).toBe(true);
  expect(kindsOf(digests, 'd1').slice(0, 2)).toEqual(['silent', 'silent']);
  expect(digests.map(({ unseenNotNamed }) => unseenNotNamed)).toEqual([1, 1, 1, 1, 2, 2]);
});

test('a digest that is composed again names nothing as unseen since its own period', () => {
  const unseen = [{ createdAt: at('2026-10-14T08:00:00Z'), signs: [], unread: [] }];
  const memory: Memory = { shown: {}, figures: [] };
  const digests = [digestOf(unseen, 0, memory), digestOf(unseen, 0, { ...memory, figures: [] })];
  expect(digests.map(({ broadcasts }) => broadcasts.map(({ kind, unseenSince }) => [kind, unseenSince]))).toEqual([
    [['silent', null]],
    [['silent', null]],
  ]);
});

/** A world of one delivery. */
const world = (signs: Sign[]): WorldDelivery[] => [{ createdAt: at('2026-10-13T08:00:00Z'), signs, unread: [] }];

test('a first view that vanishes does not make its delivery new again', () => {
  const memory: Memory = { shown: {}, figures: [] };
  const first = digestOf(world([seen('2026-10-14T08:00:00Z')]), 0, memory);
  const second = digestOf(world([seen('2026-10-21T08:00:00Z')]), 1, memory);
  expect(kindsOf([first, second], 'd0')).toEqual(['new', 'active']);
});

test('an unread delivery is marked in its week, and new in none that it was not first seen in', () => {
  const world = [
    {
      createdAt: at('2026-10-13T08:00:00Z'),
      signs: [seen('2026-10-14T08:00:00Z'), seen('2026-10-21T08:00:00Z')],
      unread: [0],
    },
  ];
  expect(kindsOf(digestsOf(world), 'd0')).toEqual([null, 'active', ...nothing]);
});

test('each week is compared with what the digest of the week before told, not with what is known of it now', () => {
  const world = [
    {
      createdAt: at('2026-10-13T08:00:00Z'),
      signs: [seen('2026-10-14T08:00:00Z'), seen('2026-10-15T08:00:00Z', '2026-10-22T08:00:00Z')],
      unread: [],
    },
  ];
  const [first, second] = digestsOf(world);
  expect(first?.totals).toMatchObject({ deliveries: 1, seen: 1, comparison: { basis: 'none', reason: 'first-run' } });
  expect(second?.totals).toMatchObject({
    deliveries: 0,
    seen: 0,
    previous: { deliveries: 1, broadcasts: 1, seen: 1, responded: 0, asked: { seen: 0, responded: 0 } },
    comparison: { basis: 'kept' },
  });
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
const unread = fc.oneof({ weight: 5, arbitrary: fc.constant<number[]>([]) }, fc.subarray([0, 1, 2, 3, 4, 5]));
const worlds = fc.array(
  fc
    .record({ createdAt: instant, waits: fc.array(sign, { maxLength: 6 }), unread })
    .map(({ createdAt, waits, unread: weeks }): WorldDelivery => ({
      createdAt,
      unread: weeks,
      signs: waits.map(({ seenAfter, respondedAfter, delay: after }) => ({
        seenAt: seenAfter === null ? null : createdAt + seenAfter,
        respondedAt: respondedAfter === null ? null : createdAt + respondedAfter,
        knownFrom: createdAt + Math.max(seenAfter ?? 0, respondedAfter ?? 0) + after,
      })),
    })),
  { maxLength: 6 },
);

test('over any six weeks a delivery is new at most once and silent at most four times, and never silent after it was new', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const digests = digestsOf(world);
      for (const id of world.keys()) {
        const kinds = kindsOf(digests, `d${id}`);
        expect(kinds.filter((kind) => kind === 'new').length).toBeLessThanOrEqual(1);
        expect(kinds.filter((kind) => kind === 'silent').length).toBeLessThanOrEqual(4);
        if (kinds.includes('new')) expect(kinds.lastIndexOf('silent')).toBeLessThan(kinds.indexOf('new'));
      }
    }),
    { numRuns: 150 },
  );
});

test('over any six weeks the totals are the views and responses that the service knew of, dated in the week', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      for (const [n, { totals, missing }] of digestsOf(world).entries()) {
        const { start, end } = periods[n] ?? { start: '', end: '' };
        const now = at(mondays[n] ?? '');
        const known = world.filter(({ createdAt }) => createdAt <= now);
        const unread = known.some((each) => each.unread.includes(n) && each.createdAt < at(end));
        const dated = (what: 'seenAt' | 'respondedAt') =>
          known
            .flatMap(({ signs }) => signs.filter(({ knownFrom }) => knownFrom <= now))
            .filter((each) => each[what] !== null && each[what] >= at(start) && each[what] < at(end)).length;
        // Where all that is listed is of later, the list no longer reaches back to the week.
        const tooShort = missing.some(({ reason }) => reason === 'list-too-short');
        if (tooShort) expect([dated('seenAt'), dated('respondedAt')]).toEqual([0, 0]);
        const expected = unread || tooShort ? [null, null] : [dated('seenAt'), dated('respondedAt')];
        expect([totals.seen, totals.responded]).toEqual(expected);
      }
    }),
    { numRuns: 150 },
  );
});

test('over any six weeks each change is against what the week before told, where that was complete', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const digests = digestsOf(world);
      for (const [n, { totals }] of digests.entries()) {
        const before = digests[n - 1]?.totals;
        if (before === undefined || before.seen === null || totals.seen === null) continue;
        const { undated: _u, previous: _p, comparison: _c, ...figures } = before;
        expect(totals.previous).toEqual(figures);
        expect(totals.comparison).toEqual({ basis: 'kept' });
      }
    }),
    { numRuns: 100 },
  );
});
