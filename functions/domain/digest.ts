import * as v from 'valibot';
import { digestBroadcastSchema, engagedSchema, kindSchema } from './broadcasts/digest-broadcast.ts';
import { countsSchema } from './counts.ts';
import { publishedPeriodSchema } from './period.ts';
import { unavailableEntries, unavailableSchema } from './reasons.ts';

/** Ratings to date. The histogram's keys are the ratings as text; `mean` is over all of them, `null` where one is no number. */
const ratingsSchema = v.object({
  count: v.number(),
  mean: v.nullable(v.number()),
  histogram: countsSchema,
  /** Ratings beside these that cannot be read; not there where there are none. */
  unreadable: v.exactOptional(v.number()),
});
export type Ratings = v.InferOutput<typeof ratingsSchema>;

/** Figures to date of a recipient list, and within the period. `null` beside `unavailable`; rates are ratios, 1 is all. */
const figures = {
  /** Rows of the list. */
  listed: v.nullable(v.number()),
  seen: v.nullable(v.number()),
  responded: v.nullable(v.number()),
  /** responded / seen; `null` where nobody saw it. */
  responseRate: v.nullable(v.number()),
  inPeriod: v.nullable(engagedSchema),
  /** Median seconds from seen to responded, over the rows where both instants are known, with their time of day. */
  medianResponseSeconds: v.nullable(v.number()),
  /** Rows whose `seenAt` or `respondedAt` is set but cannot be read as a date. */
  undated: v.number(),
  /** Rows without a `seenAt` or without a `respondedAt`: they count as not seen, or not responded. Not there where there are none. */
  lackingFields: v.exactOptional(v.number()),
};

/** One content item of one delivery. */
const contentSchema = v.object({
  id: v.string(),
  type: v.string(),
  ...figures,
  /** seen / listed, where the item's list is the audience; else `null`. */
  reach: v.nullable(v.number()),
  ratings: v.exactOptional(ratingsSchema),
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestContent = v.InferOutput<typeof contentSchema>;

export type DeliveryKind = v.InferOutput<typeof kindSchema>;

/** One delivery of the digest. */
const deliverySchema = v.object({
  id: v.string(),
  broadcast: v.object({
    id: v.string(),
    name: v.nullable(v.string()),
    createdAt: v.nullable(v.string()),
    createdBy: v.nullable(v.string()),
  }),
  status: v.string(),
  /** `null` where its recipients could not be read. */
  kind: v.nullable(kindSchema),
  /** Earliest readable engagement, else the broadcast's creation; instant with offset. */
  firstSign: v.nullable(v.string()),
  /** The first sign is younger than the report's `settleHours` at the period's end. */
  stillCounting: v.boolean(),
  ...figures,
  /** `null` where the broadcast could not be read. */
  contents: v.nullable(v.array(contentSchema)),
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestDelivery = v.InferOutput<typeof deliverySchema>;

/** The figures of one period. `null` where something is missing that would change them. */
const periodFigures = {
  /** New deliveries. */
  deliveries: v.nullable(v.number()),
  /** Broadcasts with a new delivery. */
  broadcasts: v.nullable(v.number()),
  /** Views dated within the period, over all deliveries. */
  seen: v.nullable(v.number()),
  /** Responses dated within the period, over all deliveries. */
  responded: v.nullable(v.number()),
  /**
   * Views and responses of the broadcasts that ask something, a part of those above. `null` where it is not known of one with
   * engagement in the period whether it asks.
   */
  asked: v.nullable(engagedSchema),
  /** asked.responded / asked.seen; `null` where `asked` is, and where nobody saw anything that asks. */
  responseRate: v.nullable(v.number()),
};
const periodFiguresSchema = v.object(periodFigures);
export type PeriodFigures = v.InferOutput<typeof periodFiguresSchema>;

/**
 * Where the figures of the previous period come from: `kept` by this report's complete run of it, `recounted` from the
 * same answers, or `none`, with the reason.
 */
const comparisonSchema = v.variant('basis', [
  v.object({ basis: v.literal('kept') }),
  v.object({ basis: v.literal('recounted') }),
  v.object({
    basis: v.literal('none'),
    reason: v.picklist(['incomplete-now', 'first-run', 'list-too-short']),
  }),
]);
export type Comparison = v.InferOutput<typeof comparisonSchema>;

/** Figures of one period; `null` where they are not known or are not counted under the same filters. */
const trendSchema = v.object({
  /** First instant of the period, with its offset. */
  start: v.string(),
  seen: v.nullable(v.number()),
  responded: v.nullable(v.number()),
  /** `broadcasts`, `asked` and `responseRate` are `null` also where an earlier release counted the period. */
  broadcasts: periodFigures.broadcasts,
  asked: periodFigures.asked,
  responseRate: periodFigures.responseRate,
  /** The figures are those of a complete digest, or counted again over complete answers. */
  complete: v.boolean(),
});
export type TrendPeriod = v.InferOutput<typeof trendSchema>;

/** One thing the service could not give. Those named by an earlier digest and gone for good are only in the coverage. */
export const missingSchema = v.object({
  what: v.picklist(['deliveries', 'delivery', 'broadcast', 'content', 'ratings']),
  delivery: v.exactOptional(v.string()),
  broadcast: v.exactOptional(v.string()),
  content: v.exactOptional(v.string()),
  /** The broadcast's name, where it is known. */
  name: v.exactOptional(v.string()),
  ...unavailableEntries,
});
export type Missing = v.InferOutput<typeof missingSchema>;

/** The figures of a run, ready to show: exactly what the mail says, as data. Stored as the run's kept digest. */
export const digestSchema = v.object({
  schemaVersion: v.literal(2),
  run: v.string(),
  report: v.string(),
  period: publishedPeriodSchema,
  /** When the collection began; instant with offset. */
  collectedAt: v.string(),
  /**
   * The earliest first sign of any listed delivery, where that is within the period: what was before it is not known. An
   * instant with offset.
   */
  listedSince: v.exactOptional(v.string()),
  totals: v.object({
    ...periodFigures,
    /** Rows seen or responded at an instant that cannot be read, over all wanted deliveries. */
    undated: v.number(),
    previous: v.nullable(periodFiguresSchema),
    comparison: comparisonSchema,
    unavailable: v.exactOptional(unavailableSchema),
  }),
  /** At most eight periods in a row, oldest first, this one last; not there in digests of earlier releases. */
  trend: v.exactOptional(v.array(trendSchema)),
  /** Every delivery included, in the order of the mail: new, silent, active, unread; each by views in the period. */
  deliveries: v.array(deliverySchema),
  /**
   * The same deliveries by broadcast and kind, as the mail shows them. In the order of the mail: new; silent, the largest audience
   * first; active; unread. New and active ones by views in the period.
   */
  broadcasts: v.array(digestBroadcastSchema),
  /**
   * Deliveries that nobody has engaged with and that this digest does not include: four digests have named them, or they were
   * older than a report's first digest names. `null` in digests of version 1, where it is not known.
   */
  unseenNotNamed: v.nullable(v.number()),
  /** Listed deliveries whose status is not among the wanted ones, by their own word. */
  otherStatuses: countsSchema,
  missing: v.array(missingSchema),
});
export type Digest = v.InferOutput<typeof digestSchema>;
