import * as v from 'valibot';
import { unavailableSchema } from '../reasons.ts';

/** Views and responses: how many recipients' rows have a `seenAt`, how many a `respondedAt`. */
export const engagedSchema = v.object({ seen: v.number(), responded: v.number() });
export type Engaged = v.InferOutput<typeof engagedSchema>;

/** Views and responses dated within a period, and of those who saw it in the period, how many had responded by its end. */
export const engagedInPeriodSchema = v.object({ ...engagedSchema.entries, answered: v.number() });
export type EngagedInPeriod = v.InferOutput<typeof engagedInPeriodSchema>;

/** New: first sign in this period. Silent: nobody has engaged. Active: an older one with engagement in this period. */
export const kindSchema = v.picklist(['new', 'silent', 'active']);

const places = { new: 0, silent: 1, active: 2 } as const;

/** Where the mail has a kind among the others: new, silent, active, unread (`null`). */
export function placeInMail(kind: v.InferOutput<typeof kindSchema> | null): number {
  return kind === null ? 3 : places[kind];
}

/** One content item over the deliveries of an entry, to date. */
const contentSchema = v.object({
  id: v.string(),
  type: v.string(),
  /** `null` where one of the deliveries lacks it. */
  seen: v.nullable(v.number()),
  responded: v.nullable(v.number()),
  /** Not there where nobody has rated; `null` where one delivery's ratings are missing. `mean` is over all of them. */
  ratings: v.exactOptional(v.nullable(v.object({ count: v.number(), mean: v.nullable(v.number()) }))),
  /** Why it is not available in one of the deliveries, the first of them. */
  unavailable: v.exactOptional(unavailableSchema),
});
export type BroadcastContent = v.InferOutput<typeof contentSchema>;

/**
 * The deliveries of one broadcast and one kind, together. Every sum is over these deliveries alone, and `null` where one of
 * them lacks the figure. A delivery without a broadcast's id is an entry of its own.
 */
export const digestBroadcastSchema = v.object({
  /** The broadcast's id; empty where the service gave none. */
  id: v.string(),
  name: v.nullable(v.string()),
  /** Instant with offset. */
  createdAt: v.nullable(v.string()),
  createdBy: v.nullable(v.string()),
  /** `null` where its recipients could not be read. */
  kind: v.nullable(kindSchema),
  /** Whether one of its content items expects a response; `null` where its content items could not be read. */
  asks: v.nullable(v.boolean()),
  /** How many people it is for; `null` where the service does not say it of every delivery, or contradicts itself. */
  audience: v.nullable(v.number()),
  /** Views to date. */
  seen: v.nullable(v.number()),
  /** Responses to date. */
  responded: v.nullable(v.number()),
  /** Of those who saw it, how many responded. */
  answered: v.nullable(v.number()),
  inPeriod: v.nullable(engagedInPeriodSchema),
  /** The earliest first sign of its deliveries; instant with offset. `null` where one has none. */
  firstSign: v.nullable(v.string()),
  /** The first sign of one of its deliveries is younger than the report's `settleHours` at the period's end. */
  stillCounting: v.boolean(),
  /**
   * The start of the first period whose digest named one of these deliveries as seen by nobody; instant with offset. `null`
   * where that is this digest, and where the deliveries were seen.
   */
  unseenSince: v.nullable(v.string()),
  /** Ids of its deliveries, in the order of `deliveries[]`. */
  deliveries: v.array(v.string()),
  /**
   * How many deliveries of this broadcast the list has with a wanted status, of any kind and also those that the digest does not
   * include. Where it is more than `deliveries` has, what is said of these is not true of the whole broadcast.
   */
  listedDeliveries: v.number(),
  /** In the author's order; `null` where the broadcast could not be read. */
  contents: v.nullable(v.array(contentSchema)),
  /** Why one of its deliveries, or the broadcast, is not available. */
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestBroadcast = v.InferOutput<typeof digestBroadcastSchema>;
