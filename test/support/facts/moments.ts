import { createMoments, type RowMoments, type StepMinutes } from '../../../functions/domain/facts.ts';

/** The moments of the rows of a list. */
export function momentsOf(rows: readonly RowMoments[], stepMinutes: StepMinutes) {
  const { add, moments } = createMoments(stepMinutes);
  for (const row of rows) add(row);
  return moments();
}
