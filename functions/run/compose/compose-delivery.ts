import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import type { Engagement, Found } from '../../ledger/runs/collections.ts';
import type { Collected } from '../collect/collected.ts';
import { responseRateOf } from '../../domain/broadcasts/sums.ts';
import type { DigestContent, DigestDelivery, Ratings } from '../../domain/digest.ts';
import type { DigestBounds, Inclusion } from '../inclusion.ts';
import { unavailableBroadcast } from './missing.ts';

/** A delivery that the digest includes, and why it does. */
export type IncludedDelivery = { found: Found<'recipients'> } & Inclusion;

/** One delivery of a digest: its own figures and those of its content items. */
export function composeDelivery(
  { found, kind, firstSign }: IncludedDelivery,
  collected: Collected,
  report: ReportConfiguration,
  bounds: DigestBounds,
): DigestDelivery {
  const { delivery, engagement } = found;
  const broadcast = collected.broadcasts.get(delivery.broadcast.id)?.broadcast;
  const unavailable = found.unavailable ?? unavailableBroadcast(collected, delivery.broadcast.id);
  const instant = (milliseconds: number | null): string | null =>
    milliseconds === null ? null : instantText(milliseconds, bounds.timeZone);
  return {
    id: delivery.id,
    broadcast: {
      id: delivery.broadcast.id,
      name: broadcast?.name ?? delivery.broadcast.name,
      createdAt: instant(broadcast?.createdAt ?? null),
      createdBy: broadcast?.createdBy ?? null,
    },
    status: delivery.status,
    kind,
    firstSign: instant(firstSign),
    stillCounting: firstSign !== null && bounds.end - firstSign < report.settleHours * 3_600_000,
    ...figuresOf(engagement),
    contents:
      broadcast === undefined ? null : broadcast.contents.map((content) => composeContent(content, found, collected)),
    ...(unavailable === null ? {} : { unavailable }),
  };
}

type EngagementFigures = Pick<
  DigestDelivery,
  'listed' | 'seen' | 'responded' | 'responseRate' | 'inPeriod' | 'medianResponseSeconds' | 'undated' | 'lackingFields'
>;

function figuresOf(engagement: Engagement | undefined): EngagementFigures {
  if (engagement === undefined) {
    const none = { listed: null, seen: null, responded: null, responseRate: null, inPeriod: null };
    return { ...none, medianResponseSeconds: null, undated: 0 };
  }
  const { listed, seen, responded, inPeriod, medianResponseSeconds, undated, lackingFields } = engagement;
  return {
    listed,
    seen,
    responded,
    responseRate: responseRateOf({ seen, responded }),
    inPeriod,
    medianResponseSeconds,
    undated,
    ...(lackingFields === undefined ? {} : { lackingFields }),
  };
}

function composeContent(
  { id, type }: { id: string; type: string },
  { delivery, engagement: ofDelivery }: Found<'recipients'>,
  collected: Collected,
): DigestContent {
  const found = collected.contents.get(delivery.id)?.get(id);
  const engagement = found?.engagement;
  const ratings = found?.ratings;
  const unavailable = found === undefined ? { reason: 'incomplete' as const } : found.unavailable;
  return {
    id,
    type,
    ...figuresOf(engagement),
    reach: engagement === undefined ? null : reachOf(engagement, ofDelivery, collected.contentRecipients),
    ...(ratings === undefined ? {} : { ratings: summarizeRatings(ratings, found?.unreadableRatings) }),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/**
 * seen / listed, where the item's list is the audience. The interface does not say whether it is; a list longer than the
 * delivery's own, which holds everybody who engaged, must be.
 */
function reachOf(
  { listed, seen }: Engagement,
  ofDelivery: Engagement | undefined,
  reading: Collected['contentRecipients'],
): number | null {
  const longer = ofDelivery !== undefined && listed > ofDelivery.listed;
  const isAudience = reading === 'audience' || (reading === 'auto' && longer);
  return isAudience && listed > 0 ? seen / listed : null;
}

/** Count, mean and histogram of ratings by their decimal text, lowest first, and how many more cannot be read. */
function summarizeRatings(ratings: Readonly<Record<string, number>>, unreadable: number | undefined): Ratings {
  const entries = Object.entries(ratings).toSorted(([a], [b]) => Number(a) - Number(b));
  const count = entries.reduce((sum, [, times]) => sum + times, 0);
  const total = entries.reduce((sum, [rating, times]) => sum + Number(rating) * times, 0);
  const histogram = Object.fromEntries(entries);
  const mean = total / count;
  return {
    count,
    mean: Number.isFinite(mean) ? mean : null,
    histogram,
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** An instant in epoch milliseconds as ISO 8601 with the zone's offset. */
export function instantText(milliseconds: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never' });
}
