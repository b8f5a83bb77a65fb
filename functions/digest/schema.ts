import * as v from 'valibot';
import { countsSchema } from '../domain/counts-by-word.ts';
import { publishedPeriodSchema } from '../domain/period.ts';
import { unavailableSchema } from '../domain/reasons.ts';
import { filterFields, filterSchema } from '../domain/report-filter.ts';

/** Instants are ISO 8601 texts with the offset of the period's zone. */
const instant = v.string();
const count = v.number();
const share = v.number();
const unavailable = v.exactOptional(unavailableSchema);

/** Views and responses: rows with a `seenAt`, rows with a `respondedAt`. */
const engagedSchema = v.object({ seen: v.nullable(count), responded: v.nullable(count) });

/** As of their reading. The histogram's keys are the ratings as text; `mean` is `null` where one is no number. */
const ratingsSchema = v.object({
  count,
  mean: v.nullable(v.number()),
  histogram: countsSchema,
  /** Ratings beside these that cannot be read. */
  unreadable: count,
});

/** What is counted of a list by the end. `seen` and `answered` are `null` where the list does not say who saw it. */
const countedSchema = v.object({
  /** How many people it is for, as of the reading; `null` where the service does not say it. */
  audience: v.nullable(count),
  ...engagedSchema.entries,
  /** Of those who saw it, how many had responded. */
  answered: v.nullable(count),
});

const contentSchema = v.object({
  id: v.string(),
  type: v.string(),
  /** Rows of its list as of the reading. */
  listed: v.nullable(count),
  ...countedSchema.entries,
  /** Absent where it is not rated; `null` where its ratings are not known. */
  ratings: v.exactOptional(v.nullable(ratingsSchema)),
  /** When its list was read, where that was before the end: nobody had engaged with the delivery since. */
  asOf: v.exactOptional(instant),
  unavailable,
});
export type DigestContent = v.InferOutput<typeof contentSchema>;

const deliverySchema = v.object({
  id: v.string(),
  /** In the service's own word, as it was last listed. */
  status: v.string(),
  /** The earliest readable engagement, where that was before the end. */
  firstSign: v.nullable(instant),
  /** It began more than three days after the first of its broadcast: it may be for the same people. */
  isLater: v.boolean(),
  listed: v.nullable(count),
  ...countedSchema.entries,
  inPeriod: engagedSchema,
  /** `null` where the broadcast could not be read. */
  contents: v.nullable(v.array(contentSchema)),
  unavailable,
});
export type DigestDelivery = v.InferOutput<typeof deliverySchema>;

/**
 * Why a line of its own stands for an earlier broadcast: the digest before called it still counting, and had so many then; it was
 * delivered again in the period; it was first seen before the period, and that is known only now; it had a fifth of the period's
 * views or responses.
 */
const lineSchema = v.variant('reason', [
  v.object({ reason: v.literal('still-counting'), before: v.pick(countedSchema, ['seen', 'audience']) }),
  v.object({ reason: v.picklist(['delivered-again', 'first-known', 'large']) }),
]);

const broadcastSchema = v.object({
  /** Empty where the service gave none: such a delivery is a broadcast of its own. */
  id: v.string(),
  name: v.nullable(v.string()),
  createdAt: v.nullable(instant),
  /** `null` also where authors are not to be named. */
  createdBy: v.nullable(v.string()),
  /**
   * New: the first sign of all its deliveries lies in the period. Unseen: it is there, and nobody has engaged with it. Earlier: any
   * other with engagement in the period.
   */
  group: v.picklist(['new', 'unseen', 'earlier']),
  /** People are expected to respond to it; `null` where its content items are not known. */
  asks: v.nullable(v.boolean()),
  /** One of its deliveries is not of age at the end. */
  stillCounting: v.boolean(),
  /** `null` where it is one of the rest. */
  line: v.nullable(lineSchema),
  /** Those that were there by the end, the most views in the period first. */
  deliveries: v.array(deliverySchema),
});
export type DigestBroadcast = v.InferOutput<typeof broadcastSchema>;

/** The figures of one period; `null` where something is missing that would change them. */
const figuresSchema = v.object({
  /** New broadcasts. */
  broadcasts: v.nullable(count),
  /** What is dated in the period. */
  ...engagedSchema.entries,
  /** Of the new broadcasts that ask, by the end of the period. */
  asked: v.nullable(v.object({ seen: count, answered: count })),
  /** asked.answered / asked.seen; `null` also where no delivery was seen by `minimumGroup` people. */
  responseRate: v.nullable(share),
});

/** The figures of a period that begins with this instant. */
const periodFiguresSchema = v.object({ start: instant, ...figuresSchema.entries });
export type PeriodFigures = v.InferOutput<typeof periodFiguresSchema>;

/** Broadcasts, or several deliveries of one, that need somebody. */
const needSchema = v.object({
  reason: v.picklist(['unseen', 'too-few']),
  broadcast: v.object({
    id: v.string(),
    name: v.nullable(v.string()),
    /** Its first sign when it was named first, else its creation: what tells it from another of its name, where it has no row. */
    date: v.exactOptional(instant),
  }),
  /** Ids of the deliveries of which that is said, and how many the broadcast has. */
  deliveries: v.array(v.string()),
  ofDeliveries: count,
  /** Of these deliveries together by the end: who saw it, who saw it or responded, and how many they are for. */
  seen: v.nullable(count),
  reached: count,
  audience: v.nullable(count),
  /** The share that is usual of them; of unknown audiences `fewest` is the fewest views that earlier ones had. */
  usual: v.nullable(share),
  fewest: v.nullable(count),
  /** How many people to remind; `null` where that is not known, or several deliveries may be for the same ones. */
  toRemind: v.nullable(count),
  /** How many digests before this one named it, with the same counts. */
  timesNamed: count,
  isLastMention: v.boolean(),
});
export type Need = v.InferOutput<typeof needSchema>;

