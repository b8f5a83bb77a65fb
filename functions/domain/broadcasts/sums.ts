import type { Engaged } from './digest-broadcast.ts';

/** The sum of figures; `null` where one of them is. */
export function sumOf(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce<number | null>((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** responded / seen; `null` where nobody saw anything, and where it is not known. */
export function responseRateOf(engaged: Engaged | null): number | null {
  return engaged === null || engaged.seen === 0 ? null : engaged.responded / engaged.seen;
}

/** The sum of views and responses; `null` where one of them is. */
export function sumOfEngaged(figures: ReadonlyArray<Engaged | null>): Engaged | null {
  const seen = sumOf(figures.map((each) => each?.seen ?? null));
  const responded = sumOf(figures.map((each) => each?.responded ?? null));
  return seen === null || responded === null ? null : { seen, responded };
}
