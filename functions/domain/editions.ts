import * as v from 'valibot';
import { curveSchema, sumOfCurves, type Curve } from './curve.ts';
import type { AtAge as DigestAtAge } from './digest.ts';
import { sumOf, type Engaged } from './figures.ts';
import { dayMs, instantText } from './period.ts';

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
  /** The earlier editions of its series, the latest first. */
  earlier: readonly Edition[];
}

type AtAge = Pick<Edition, 'firstSign' | 'audience'> & Engaged;

const editionMs = 3 * dayMs;
const fewestEditions = 3;
const mostEditions = 8;
/** Views that lie further apart than this factor say nothing about the next ones. */
const alikeViews = 1.5;

/**
 * The edition that each delivery is of, by its id.
 *
 * @param growths by the delivery's id
 * @param seriesOf what a name has in common with others of its series; empty where that is nothing: then only deliveries of the
 *   same broadcast are a series
 */
export function editionsIn(
  growths: ReadonlyMap<string, Growth>,
  seriesOf: (name: string | null) => string,
): ReadonlyMap<string, Edition> {
  const bySeries = Map.groupBy(growths, ([delivery, { broadcast }]) =>
    // A delivery without a broadcast's id cannot be said to belong to another.
    JSON.stringify([seriesOf(broadcast.name) || [broadcast.id || [delivery]]]),
  );
  const editions = [...bySeries.values()].flatMap(editionsOf);
  return new Map(editions.flatMap((edition) => edition.deliveries.map((delivery) => [delivery, edition] as const)));
}

function editionsOf(series: ReadonlyArray<[delivery: string, growth: Growth]>): Edition[] {
  const sorted = series.toSorted(([, a], [, b]) => a.firstSign - b.firstSign);
  const groups: Array<Array<[delivery: string, growth: Growth]>> = [];
  for (const delivery of sorted) {
    const group = groups.at(-1);
    const begunAt = group?.[0]?.[1].firstSign ?? Number.NEGATIVE_INFINITY;
    if (delivery[1].firstSign - begunAt <= editionMs) group?.push(delivery);
    else groups.push([delivery]);
  }
  const editions: Edition[] = [];
  for (const group of groups) {
    const growths = group.map(([, growth]) => growth);
    editions.push({
      deliveries: group.map(([id]) => id),
      firstSign: growths[0]?.firstSign ?? Number.NaN,
      lastSign: growths.at(-1)?.firstSign ?? Number.NaN,
      audience: sumOf(growths.map(({ audience }) => audience)),
      curve: sumOfCurves(growths.map(({ curve }) => curve)),
      earlier: editions.toReversed(),
    });
  }
  return editions;
}

/** What an edition had at an age in hours; `null` where one of its deliveries is not so old. */
export function atAgeOf({ firstSign, audience, curve }: Edition, hours: number): AtAge | null {
  const [, seen, responded] = curve.find(([age]) => age === hours) ?? [];
  return seen === undefined || responded === undefined ? null : { firstSign, audience, seen, responded };
}

/** The latest earlier editions that are like one, at an age: three to eight, else none. */
function latestLike({ earlier }: Edition, hours: number, isLike: (other: Edition) => boolean): AtAge[] {
  const latest = earlier.filter(isLike).flatMap((other) => atAgeOf(other, hours) ?? []);
  return latest.length < fewestEditions ? [] : latest.slice(0, mostEditions);
}

/**
 * What is usual of an edition's series at an age in hours: the median share of the audiences that had seen at least three and at
 * most eight earlier editions, the latest first, each with an audience between half and twice as large; `null` where there are fewer.
 */
export function usualOf(edition: Edition, hours: number): { share: number; editions: AtAge[] } | null {
  const { audience } = edition;
  if (audience === null || audience === 0) return null;
  const isAlike = (other: number): boolean => other * 2 >= audience && other <= audience * 2;
  const editions = latestLike(edition, hours, (other) => other.audience !== null && isAlike(other.audience));
  const shares = editions.map((earlier) => earlier.seen / (earlier.audience ?? Number.NaN));
  return editions.length === 0 ? null : { share: medianOf(shares), editions };
}

/**
 * Where audiences are not known, the views that three to eight earlier editions of as many deliveries had at an age; `null`
 * where there are fewer, or they lie too far apart to say anything.
 */
export function viewsOf(edition: Edition, hours: number): { fewest: number; most: number; editions: AtAge[] } | null {
  const { audience, deliveries } = edition;
  if (audience !== null) return null;
  const isLike = (other: Edition): boolean => other.audience === null && other.deliveries.length === deliveries.length;
  const editions = latestLike(edition, hours, isLike);
  const views = editions.map(({ seen }) => seen);
  const [fewest, most] = [Math.min(...views), Math.max(...views)];
  return editions.length === 0 || most > alikeViews * fewest ? null : { fewest, most, editions };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[Math.floor(index)] ?? Number.NaN;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

/**
 * What an edition had at the oldest age that all of it has reached, beside earlier editions at that age. `null` where the
 * deliveries are not one whole edition, or a delivery's growth is not known, or it is too young.
 */
export function atAgeOfEdition(
  deliveries: readonly string[],
  editions: ReadonlyMap<string, Edition>,
  timeZone: string,
): DigestAtAge | null {
  const [edition, ...others] = new Set(deliveries.map((id) => editions.get(id)));
  if (edition == null || others.length > 0 || edition.deliveries.length > deliveries.length) return null;
  const [hours] = edition.curve.at(-1) ?? [];
  const now = hours === undefined ? null : atAgeOf(edition, hours);
  if (hours === undefined || now === null) return null;
  const view = ({ firstSign, ...counts }: AtAge) => ({ firstSign: instantText(firstSign, timeZone), ...counts });
  const usual = usualOf(edition, hours);
  const earlier = viewsOf(edition, hours);
  return {
    hours,
    ...view(now),
    usual: usual && { ...usual, editions: usual.editions.map(view) },
    earlier: earlier && { ...earlier, editions: earlier.editions.map(view) },
  };
}
