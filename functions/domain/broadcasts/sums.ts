import type { EngagedInPeriod } from './digest-broadcast.ts';

/** The sum of figures; `null` where one of them is. */
export function sumOf(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce<number | null>((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** Of those who saw it, the share that responded; `null` where nobody saw anything, and where it is not known. */
export function responseRateOf(engaged: Pick<EngagedInPeriod, 'seen' | 'answered'> | null): number | null {
  return engaged === null || engaged.seen === 0 ? null : engaged.answered / engaged.seen;
}

/** The sum of views and responses; `null` where one of them is. */
export function sumOfEngaged(figures: ReadonlyArray<EngagedInPeriod | null>): EngagedInPeriod | null {
  const seen = sumOf(figures.map((each) => each?.seen ?? null));
  const responded = sumOf(figures.map((each) => each?.responded ?? null));
  const answered = sumOf(figures.map((each) => each?.answered ?? null));
  return seen === null || responded === null || answered === null ? null : { seen, responded, answered };
}
