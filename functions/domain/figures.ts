import * as v from 'valibot';
import { countsSchema } from './counts-by-word.ts';

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
  /** Rows with neither a `seenAt` nor a `respondedAt`: they count as not seen and not responded. Not there where there are none. */
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
  /** How many people it is for; of a content item its list says it, where that has a reach. */
  audience?: number | null;
  listed?: number | null;
  reach?: number | null;
}

/** Each figure that is shown of something: in mail, page, card and files alike. `null` is not known. */
export type Figures = ReturnType<typeof figuresOf>;

/**
 * The figures of what is counted. A rate, a share and a mean have this one meaning everywhere, and none is given of fewer than
 * `minimumGroup`: it would say what single people did.
 */
export function figuresOf(counted: Counted, { minimumGroup }: { minimumGroup: number }) {
  const shareOf = (part: number | null, whole: number | null): number | null =>
    whole !== null && whole < minimumGroup ? null : ratioOf(part, whole);
  const { seen, asks, answered = null, inPeriod = null, ratings = null } = counted;
  const hasResponses = asks !== false || counted.responded !== 0;
  const ofList = counted.reach == null ? null : counted.listed;
  const audience = (counted.audience === undefined ? ofList : counted.audience) || null;
  return {
    /** `null` also where the service does not say who saw it. */
    seen,
    /** `null` also where nothing asks and nobody responded. */
    responded: hasResponses ? counted.responded : null,
    /** How many people it is for. */
    audience,
    /** seen / audience */
    share: shareOf(seen, audience),
    /** Of those who saw it, how many had responded. */
    answered,
    /** answered / seen, of what asks. */
    rate: asks === undefined || asks === true ? shareOf(answered, seen) : null,
    /** How many there are; where they are as many as a group has, their mean, and it may be shown how often each was given. */
    ratings: ratings?.count || null,
    mean: (ratings?.count ?? 0) < minimumGroup ? null : (ratings?.mean ?? null),
    hasHistogram: (ratings?.count ?? 0) >= minimumGroup,
    inPeriod: inPeriod && { seen: inPeriod.seen, responded: hasResponses ? inPeriod.responded : null },
  };
}

/** Counts added up, audiences too, which may overlap; `null` where one is not known. */
export function addUp(parts: readonly Counted[]) {
  const add = (name: 'audience' | 'seen' | 'responded' | 'answered') => sumOf(parts.map((part) => part[name] ?? null));
  return {
    audience: add('audience'),
    seen: add('seen'),
    responded: add('responded'),
    answered: add('answered'),
    inPeriod: sumOfEngaged(parts.map(({ inPeriod = null }) => inPeriod)),
  };
}

/** The sum of figures; `null` where one of them is. */
export function sumOf(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce<number | null>((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** One figure as a share of another; `null` where one is not known, and of nothing. */
export function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** The sum of views and responses; `null` where one of them is. */
export function sumOfEngaged(parts: ReadonlyArray<EngagedInPeriod | null>): EngagedInPeriod | null {
  const add = (name: keyof EngagedInPeriod) => sumOf(parts.map((part) => part && part[name]));
  const [seen, responded, answered] = [add('seen'), add('responded'), add('answered')];
  return seen === null || responded === null || answered === null ? null : { seen, responded, answered };
}
