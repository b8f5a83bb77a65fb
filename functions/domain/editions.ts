import * as v from 'valibot';
import { curveSchema, sumOfCurves, type Curve } from './curve.ts';
import { sumOf } from './figures.ts';
import { dayMs } from './period.ts';

/** How a delivery was received while it grew older, which later editions of its series are compared with. */
export const growthSchema = v.object({
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()) }),
  /** In epoch milliseconds. */
  firstSign: v.number(),
  /** How many people it is for; `null` where the service does not say it. */
  audience: v.nullable(v.number()),
  curve: curveSchema,
});
export type Growth = v.InferOutput<typeof growthSchema>;

/** The deliveries of a series whose first signs lie within three days of the first of them, together. */
export interface Edition {
  deliveries: readonly string[];
  /** The earliest and the latest first sign of its deliveries, in epoch milliseconds. */
  firstSign: number;
  lastSign: number;
  /** Counts of its deliveries' people, who may be the same; `null` where one is not known. */
  audience: number | null;
  curve: Curve;
}

/** What an edition had at an age. */
export interface AtAge extends Pick<Edition, 'firstSign' | 'audience'> {
  seen: number;
  responded: number;
}

/** The editions of every series that a report has read, by what an edition is compared with. */
export interface Editions {
  /** The edition that a delivery is of; `null` where its growth is not known. */
  of: (delivery: string) => Edition | null;
  /**
   * What is usual of its series at an age in hours: the median share of the audiences that had seen at least three and at most
   * eight earlier editions, the latest first, each with an audience between half and twice as large; `null` where there are fewer.
   */
  usualOf: (edition: Edition, hours: number) => { share: number; editions: AtAge[] } | null;
  /**
   * Where audiences are not known, the views that three to eight earlier editions of as many deliveries had at an age; `null`
   * where there are fewer, or they lie too far apart to say anything.
   */
  viewsOf: (edition: Edition, hours: number) => { fewest: number; most: number; editions: AtAge[] } | null;
}

const editionMs = 3 * dayMs;
const [fewestEditions, mostEditions] = [3, 8];
/** Views that lie further apart than this factor say nothing about the next ones. */
const alikeViews = 1.5;

/**
 * Sorts deliveries into the editions of their series.
 *
 * @param growths by the delivery's id
 * @param seriesOf what a name has in common with others of its series; empty where that is nothing: then only deliveries of the
 *   same broadcast are a series
 */
export function editionsIn(growths: ReadonlyMap<string, Growth>, seriesOf: (name: string | null) => string): Editions {
  const bySeries = Map.groupBy(growths, ([delivery, { broadcast }]) =>
    // A delivery without a broadcast's id cannot be said to belong to another.
    JSON.stringify([seriesOf(broadcast.name) || [broadcast.id || [delivery]]]),
  );
  const seriesByDelivery = new Map<string, { edition: Edition; earlier: readonly Edition[] }>();
  for (const series of bySeries.values()) {
    const editions = editionsOf(series);
    for (const [place, edition] of editions.entries()) {
      const earlier = editions.slice(0, place).toReversed();
      for (const delivery of edition.deliveries) seriesByDelivery.set(delivery, { edition, earlier });
    }
  }
  const latestLike = (edition: Edition, hours: number, isLike: (other: Edition) => boolean): AtAge[] => {
    const [delivery = ''] = edition.deliveries;
    const earlier = seriesByDelivery.get(delivery)?.earlier ?? [];
    const latest: AtAge[] = [];
    for (const other of earlier) {
      const atAge = isLike(other) ? atAgeOf(other, hours) : null;
      if (atAge !== null && latest.push(atAge) === mostEditions) break;
    }
    return latest.length < fewestEditions ? [] : latest;
  };
  return {
    of: (delivery) => seriesByDelivery.get(delivery)?.edition ?? null,
    usualOf: (edition, hours) => {
      const { audience } = edition;
      if (audience === null || audience === 0) return null;
      const editions = latestLike(edition, hours, (other) => isAlike(other.audience, audience));
      const share = medianOf(editions.map(({ seen, audience: of }) => seen / (of ?? Number.NaN)));
      return editions.length === 0 ? null : { share, editions };
    },
    viewsOf: (edition, hours) => {
      if (edition.audience !== null) return null;
      const { length } = edition.deliveries;
      const editions = latestLike(
        edition,
        hours,
        (other) => other.audience === null && other.deliveries.length === length,
      );
      const views = editions.map(({ seen }) => seen);
      const [fewest, most] = [Math.min(...views), Math.max(...views)];
      return editions.length === 0 || most > alikeViews * fewest ? null : { fewest, most, editions };
    },
  };
}

/** What an edition had at an age in hours; `null` where one of its deliveries is not so old. */
export function atAgeOf({ firstSign, audience, curve }: Edition, hours: number): AtAge | null {
  const [, seen, responded] = curve.find(([age]) => age === hours) ?? [];
  return seen === undefined || responded === undefined ? null : { firstSign, audience, seen, responded };
}

/** The editions of one series, the earliest first. */
function editionsOf(series: ReadonlyArray<[delivery: string, growth: Growth]>): Edition[] {
  const sorted = series.toSorted(([, one], [, other]) => one.firstSign - other.firstSign);
  const editions: Array<Array<[string, Growth]>> = [];
  for (const delivery of sorted) {
    const [first] = editions.at(-1) ?? [];
    if (first !== undefined && delivery[1].firstSign - first[1].firstSign <= editionMs) editions.at(-1)?.push(delivery);
    else editions.push([delivery]);
  }
  return editions.map((deliveries) => {
    const growths = deliveries.map(([, growth]) => growth);
    return {
      deliveries: deliveries.map(([id]) => id),
      firstSign: growths[0]?.firstSign ?? Number.NaN,
      lastSign: growths.at(-1)?.firstSign ?? Number.NaN,
      audience: sumOf(growths.map(({ audience }) => audience)),
      curve: sumOfCurves(growths.map(({ curve }) => curve)),
    };
  });
}

function isAlike(audience: number | null, other: number): boolean {
  return audience !== null && audience * 2 >= other && audience <= other * 2;
}

/** The median; `NaN` of nothing. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[Math.floor(index)] ?? Number.NaN;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}
