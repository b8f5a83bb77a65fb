import * as v from 'valibot';
import { countsSchema } from './counts-by-word.ts';
import { sumOf } from './sums.ts';

/** Views and responses: how many recipients' rows have a `seenAt`, how many a `respondedAt`. */
export const engagedSchema = v.object({ seen: v.number(), responded: v.number() });
export type Engaged = v.InferOutput<typeof engagedSchema>;

/** Views and responses dated within a period, and of those who saw it in the period, how many had responded by its end. */
export const engagedInPeriodSchema = v.object({ ...engagedSchema.entries, answered: v.number() });
export type EngagedInPeriod = v.InferOutput<typeof engagedInPeriodSchema>;

/** Ratings to date. The histogram's keys are the ratings as text; `mean` is over all of them, `null` where one is no number. */
export const ratingsSchema = v.object({
  count: v.number(),
  mean: v.nullable(v.number()),
  histogram: countsSchema,
  /** Ratings beside these that cannot be read; not there where there are none. */
  unreadable: v.exactOptional(v.number()),
});
export type Ratings = v.InferOutput<typeof ratingsSchema>;

/** Figures to date of a recipient list, and within the period. `null` beside `unavailable`; rates are ratios, 1 is all. */
export const listFiguresSchema = v.object({
  /** Rows of the list. */
  listed: v.nullable(v.number()),
  seen: v.nullable(v.number()),
  responded: v.nullable(v.number()),
  /** Of those who saw it, how many responded. */
  answered: v.nullable(v.number()),
  /** answered / seen; `null` where nobody saw it. */
  responseRate: v.nullable(v.number()),
  /** seen / listed, where the list is the audience; else `null`, as where there are responses without a single view. */
  reach: v.nullable(v.number()),
  /** `null` also where too many of the rows that came since the last digest have dates that cannot be read. */
  inPeriod: v.nullable(engagedInPeriodSchema),
  /** Rows whose `seenAt` or `respondedAt` is set but cannot be read as a date. */
  undated: v.number(),
  /** Rows without a `seenAt` or without a `respondedAt`: they count as not seen, or not responded. Not there where there are none. */
  lackingFields: v.exactOptional(v.number()),
});

/** From so many responses on a list without a single view does not say who saw it. */
const fewestWithoutViews = 10;

/** Whether a list says who saw it. */
export function saysViews({ seen, responded }: Engaged): boolean {
  return seen > 0 || responded < fewestWithoutViews;
}

/** What is counted of a delivery, of a content item, or of several together; `null` is not known. */
export interface Counted {
  seen: number | null;
  responded: number | null;
  answered?: number | null;
  inPeriod?: EngagedInPeriod | null;
  ratings?: { count: number; mean: number | null } | null;
  /** Whether it expects a response: what does not has no rate, and a dash for the responses of nobody. */
  asks?: boolean | null;
  /** How many people it is for; where that is not said, its lists may say it. */
  audience?: number | null;
  listed?: number | null;
  reach?: number | null;
  contents?: ReadonlyArray<{ id: string; listed?: number | null; reach?: number | null }> | null;
}

/** Each figure that is shown of something: in mail, page, card and files alike. `null` is not known. */
export interface Figures {
  /** `null` also for responses without a single view: the service does not say who saw it then. */
  seen: number | null;
  /** `null` also where nothing asks and nobody responded. */
  responded: number | null;
  /** How many people it is for. */
  audience: number | null;
  /** seen / audience */
  share: number | null;
  /** Of those who saw it, how many had responded. */
  answered: number | null;
  /** answered / seen, of what asks. */
  rate: number | null;
  ratings: number | null;
  mean: number | null;
  inPeriod: { seen: number | null; responded: number | null } | null;
}

/** The figures of what is counted. A rate, a share and a mean have this one meaning everywhere. */
export function figuresOf(counted: Counted): Figures {
  const { asks, answered = null, inPeriod = null, ratings = null } = counted;
  const hasViews = counted.seen !== 0 || (counted.responded ?? 0) === 0;
  const hasResponses = asks !== false || counted.responded !== 0;
  const seen = hasViews ? counted.seen : null;
  const audience = seen === null ? null : audienceOf(counted) || null;
  return {
    seen,
    responded: hasResponses ? counted.responded : null,
    audience,
    share: ratioOf(seen, audience),
    answered,
    rate: asks === undefined || asks === true ? ratioOf(answered, seen) : null,
    ratings: ratings?.count || null,
    mean: ratings?.mean ?? null,
    inPeriod: inPeriod && {
      seen: hasViews ? inPeriod.seen : null,
      responded: hasResponses ? inPeriod.responded : null,
    },
  };
}

/** Counts added up, audiences too, which may overlap; `null` where one is not known. */
export function addUp(all: readonly Counted[]) {
  const sumOfEach = (name: 'seen' | 'responded' | 'answered') => sumOf(all.map((counted) => counted[name] ?? null));
  return {
    audience: sumOf(all.map(audienceOf)),
    seen: sumOfEach('seen'),
    responded: sumOfEach('responded'),
    answered: sumOfEach('answered'),
    inPeriod: sumOfEngaged(all.map(({ inPeriod = null }) => inPeriod)),
  };
}

/**
 * How many people something is for: as is said of it, or the length of its own list, or of its content items', where these are the
 * audience. `null` where none is, where they disagree, and where more people engaged than such a list holds.
 */
export function audienceOf(counted: Counted): number | null {
  const { seen, responded, contents } = counted;
  if (counted.audience !== undefined) return counted.audience;
  const ofItems = (contents ?? []).flatMap(({ reach, listed }) => (reach == null ? [] : listed));
  const lengths = new Set(counted.reach == null ? ofItems : [counted.listed]);
  const [audience = null] = lengths;
  if (lengths.size !== 1 || audience == null) return null;
  return Math.max(seen ?? 0, responded ?? 0) > audience ? null : audience;
}

/** One figure as a share of another; `null` where one is not known, and of nothing. */
export function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** The sum of views and responses; `null` where one of them is. */
export function sumOfEngaged(all: ReadonlyArray<EngagedInPeriod | null>): EngagedInPeriod | null {
  return all.reduce<EngagedInPeriod | null>(
    (sum, engaged) =>
      sum &&
      engaged && {
        seen: sum.seen + engaged.seen,
        responded: sum.responded + engaged.responded,
        answered: sum.answered + engaged.answered,
      },
    { seen: 0, responded: 0, answered: 0 },
  );
}
