import { haveAllReachedHalf } from '../../digest/figures.ts';
import type { SectionInput } from '../input.ts';

/** One good thing, where nothing needs anybody and every row is known; `null` where rows prove none. */
export function viewGood({ digest, wording }: SectionInput): string | null {
  const { totals, unavailable, broadcasts } = digest;
  if (totals.seen === null || unavailable.length > 0 || !haveAllReachedHalf(digest)) return null;
  return wording.count('good.half', broadcasts.filter(({ group }) => group === 'new').length);
}