const countsThen = v.object({ seen: v.nullable(count), reached: count, audience: v.nullable(count) });

/** What the digest before named and is not as it was. `now` is `null` where that is no longer known. */
const sinceSchema = v.object({
  ...v.pick(needSchema, ['reason', 'broadcast', 'deliveries', 'ofDeliveries']).entries,
  before: countsThen,
  now: v.nullable(countsThen),
});

/** One thing that the service could not give. */
export const gapSchema = v.object({
  what: v.picklist(['deliveries', 'delivery', 'broadcast', 'content', ...filterFields]),
  broadcast: v.nullable(v.object({ id: v.string(), name: v.nullable(v.string()) })),
  delivery: v.nullable(v.string()),
  content: v.nullable(v.string()),
  ...unavailableSchema.entries,
  /** The digest before named it, too. */
  isNamed: v.exactOptional(v.literal(true)),
});
export type Gap = v.InferOutput<typeof gapSchema>;

/**
 * The figures of a run, ready to show: exactly what the mail says, as data. Everything is counted up to the end of the period from
 * what was read at or after it; audiences and ratings are as of the reading. What stands for several deliveries is their sum.
 */
export const digestSchema = v.object({
  schemaVersion: v.literal(5),
  run: v.string(),
  report: v.string(),
  period: publishedPeriodSchema,
  /** The observation that it is composed of, and from when on that knows everything that the service's list ever had. */
  readAt: instant,
  coveredSince: instant,
  /** Which broadcasts it is about, and which it leaves out: all, none where these are `null`. An author who is not to be named is empty. */
  only: v.nullable(filterSchema),
  except: v.nullable(filterSchema),
  /** How many broadcasts that would be in it `except` left out. */
  leftOut: count,
  /** No broadcast that is known is what it is about: the names, authors or types that come nearest. */
  noMatch: v.nullable(v.object({ nearest: v.array(v.string()) })),
  /** What the communications team says with it; its run has it, and a stored digest none. */
  note: v.nullable(v.object({ text: v.string() })),
  /** No share, rate, mean or histogram is shown of fewer people. */
  minimumGroup: count,
  totals: v.object({
    ...figuresSchema.entries,
    /** Views and responses without a readable date that came since the digest before: they may be of the period. */
    undated: v.object({ seen: count, responded: count }),
    /**
     * The period before as facts now have it, and as its own digest had it: `null` where there is none, or it was about something
     * else. `null` where facts do not cover it.
     */
    previous: v.nullable(v.object({ ...periodFiguresSchema.entries, asSaid: v.nullable(figuresSchema) })),
    /** What may be said of the change, against the period before as facts now have it; `null` where it does not hold. */
    change: v.object({ ...engagedSchema.entries, responseRate: v.nullable(v.number()) }),
    unavailable,
  }),
  /** At most eight periods in a row, oldest first, this one last. */
  trend: v.array(periodFiguresSchema),
  /** New, unseen, earlier; new and earlier ones by views in the period. Those of new and earlier ones add up to `totals`. */
  broadcasts: v.array(broadcastSchema),
  /** Broadcasts that nobody has engaged with and that were there before the period before. */
  olderUnseen: count,
  /** What needs somebody, most people first. What the digest before named and is as it was stands last. */
  needs: v.array(needSchema),
  /** More than half of what was judged has too few, in place of naming each: those deliveries together. */
  season: v.nullable(
    v.object({ deliveries: count, judged: count, reached: count, audience: count, usual: v.nullable(share) }),
  ),
  since: v.array(sinceSchema),
  /** Deliveries that were of age and could not be judged, as they could not be read. */
  unjudged: v.array(v.string()),
  /** Rows without a readable date of every delivery that has some: they are in no figure. */
  undated: v.array(v.object({ delivery: v.string(), seen: count, responded: count })),
  /** Listed deliveries that never had a wanted status, by their own word. */
  otherStatuses: countsSchema,
  /** The list may hold only the newest deliveries. */
  mayHoldOnlyNewest: v.boolean(),
  unavailable: v.array(gapSchema),
  /** Of a warning: the report whose deliveries it judges, and at which age in hours. */
  warning: v.nullable(v.object({ report: v.string(), afterHours: count })),
});
export type Digest = v.InferOutput<typeof digestSchema>;

/** A digest in which nothing names an author: a filter has the empty text in place of one, and nothing comes near. */
export function withoutAuthors(digest: Digest): Digest {
  const unnamed = (filter: Digest['only']) => filter && { ...filter, ...(filter.createdBy && { createdBy: '' }) };
  const broadcasts = digest.broadcasts.map((broadcast) => Object.assign({}, broadcast, { createdBy: null }));
  const noMatch = digest.only?.createdBy && digest.noMatch ? { nearest: [] } : digest.noMatch;
  return { ...digest, only: unnamed(digest.only), except: unnamed(digest.except), noMatch, broadcasts };
}

/** A digest with what the communications team says with it. */
export function withNote(digest: Digest, note: { text: string } | null): Digest {
  return { ...digest, note: note && { text: note.text } };
}
