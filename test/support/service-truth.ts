import type { Digest } from '../../functions/domain/digest.ts';
import {
  broadcastById,
  contentRecipientsOf,
  deliveriesAsOf,
  recipientsOf,
  type Recipient,
} from '../../infra/local/sample-account/account.ts';

/** The figures of one delivery or content item, as the sample account's own rows give them. */
interface Counted {
  listed: number;
  seen: number;
  responded: number;
  inPeriod: { seen: number; responded: number };
}

interface TrueContent extends Counted {
  id: string;
  type: string;
  ratings?: { count: number; mean: number | null; histogram: Record<string, number> };
}

export interface TrueDelivery extends Counted {
  id: string;
  kind: 'new' | 'active' | 'silent';
  name: string;
  contents: TrueContent[];
}

/** What a digest has to say of a period of the sample account. */
export interface Truth {
  totals: { deliveries: number; seen: number; responded: number; responseRate: number | null };
  /** By id. */
  deliveries: TrueDelivery[];
}

/**
 * What the digest of `[start, end)` has to say, worked out from the sample account's rows as they are at `asOf`.
 *
 * @param told the ids of the deliveries that earlier digests of the report told of; `null` in its first run
 */
export function truthOf(asOf: string, period: { start: string; end: string }, told: ReadonlySet<string> | null): Truth {
  const start = Date.parse(period.start);
  const end = Date.parse(period.end);
  const deliveries = deliveriesAsOf(asOf)
    .filter(({ status }) => status === 'delivered')
    .flatMap(({ id, broadcast }): TrueDelivery[] => {
      const rows = recipientsOf(id, asOf) ?? [];
      const detail = broadcastById(broadcast.id, asOf);
      if (detail === undefined) throw new Error('The sample account has a delivery without a broadcast.');
      const firstSign = Math.min(...rows.flatMap(instantsOf));
      const created = Date.parse(detail.broadcast.created.at);
      const counted = countRows(rows, start, end);
      const kind = kindOf({ firstSign, created, counted, toldBefore: told?.has(id) ?? false, firstRun: told === null });
      if (kind === null) return [];
      const contents = detail.contents.map((content) => {
        const rows = contentRecipientsOf(id, content.id, asOf) ?? [];
        return Object.assign(countContent(rows, start, end), content);
      });
      return [{ id, kind, name: broadcast.name, ...counted, contents }];
    })
    .toSorted(byId);
  return { totals: totalsOf(deliveries), deliveries };

  function kindOf(delivery: {
    firstSign: number;
    created: number;
    counted: Counted;
    toldBefore: boolean;
    firstRun: boolean;
  }): TrueDelivery['kind'] | null {
    const { firstSign, created, counted, toldBefore, firstRun } = delivery;
    if (counted.listed === 0) {
      const isOld = firstRun ? created < start - (end - start) : toldBefore;
      return created >= end || isOld ? null : 'silent';
    }
    if (firstSign >= end) return null;
    if (firstSign >= start) return 'new';
    return counted.inPeriod.seen + counted.inPeriod.responded > 0 ? 'active' : null;
  }
}

/** The part of a digest that the truth speaks of. */
export function toldBy({ totals, deliveries }: Digest): Truth {
  return {
    totals: {
      deliveries: totals.deliveries ?? Number.NaN,
      seen: totals.seen ?? Number.NaN,
      responded: totals.responded ?? Number.NaN,
      responseRate: totals.responseRate,
    },
    deliveries: deliveries
      .map((delivery): TrueDelivery => ({
        ...countedBy(delivery),
        id: delivery.id,
        kind: delivery.kind ?? 'silent',
        name: delivery.broadcast.name ?? '',
        contents: (delivery.contents ?? []).map((content) => {
          const { id, type, ratings } = content;
          return Object.assign(countedBy(content), { id, type }, ratings === undefined ? {} : { ratings });
        }),
      }))
      .toSorted(byId),
  };
}

type Figures = Pick<Digest['deliveries'][number], 'listed' | 'seen' | 'responded' | 'inPeriod'>;

function countedBy({ listed, seen, responded, inPeriod }: Figures): Counted {
  return {
    listed: listed ?? Number.NaN,
    seen: seen ?? Number.NaN,
    responded: responded ?? Number.NaN,
    inPeriod: inPeriod ?? { seen: Number.NaN, responded: Number.NaN },
  };
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function instantsOf({ seenAt, respondedAt }: Recipient): number[] {
  return [seenAt, respondedAt].flatMap((instant) => (instant === null ? [] : [Date.parse(instant)]));
}

function countRows(rows: readonly Recipient[], start: number, end: number): Counted {
  const within = (instant: string | null): boolean =>
    instant !== null && Date.parse(instant) >= start && Date.parse(instant) < end;
  return {
    listed: rows.length,
    seen: rows.filter(({ seenAt }) => seenAt !== null).length,
    responded: rows.filter(({ respondedAt }) => respondedAt !== null).length,
    inPeriod: {
      seen: rows.filter(({ seenAt }) => within(seenAt)).length,
      responded: rows.filter(({ respondedAt }) => within(respondedAt)).length,
    },
  };
}

function countContent(rows: readonly Recipient[], start: number, end: number): Omit<TrueContent, 'id' | 'type'> {
  const ratings = rows.flatMap(({ rating }) => (typeof rating === 'number' ? [rating] : []));
  const counted = countRows(rows, start, end);
  if (ratings.length === 0) return counted;
  const histogram: Record<string, number> = {};
  for (const rating of ratings) histogram[rating] = (histogram[rating] ?? 0) + 1;
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  return { ...counted, ratings: { count: ratings.length, mean, histogram } };
}

function totalsOf(deliveries: readonly TrueDelivery[]): Truth['totals'] {
  const sum = (what: 'seen' | 'responded'): number =>
    deliveries.reduce((total, { inPeriod }) => total + inPeriod[what], 0);
  const [seen, responded] = [sum('seen'), sum('responded')];
  return {
    deliveries: deliveries.filter(({ kind }) => kind === 'new').length,
    seen,
    responded,
    responseRate: seen === 0 ? null : responded / seen,
  };
}
