import type { Engaged } from './digest-broadcast.ts';

/** The sum of figures; `null` where one of them is. */
export function sumOf(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce<number | null>((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** The sum of views and responses; `null` where one of them is. */
export function sumOfEngaged(figures: ReadonlyArray<Engaged | null>): Engaged | null {
  const seen = sumOf(figures.map((each) => each?.seen ?? null));
  const responded = sumOf(figures.map((each) => each?.responded ?? null));
  return seen === null || responded === null ? null : { seen, responded };
}
