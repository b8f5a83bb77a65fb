import { Temporal } from 'temporal-polyfill';
import type { Engagement, Found } from '../../ledger/runs/collections.ts';
import type { History } from '../../ledger/runs/digests.ts';
import type { DigestContent, DigestDelivery } from '../../domain/digest.ts';
import { audienceOf, ratioOf, type Ratings } from '../../domain/figures.ts';
import type { Collected, IncludedDelivery } from '../reading.ts';
import type { Audience } from './audience.ts';
import { unavailableBroadcast } from './missing.ts';

/** One delivery of a digest: its own figures and those of its content items. */
export function composeDelivery(
  { found, kind, stillCounting, judged, datesUnreadable }: IncludedDelivery,
  of: { collected: Collected; audience: Audience; warnings: History | null; timeZone: string },
): DigestDelivery {
  const { collected, audience, warnings, timeZone } = of;
  const { delivery, engagement } = found;
  const warned = warnings?.deliveries.get(delivery.id)?.check?.warned;
  const broadcast = collected.broadcasts.get(delivery.broadcast.id)?.broadcast;
  const unreadable = datesUnreadable ? { reason: 'dates-unreadable' as const } : null;
  const unavailable = found.unavailable ?? unreadable ?? unavailableBroadcast(collected, delivery.broadcast.id);
  const figures = listFigures(engagement, { isAudience: audience.deliveries, datesUnreadable });
  const contents =
    broadcast?.contents.map(({ id, type }) => {
      const item = collected.contents.get(delivery.id)?.get(id);
      return composeContent({ id, type }, item, { isAudience: audience.contents.has(type), datesUnreadable });
    }) ?? null;
  const { engaged = null } = engagement ?? {};
  const people = audienceOf(figures, contents, engaged);
  const instant = (milliseconds: number | null | undefined): string | null =>
    milliseconds == null ? null : instantText(milliseconds, timeZone);
  return {
    id: delivery.id,
    broadcast: {
      id: delivery.broadcast.id,
      name: broadcast?.name ?? delivery.broadcast.name,
      createdAt: instant(broadcast?.createdAt),
      createdBy: broadcast?.createdBy ?? null,
    },
    status: delivery.status,
    kind,
    firstSign: instant(engagement?.firstSign),
    stillCounting,
    judged,
    ...(warned === undefined ? {} : { warned }),
    ...figures,
    audience: people,
    engaged,
    untouched: people === null || engaged === null ? null : people - engaged,
    contents,
    ...(unavailable === null ? {} : { unavailable }),
  };
}

/** The figures that a delivery and a content item share. */
function listFigures(
  engagement: Engagement | undefined,
  { isAudience, datesUnreadable }: { isAudience: boolean; datesUnreadable: boolean },
) {
  const { listed = null, seen = null, responded = null, answered = null, undated = 0 } = engagement ?? {};
  const { inPeriod = null, lackingFields } = engagement ?? {};
  return {
    listed,
    seen,
    responded,
    answered,
    responseRate: ratioOf(answered, seen),
    reach: engagement !== undefined && isAudience ? reachOf(engagement) : null,
    inPeriod: datesUnreadable ? null : inPeriod,
    undated,
    ...(lackingFields === undefined ? {} : { lackingFields }),
  };
}

/** The share of an audience that saw it; `null` for responses without a single view: the service does not say who saw it. */
function reachOf({ listed, seen, responded }: Engagement): number | null {
  return listed > 0 && (seen > 0 || responded === 0) ? seen / listed : null;
}

function composeContent(
  { id, type }: { id: string; type: string },
  found: Found<'contents'> | undefined,
  reading: { isAudience: boolean; datesUnreadable: boolean },
): DigestContent {
  const { ratings, unreadableRatings } = found?.engagement ?? {};
  const unavailable = found === undefined ? { reason: 'incomplete' as const } : found.unavailable;
  return {
    id,
    type,
    ...listFigures(found?.engagement, reading),
    ...(ratings === undefined ? {} : { ratings: summarizeRatings(ratings, unreadableRatings) }),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
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
