import { figuresOf } from '../../../functions/digest/figures.ts';
import type {
  Digest,
  DigestBroadcast,
  DigestContent,
  DigestDelivery,
  Need,
  PeriodFigures,
} from '../../../functions/digest/schema.ts';

// The builder of the digests that only tests need; the others are those of `templates/samples/`. Totals are summed of rows.

const start = '2026-11-09T00:00:00+00:00';
const end = '2026-11-16T00:00:00+00:00';

type Counts = readonly [seen: number | null, responded: number | null];

/** A content item that so many saw and so many responded to. */
export function item(type: string, [seen, responded]: Counts, over: Partial<DigestContent> = {}): DigestContent {
  const answered = seen === null || responded === null ? null : Math.min(seen, responded);
  return { id: type, type, listed: seen, audience: null, seen, responded, answered, ...over };
}

let deliveries = 500;

/** A delivery that so many saw by the end, all of them in the period, and so many responded to. */
export function delivery([seen, responded]: Counts, over: Partial<DigestDelivery> = {}): DigestDelivery {
  const answered = seen === null || responded === null ? null : Math.min(seen, responded);
  deliveries += 1;
  return {
    id: String(deliveries),
    status: 'delivered',
    firstSign: seen === 0 || seen === null ? null : '2026-11-10T08:00:00+00:00',
    isLater: false,
    listed: over.audience ?? seen,
    audience: null,
    seen,
    responded,
    answered,
    inPeriod: { seen, responded },
    contents: [],
    ...over,
  };
}

/** A broadcast with its deliveries: a new one that asks, unless said otherwise. */
export function broadcast(
  name: string | null,
  rows: readonly DigestDelivery[],
  over: Partial<DigestBroadcast> = {},
): DigestBroadcast {
  return {
    id: `b${rows[0]?.id}`,
    name,
    createdAt: '2026-11-09T09:30:00+00:00',
    createdBy: 'Priya Shah',
    group: 'new',
    asks: true,
    stillCounting: false,
    line: null,
    deliveries: [...rows],
    ...over,
  };
}

/** What is said of a broadcast that needs somebody, of all its deliveries. */
export function need(row: DigestBroadcast, over: Partial<Need> = {}): Need {
  const { seen, responded, answered, audience } = figuresOf(row.deliveries, { minimumGroup: 0, asks: null });
  const reached = (seen ?? 0) + (responded ?? 0) - (answered ?? 0);
  const date = row.deliveries.flatMap(({ firstSign }) => firstSign ?? []).toSorted()[0] ?? row.createdAt;
  return {
    reason: reached === 0 ? 'unseen' : 'too-few',
    broadcast: { id: row.id, name: row.name, ...(date === null ? {} : { date }) },
    deliveries: row.deliveries.map(({ id }) => id),
    ofDeliveries: row.deliveries.length,
    seen,
    reached,
    audience,
    usual: null,
    fewest: null,
    toRemind: audience === null || row.deliveries.length > 1 ? null : audience - reached,
    timesNamed: 0,
    isLastMention: false,
    ...over,
  };
}

/** Weeks up to the one before, the latest last. */
const weeksBefore = (counts: readonly Counts[]): PeriodFigures[] =>
  counts.map((count, place) => {
    const startMs = Date.parse(start) - (counts.length - place) * 7 * 86_400_000;
    const [seen, responded] = count;
    const begun = new Date(startMs).toISOString().replace('.000Z', '+00:00');
    return { start: begun, broadcasts: 4, seen, responded, asked: null, responseRate: null };
  });

/** A digest of the week of 9 November 2026 whose totals are those of its rows; the last of the weeks before is what is compared with. */
export function digestOf(
  broadcasts: DigestBroadcast[],
  over: Partial<Digest> = {},
  weeks: readonly Counts[] = [],
): Digest {
  const all = broadcasts.flatMap((row) => row.deliveries);
  const news = broadcasts.filter(({ group }) => group === 'new');
  const { inPeriod } = figuresOf(all, { minimumGroup: 0, asks: null });
  const asking = news.filter(({ asks }) => asks === true).flatMap((row) => row.deliveries);
  const figures = figuresOf(asking, { minimumGroup: 10, asks: true });
  const { seen, answered } = figures;
  const asked = seen === null || answered === null ? null : { seen, answered };
  const now = {
    broadcasts: inPeriod.seen === null ? null : news.length,
    ...inPeriod,
    asked,
    responseRate: figures.rate,
  };
  const earlier = weeksBefore(weeks);
  const previous = earlier.at(-1) ?? null;
  const change = (name: 'seen' | 'responded'): number | null =>
    previous === null || now[name] === null || previous[name] === null ? null : now[name] - previous[name];
  return {
    schemaVersion: 5,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: { kind: 'week', start, end, timeZone: 'Europe/London' },
    readAt: '2026-11-16T08:00:04+00:00',
    coveredSince: '2026-06-01T08:00:00+01:00',
    only: null,
    except: null,
    leftOut: 0,
    noMatch: null,
    note: null,
    minimumGroup: 10,
    totals: {
      ...now,
      undated: { seen: 0, responded: 0 },
      previous: previous && { ...previous, asSaid: null },
      change: { seen: change('seen'), responded: change('responded'), responseRate: null },
      ...(inPeriod.seen === null ? { unavailable: { reason: 'incomplete' as const } } : {}),
    },
    trend: [...earlier, { start, ...now }],
    broadcasts,
    olderUnseen: 0,
    needs: [],
    season: null,
    since: [],
    unjudged: [],
    undated: [],
    otherStatuses: {},
    mayHoldOnlyNewest: false,
    unavailable: [],
    warning: null,
    ...over,
  };
}

/** An earlier broadcast that so many saw in the period, of more before. */
export function earlierOne(name: string, [seen, responded]: Counts, over: Partial<DigestBroadcast> = {}) {
  const before = { seen: 40 + (seen ?? 0), responded: 20 + (responded ?? 0), answered: 20 + (responded ?? 0) };
  const rows = [delivery([seen, responded], { ...before, firstSign: '2026-11-04T09:00:00+00:00' })];
  return broadcast(name, rows, { group: 'earlier', createdAt: '2026-11-03T09:00:00+00:00', ...over });
}

/** A digest whose deliveries are numbered from 501, whatever was made before. */
export function numbered(make: () => Digest): Digest {
  deliveries = 500;
  return make();
}
