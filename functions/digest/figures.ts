import type { Digest, DigestBroadcast, DigestContent, DigestDelivery, PeriodFigures } from './schema.ts';

type Counted = Pick<DigestDelivery, 'audience' | 'seen' | 'responded' | 'answered'> &
  Partial<Pick<DigestDelivery, 'inPeriod'> & Pick<DigestContent, 'ratings'>>;

/** Each figure that is shown of something: in mail, page, card and files alike. `null` is not known, or too few people. */
export type Figures = ReturnType<typeof figuresOf>;

/**
 * The figures of deliveries, or of content items, together. A share, a rate and a mean have this one meaning everywhere. None is
 * given unless the largest of them has `minimumGroup` people in what it is a share of: of fewer, and of the same few people in
 * several deliveries, it would say what single ones did.
 *
 * @param asks whether they expect a response: what does not has no rate, and none of nobody's responses
 */
export function figuresOf(
  parts: readonly Counted[],
  { minimumGroup, asks }: { minimumGroup: number; asks: boolean | null },
) {
  const sum = (name: 'audience' | 'seen' | 'responded' | 'answered') => sumOf(parts.map((part) => part[name]));
  const sumInPeriod = (name: 'seen' | 'responded') => sumOf(parts.map(({ inPeriod }) => inPeriod?.[name] ?? null));
  const shareOf = (part: number | null, whole: 'audience' | 'seen'): number | null =>
    parts.some(({ [whole]: people }) => areEnough(people, minimumGroup)) ? ratioOf(part, sum(whole)) : null;
  const [seen, answered, responded] = [sum('seen'), sum('answered'), sum('responded')];
  const hasResponses = asks !== false || responded !== 0;
  return {
    seen,
    /** `null` also where nothing asks and nobody responded. */
    responded: hasResponses ? responded : null,
    /** Of those who saw it, how many had responded. */
    answered,
    audience: sum('audience') || null,
    share: shareOf(seen, 'audience'),
    rate: asks === true ? shareOf(answered, 'seen') : null,
    ratings: ratingsOf(parts, minimumGroup),
    inPeriod: { seen: sumInPeriod('seen'), responded: hasResponses ? sumInPeriod('responded') : null },
  };
}

/** Whether so many people, `null` where that is not known, are enough for a share, a rate, a mean or a bar. */
export const areEnough = (people: number | null, minimumGroup: number): boolean => (people ?? 0) >= minimumGroup;

/** Ratings together; `null` where there are none, or some are not known. Their mean and histogram are those of enough people. */
function ratingsOf(parts: readonly Counted[], minimumGroup: number) {
  const ratings = parts.flatMap((part) => (part.ratings === undefined ? [] : [part.ratings]));
  const known = ratings.filter((rated) => rated !== null);
  if (ratings.length === 0 || known.length < ratings.length) return null;
  const count = known.reduce((total, rated) => total + rated.count, 0);
  const total = sumOf(known.map((rated) => (rated.mean === null ? null : rated.mean * rated.count)));
  const hasHistogram = known.some((rated) => areEnough(rated.count, minimumGroup));
  return { count, mean: hasHistogram ? ratioOf(total, count) : null, hasHistogram };
}

/** Whether nothing is named, and every new broadcast is known to have reached half of its audience, as its row proves. */
export function haveAllReachedHalf({ broadcasts, needs, season, minimumGroup }: Digest): boolean {
  const news = broadcasts.filter(({ group }) => group === 'new');
  const isHalf = ({ deliveries, asks }: DigestBroadcast): boolean =>
    (figuresOf(deliveries, { minimumGroup, asks }).share ?? 0) * 2 >= 1;
  return needs.length === 0 && season === null && news.length > 0 && news.every(isHalf);
}

/** The sum of figures; `null` where one of them is. */
export function sumOf(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce<number | null>((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** One figure as a share of another; `null` where one is not known, and of nothing. */
export function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** A larger or smaller share is one from so many people on both sides, by so much, and by so many people. */
const sureChange = { people: 30, share: 0.05, difference: 5 };

type Asked = NonNullable<PeriodFigures['asked']>;

/** How much larger the share of those who answered is than another one; `null` where that may be chance. */
export function changeOfShare(now: Asked, before: Asked): number | null {
  const people = Math.min(now.seen, before.seen);
  if (people < sureChange.people) return null;
  const change = now.answered / now.seen - before.answered / before.seen;
  const isSure = Math.abs(change) >= sureChange.share && Math.abs(change) * people >= sureChange.difference;
  return isSure ? change : null;
}
