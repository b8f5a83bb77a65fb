import type { Engagement, Found } from '../../ledger/runs/collections.ts';
import type { DigestContent, DigestDelivery } from '../../domain/digest.ts';
import { ratioOf, saysViews, type Ratings } from '../../domain/figures.ts';
import { instantText } from '../../domain/period.ts';
import type { IncludedDelivery, Reading } from '../reading.ts';
import type { Audience } from './audience.ts';
import { unavailableBroadcast } from './missing.ts';

/** One delivery of a digest: its own figures and those of its content items. It is judged once all of them are known. */
export function composeDelivery(
  { delivery, engagement, kind, stillCounting, gap, unavailable }: IncludedDelivery,
  { collected, lastWarnings }: Pick<Reading, 'collected' | 'lastWarnings'>,
  { audience, timeZone }: { audience: Audience; timeZone: string },
): DigestDelivery {
  const lastWarning = lastWarnings?.get(delivery.id);
  const broadcast = collected.broadcasts.get(delivery.broadcast.id)?.broadcast;
  const reason = unavailable ?? (gap && { reason: gap }) ?? unavailableBroadcast(collected, delivery.broadcast.id);
  const instant = (milliseconds: number | null | undefined): string | null =>
    milliseconds == null ? null : instantText(milliseconds, timeZone);
  // That a delivery's own list does not say who saw it says nothing of those of its items.
  const datesGap = gap === 'unreadable' ? null : gap;
  const lists: ReadonlyMap<string, Partial<Found<'contents'>>> | undefined = collected.contents.get(delivery.id);
  const contents = broadcast?.contents.map(({ id, type }): DigestContent => {
    const list = lists?.get(id) ?? { unavailable: { reason: 'incomplete' } };
    const isAudience = audience.contents.has(type);
    const { ratings, unreadableRatings } = list.engagement ?? {};
    return {
      id,
      type,
      ...listFigures(list.engagement, { isAudience, gap: datesGap, ofDelivery: engagement }),
      ...(ratings === undefined ? {} : { ratings: summarizeRatings(ratings, unreadableRatings) }),
      ...(list.unavailable === undefined ? {} : { unavailable: list.unavailable }),
    };
  });
  const engaged = engagement !== undefined && saysViews(engagement) ? engagement.engaged : null;
  const people = engagement && audienceOf(engagement, contents ?? [], audience);
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
    judgedBy: null,
    ...(lastWarning === undefined ? {} : { lastWarning }),
    ...listFigures(engagement, { isAudience: audience.deliveries, gap }),
    audience: people ?? null,
    engaged,
    untouched: people == null || engaged === null ? null : people - engaged,
    contents: contents ?? null,
    ...(reason === null ? {} : { unavailable: reason }),
  };
}

interface ListReading extends Pick<IncludedDelivery, 'gap'> {
  isAudience: boolean;
  /** Of a content item's list: that of its delivery. */
  ofDelivery?: Engagement | undefined;
}

function listFigures(engagement: Engagement | undefined, { isAudience, gap, ofDelivery }: ListReading) {
  const { listed = null, responded = null, undated = 0, lacking } = engagement ?? {};
  const views = engagement !== undefined && areViewsSaid(engagement, ofDelivery) ? engagement : null;
  const { seen = null, answered = null, inPeriod = null } = views ?? {};
  return {
    listed,
    seen,
    responded,
    answered,
    responseRate: ratioOf(answered, seen),
    reach: isAudience ? ratioOf(seen, listed) : null,
    inPeriod: gap === null ? inPeriod : null,
    undated,
    // Where a row has one of the two, what is absent is null: a list in which one has another name throughout is not read.
    ...(lacking === undefined || lacking.neither === 0 ? {} : { lackingFields: lacking.neither }),
  };
}

/**
 * Whether a list says who saw it: not where nobody has, beside ten responses or more; nor does a content item's list that holds
 * only people who responded, and fewer than its delivery's.
 */
function areViewsSaid(list: Engagement, ofDelivery: Engagement | undefined): boolean {
  const { listed, responded } = list;
  if (!saysViews(list)) return false;
  return listed === 0 || ofDelivery === undefined || responded < listed || listed >= ofDelivery.listed;
}

/**
 * How many people a delivery is for: the length of its own list, or of its content items', where these are the audience. `null`
 * where none is, where they disagree, and where more people engaged than such a list holds.
 */
function audienceOf(
  { listed, engaged }: Engagement,
  contents: readonly DigestContent[],
  audience: Audience,
): number | null {
  if (audience.deliveries) return listed;
  const lengths = new Set(contents.flatMap((item) => (audience.contents.has(item.type) ? (item.listed ?? []) : [])));
  const [length = null] = lengths;
  return lengths.size !== 1 || length === null || engaged > length ? null : length;
}

/** Count, mean and histogram of ratings by their decimal text, lowest first, and how many more cannot be read. */
function summarizeRatings(ratings: Readonly<Record<string, number>>, unreadable: number | undefined): Ratings {
  const entries = Object.entries(ratings).toSorted(([a], [b]) => Number(a) - Number(b));
  const count = entries.reduce((sum, [, times]) => sum + times, 0);
  const total = entries.reduce((sum, [rating, times]) => sum + Number(rating) * times, 0);
  const mean = total / count;
  return {
    count,
    mean: Number.isFinite(mean) ? mean : null,
    histogram: Object.fromEntries(entries),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}
