import * as v from 'valibot';
import { countsSchema } from './counts-by-word.ts';
import { engagedInPeriodSchema, engagedSchema, listFiguresSchema, ratingsSchema } from './figures.ts';
import { publishedPeriodSchema } from './period.ts';
import { warningSchema } from './warning.ts';
import { filterFields, filterSchema } from './report-filter.ts';
import { unavailableSchema } from './reasons.ts';

/** New: first sign in this period. Silent: nobody has engaged. Active: an older one with engagement in this period. */
const kindSchema = v.picklist(['new', 'silent', 'active']);

/** Where the mail has a kind among the others: new, silent, active, unread (`null`). */
export function placeInMail(kind: v.InferOutput<typeof kindSchema> | null): number {
  return ['new', 'silent', 'active', null].indexOf(kind);
}

const contentSchema = v.object({
  id: v.string(),
  type: v.string(),
  ...listFiguresSchema.entries,
  ratings: v.exactOptional(ratingsSchema),
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestContent = v.InferOutput<typeof contentSchema>;

export type DeliveryKind = v.InferOutput<typeof kindSchema>;

/** The last warning of a delivery: when, an instant with offset, and how many had seen it then. */
export const lastWarningSchema = v.object({ at: v.string(), seen: v.number() });
export type LastWarning = v.InferOutput<typeof lastWarningSchema>;

/**
 * What a delivery is held against: that nobody has seen it; what is usual of its series; half of its audience; or nothing, since
 * nothing is like it.
 */
const judgedBySchema = v.picklist(['silence', 'usual', 'half', 'nothing']);
export type JudgedBy = v.InferOutput<typeof judgedBySchema>;

/** A broadcast that needs somebody. The counts are those of the first of its deliveries here. */
const needSchema = v.object({
  /** Nobody has seen it, or too few of those whom it is for. */
  reason: v.picklist(['unseen', 'too-few']),
  /** Ids of the deliveries of which that is said, the one with most untouched people first. */
  deliveries: v.array(v.string()),
  /** How many deliveries of the broadcast the list has that have, or had, a wanted status. */
  listedDeliveries: v.number(),
  seen: v.number(),
  audience: v.nullable(v.number()),
  /** How many people to remind; `null` where that is not known, or several deliveries may be for the same ones. */
  untouched: v.nullable(v.number()),
  /** Of an edition that is judged as a whole: the share that is usual of its series at that age, over so many editions. */
  usual: v.nullable(v.object({ share: v.number(), hours: v.number(), editions: v.number() })),
  /** How many digests before this one said that nobody has seen it. */
  timesNamed: v.number(),
});
export type Need = v.InferOutput<typeof needSchema>;

const broadcastSchema = v.object({
  /** Empty where the service gave none. */
  id: v.string(),
  name: v.nullable(v.string()),
  /** Instant with offset. */
  createdAt: v.nullable(v.string()),
  createdBy: v.nullable(v.string()),
});

const deliverySchema = v.object({
  id: v.string(),
  broadcast: broadcastSchema,
  status: v.string(),
  /** `null` where its recipients could not be read. */
  kind: v.nullable(kindSchema),
  /** Earliest readable engagement; instant with offset. `null` where there is none. */
  firstSign: v.nullable(v.string()),
  /** The first sign, or the broadcast where there is none, is younger than the report's `settleHours` at the period's end. */
  stillCounting: v.boolean(),
  /** How many people it is for; `null` where that is not known. */
  audience: v.nullable(v.number()),
  /** Rows of its list who saw it or responded. */
  engaged: v.nullable(v.number()),
  /** The audience less those who engaged: whom a reminder is for. */
  untouched: v.nullable(v.number()),
  /** What it is held against where its judgement falls due in this digest; else `null`. */
  judgedBy: v.nullable(judgedBySchema),
  lastWarning: v.exactOptional(lastWarningSchema),
  ...listFiguresSchema.entries,
  /** `null` where the broadcast could not be read. */
  contents: v.nullable(v.array(contentSchema)),
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestDelivery = v.InferOutput<typeof deliverySchema>;

/** One content item over the deliveries of an entry, to date. */
const broadcastContentSchema = v.object({
  /** A figure is `null` where one of the deliveries lacks it. */
  ...v.pick(contentSchema, ['id', 'type', 'seen', 'responded']).entries,
  /** Not there where nobody has rated; `null` where one delivery's ratings are missing. `mean` is over all of them. */
  ratings: v.exactOptional(v.nullable(v.object({ count: v.number(), mean: v.nullable(v.number()) }))),
  /** Why it is not available in one of the deliveries, the first of them. */
  unavailable: v.exactOptional(unavailableSchema),
});
export type BroadcastContent = v.InferOutput<typeof broadcastContentSchema>;

const editionSchema = v.object({ firstSign: v.string(), ...engagedSchema.entries, audience: v.nullable(v.number()) });
const editionsSchema = v.array(editionSchema);

/**
 * What the edition that a broadcast's deliveries are of had within so many hours of its first sign, beside earlier editions of its
 * series at that age: at least three and at most eight of them, the latest first.
 */
const atAgeSchema = v.object({
  /** The oldest age of the curve that each of the edition's deliveries had reached at the period's end. */
  hours: v.number(),
  ...editionSchema.entries,
  /** The median share of audiences between half and twice as large, 1 is all; `null` where there are fewer. */
  usual: v.nullable(v.object({ share: v.number(), editions: editionsSchema })),
  /** Where audiences are not known: the fewest and the most views, where they are not too far apart to say anything. */
  earlier: v.nullable(v.object({ fewest: v.number(), most: v.number(), editions: editionsSchema })),
});
export type AtAge = v.InferOutput<typeof atAgeSchema>;

/**
 * The deliveries of one broadcast and one kind, together. Every sum is over these deliveries alone, and `null` where one of
 * them lacks the figure. A delivery without a broadcast's id is an entry of its own.
 */
const digestBroadcastSchema = v.object({
  ...broadcastSchema.entries,
  /** `null` where its recipients could not be read. */
  kind: v.nullable(kindSchema),
  /** Whether one of its content items expects a response; `null` where its content items could not be read. */
  asks: v.nullable(v.boolean()),
  /** How many people it is for; `null` where the service does not say it of every delivery, or contradicts itself. */
  audience: v.nullable(v.number()),
  ...v.pick(listFiguresSchema, ['seen', 'responded', 'answered', 'inPeriod']).entries,
  /** The earliest first sign of its deliveries; instant with offset. `null` where one has none. */
  firstSign: v.nullable(v.string()),
  /** The first sign of one of its deliveries is younger than the report's `settleHours` at the period's end. */
  stillCounting: v.boolean(),
  /** `null` where its deliveries are not all of one edition, it is younger than six hours, or a date cannot be read. */
  atAge: v.nullable(atAgeSchema),
  /** Ids of its deliveries, in the order of `deliveries[]`. */
  deliveries: v.array(v.string()),
  /**
   * How many deliveries of this broadcast the list has with a wanted status, of any kind and also those that the digest does not
   * include. Where it is more than `deliveries` has, what is said of these is not true of the whole broadcast.
   */
  listedDeliveries: v.number(),
  /** In the author's order; `null` where the broadcast could not be read. */
  contents: v.nullable(v.array(broadcastContentSchema)),
  /** Why one of its deliveries, or the broadcast, is not available. */
  unavailable: v.exactOptional(unavailableSchema),
});
export type DigestBroadcast = v.InferOutput<typeof digestBroadcastSchema>;

/** Views and responses of one series: broadcasts that have the same name without what dates it, or one that has no name. */
const seriesFiguresSchema = v.object({
  key: v.string(),
  /** Of its broadcast with most of them. */
  name: v.nullable(v.string()),
  ...engagedSchema.entries,
});
export type SeriesFigures = v.InferOutput<typeof seriesFiguresSchema>;

/** So many series of a period are kept, the largest ones: of another one nothing is known. */
export const mostSeries = 30;

/** The figures of one period. `null` where something is missing that would change them. */
export const periodFiguresSchema = v.object({
  deliveries: v.nullable(v.number()),
  broadcasts: v.nullable(v.number()),
  /** Views dated within the period, over all deliveries. */
  seen: v.nullable(v.number()),
  /** Responses dated within the period, over all deliveries, of items of whatever type. */
  responded: v.nullable(v.number()),
  /**
   * Engagement with the broadcasts that ask something, a part of that above. `null` where it is not known of one with
   * engagement in the period whether it asks.
   */
  asked: v.nullable(engagedInPeriodSchema),
  /**
   * asked.answered / asked.seen: of those who saw something that asks, how many had responded by the period's end. `null`
   * where `asked` is, and where nobody saw anything that asks.
   */
  responseRate: v.nullable(v.number()),
  /** The views and responses above by series, the thirty with most of them. */
  series: v.optional(v.nullable(v.array(seriesFiguresSchema)), null),
});
export type PeriodFigures = v.InferOutput<typeof periodFiguresSchema>;

/**
 * Whether the figures are compared with those of the previous period, which this report's complete run of it kept; else why
 * not, and which period lacks what is missing.
 *
 * - incomplete-now, incomplete-before: something is missing of this period, or was of the previous one;
 * - first: no digest of an earlier period was made for this report; first-so-early: one of a later period was;
 * - not-kept: earlier ones were, but none of the previous period;
 * - counted-otherwise: that one was counted under other filters, in another time zone, or for another account;
 * - recounted: what is dated in that period is now more than a tenth more than it was then;
 * - left-list: deliveries that had more than a fifth of its views are no longer listed, and more than usual;
 * - dates-unreadable: rows that belong to no period could undo every change.
 */
const comparisonSchema = v.variant('basis', [
  v.object({ basis: v.literal('kept') }),
  v.object({
    basis: v.literal('none'),
    reason: v.picklist([
      'incomplete-now',
      'incomplete-before',
      'first',
      'first-so-early',
      'not-kept',
      'counted-otherwise',
      'recounted',
      'left-list',
      'dates-unreadable',
    ]),
    /** First instant of the period that lacks it, and the first after it; with offset. */
    lacking: v.object({ start: v.string(), end: v.string() }),
  }),
]);
export type Comparison = v.InferOutput<typeof comparisonSchema>;

/** Figures of one period; `null` where they are not known or are not counted under the same filters. */
const trendSchema = v.object({
  /** First instant of the period, with its offset. */
  start: v.string(),
  ...v.pick(periodFiguresSchema, ['seen', 'responded', 'broadcasts', 'asked', 'responseRate']).entries,
  /** The figures are those of a complete digest. */
  complete: v.boolean(),
});
export type TrendPeriod = v.InferOutput<typeof trendSchema>;

/**
 * One thing the service could not give: a field that the report filters by is missing of one broadcast, or of all where none is
 * named. Those named by an earlier digest and gone for good are only in the coverage.
 */
export const missingSchema = v.object({
  what: v.picklist(['deliveries', 'delivery', 'broadcast', 'content', 'ratings', ...filterFields]),
  delivery: v.exactOptional(v.string()),
  broadcast: v.exactOptional(v.string()),
  content: v.exactOptional(v.string()),
  /** The broadcast's name, where it is known. */
  name: v.exactOptional(v.string()),
  ...unavailableSchema.entries,
});
export type Missing = v.InferOutput<typeof missingSchema>;

/** The figures of a run, ready to show: exactly what the mail says, as data. Stored as the run's kept digest. */
export const digestSchema = v.object({
  schemaVersion: v.literal(4),
  run: v.string(),
  report: v.string(),
  period: publishedPeriodSchema,
  /** Which broadcasts it is about; `null`: all. */
  only: v.optional(v.nullable(filterSchema), null),
  /** Which of them it leaves out; `null`: none. */
  except: v.optional(v.nullable(filterSchema), null),
  /** The service lists deliveries, and the report is about none of them: what it is about may be written otherwise there. */
  noMatch: v.exactOptional(v.literal(true)),
  /** What the communications team says with it; its run has it, and a stored digest none. */
  note: v.optional(v.nullable(v.object({ text: v.string() })), null),
  /** Mail, page, card and files show no share, rate, mean or histogram of fewer people; here they are given. */
  minimumGroup: v.number(),
  /** When the collection began; instant with offset. */
  collectedAt: v.string(),
  totals: v.object({
    ...periodFiguresSchema.entries,
    /** Rows seen or responded at an instant that cannot be read, over all wanted deliveries. */
    undated: v.number(),
    /** A figure is `null`, too, where rows without a readable date could undo its change. */
    previous: v.nullable(periodFiguresSchema),
    comparison: comparisonSchema,
    unavailable: v.exactOptional(unavailableSchema),
  }),
  /**
   * Engagement dated before the period that no digest counted, of the deliveries that the last digest read; said once and in no
   * total. `null` where it cannot be known: it takes a complete digest of the period just before, under the same filters.
   */
  late: v.nullable(engagedSchema),
  /** At most eight periods in a row, oldest first, this one last. */
  trend: v.array(trendSchema),
  /** Every delivery included, in the order of the mail: new, silent, active, unread; each by views in the period. */
  deliveries: v.array(deliverySchema),
  /**
   * The same deliveries by broadcast and kind, as the mail shows them. In the order of the mail: new; silent, the largest audience
   * first; active; unread. New and active ones by views in the period.
   */
  broadcasts: v.array(digestBroadcastSchema),
  /** Of how many deliveries the judgement falls due in this digest, and how many could be held against something. */
  judged: v.object({ of: v.number(), deliveries: v.number() }),
  /** What needs somebody, a broadcast once; most untouched people first. */
  needs: v.array(needSchema),
  /**
   * What the last digest named as needing somebody, or a warning did since, and has moved by 10 people, or by a fifth of its
   * audience: how many had seen the delivery then, and for how many it was. Most moved first.
   */
  since: v.optional(
    v.array(v.object({ delivery: v.string(), seen: v.number(), audience: v.nullable(v.number()) })),
    [],
  ),
  /** What left the list since the last run: deliveries with engagement in the period before, and those still to be judged. */
  left: v.object({
    deliveries: v.number(),
    unjudged: v.number(),
    /** It was said in three digests: from then on the page alone says it. */
    isOld: v.boolean(),
  }),
  /** The list may hold only the newest deliveries: twice in a row it was exactly as long as before, and more than a third new. */
  onlyNewest: v.boolean(),
  /** Deliveries that nobody has engaged with and that are not named any more: four digests have named them. */
  unseenNotNamed: v.number(),
  /**
   * In a report's first digest, the deliveries that nobody has engaged with and whose broadcast was not created in this period
   * or the one before: nothing says when they were sent, and they are not named. 0 in every later digest.
   */
  unknownDate: v.number(),
  /** Listed deliveries whose status is not among the wanted ones, by their own word. */
  otherStatuses: countsSchema,
  missing: v.array(missingSchema),
  /** Only of a warning, which has no figures of the period. */
  warning: v.exactOptional(warningSchema),
});
export type Digest = v.InferOutput<typeof digestSchema>;

/** Whether a digest says nothing of any delivery: at most some were judged that nobody engaged with in the period. */
export function isEmptyDigest({ deliveries, needs }: Pick<Digest, 'deliveries' | 'needs'>): boolean {
  return (
    needs.length === 0 &&
    deliveries.every(
      ({ kind, inPeriod }) => kind === 'active' && inPeriod !== null && inPeriod.seen + inPeriod.responded === 0,
    )
  );
}

/** The longest note, in UTF-16 units. */
export const longestNote = 500;

/** A digest with what the communications team says with it. */
export function withNote(digest: Digest, note: { text: string } | null): Digest {
  return { ...digest, note: note && { text: note.text } };
}
