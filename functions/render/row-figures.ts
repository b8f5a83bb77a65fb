import { areEnough, figuresOf, sumOf } from '../digest/figures.ts';
import { dayMs } from '../domain/period.ts';
import type { Digest, DigestBroadcast, DigestDelivery } from '../digest/schema.ts';

// What mails and pages show beyond a single figure of the digest: each is counted here, and nowhere else.

/** A broadcast with the ids of its deliveries and the figures of its row. */
export type Row = ReturnType<typeof rowsOf>[number];

/** The broadcasts of a digest with their figures, in its order. */
export function rowsOf(digest: Digest) {
  return digest.broadcasts.map((broadcast) => ({
    broadcast,
    deliveries: broadcast.deliveries.map(({ id }) => id),
    figures: rowFiguresOf(broadcast, digest),
  }));
}

/** The figures of a broadcast's row. */
export type RowFigures = ReturnType<typeof rowFiguresOf>;

/** The figures of a broadcast: those of the deliveries that began together, and beside them those of later ones. */
function rowFiguresOf({ deliveries, asks }: DigestBroadcast, { minimumGroup }: Pick<Digest, 'minimumGroup'>) {
  const first = deliveries.filter(({ isLater }) => !isLater);
  const together = first.length > 0 ? first : deliveries;
  const apart = first.length > 0 ? deliveries.filter(({ isLater }) => isLater) : [];
  const read = together.filter(({ seen }) => seen !== null);
  const figures = figuresOf(together, { minimumGroup, asks });
  return {
    ...figures,
    /** Who saw those that could be read, where some could not; `null` where all could, or none. */
    atLeast: figures.seen === null && read.length > 0 ? sumOf(read.map(({ seen }) => seen)) : null,
    /** Who responded without opening it. */
    unopened: differenceOf(figures.responded, figures.answered),
    deliveries: together.length,
    unread: together.length - read.length,
    unseen: together.filter(({ seen, responded }) => seen === 0 && responded === 0).length,
    /** No delivery was seen by as many people as a group has. */
    isSeenByFew: !together.some(({ seen }) => areEnough(seen, minimumGroup)),
    later: apart.length === 0 ? null : figuresOf(apart, { minimumGroup, asks }),
    all: figuresOf(deliveries, { minimumGroup, asks }),
  };
}

/** The content items of a broadcast over the deliveries that began together, in the author's order. */
export function itemFiguresOf(
  { deliveries, asks }: DigestBroadcast,
  { minimumGroup }: Pick<Digest, 'minimumGroup'>,
  isCounted: (delivery: DigestDelivery) => boolean = ({ isLater }) => !isLater,
) {
  const counted = deliveries.filter(isCounted);
  const known = counted.flatMap(({ contents }) => (contents === null ? [] : [contents]))[0] ?? [];
  return known.map(({ id, type }) => {
    const parts = counted.flatMap(({ contents }) => contents?.find((item) => item.id === id) ?? []);
    const unavailable = parts.find((part) => part.unavailable !== undefined)?.unavailable;
    const histograms = parts.flatMap(({ ratings }) => (ratings ? [ratings.histogram] : []));
    // Somebody may have rated it, and their ratings could not be read.
    const areRatingsUnread = parts.some(({ ratings, responded }) => ratings === null && responded !== 0);
    const figures = figuresOf(parts, { minimumGroup, asks });
    return Object.assign({ id, type, unavailable, histograms, areRatingsUnread }, figures);
  });
}

/** Views and responses of broadcasts in the period; `null` where one is not known. */
export function sumsOf(rows: readonly Row[]) {
  const deliveries = rows.flatMap(({ broadcast }) => broadcast.deliveries);
  return figuresOf(deliveries, { minimumGroup: 0, asks: null }).inPeriod;
}

/** Views of the period as far as they are known; `null` where none are. */
export function leastViews({ broadcasts }: Digest): number | null {
  const known = broadcasts.flatMap(({ deliveries }) => deliveries.flatMap(({ inPeriod }) => inPeriod.seen ?? []));
  return known.length === 0 ? null : sumOf(known);
}

/** How many more, or fewer, one figure is than another; `null` where one is not known, or there are none more or fewer. */
export function differenceOf(one: number | null, other: number | null): number | null {
  return one === null || other === null || one === other ? null : one - other;
}

/** A difference is one of a tenth and of ten. */
export function isLargeChange(change: number, before: number): boolean {
  return Math.abs(change) >= 10 && isTenth(change, before);
}

export const isTenth = (change: number, before: number): boolean => Math.abs(change) * 10 >= before;

/** Whether everything of a period is known, save that its first day may have had more: else its figures are the least. */
export function isCovered({ coveredSince, period }: Pick<Digest, 'coveredSince' | 'period'>): boolean {
  return Date.parse(coveredSince) <= Date.parse(period.start) + dayMs;
}
