import type { Known } from './known.ts';
import type { KnownTotals } from './period.ts';

/** What a period's figures are compared with. */
export interface KnownComparison {
  basis: 'kept' | 'recounted' | 'none';
  previous: KnownTotals | null;
  /** The figures of the known periods up to this one, oldest first; `null` where something is missing that would change them. */
  trend: Array<KnownTotals | null>;
}

/** So many digests name a delivery that nobody has seen. */
const mostNamings = 4;

/** Compares a period with what the earlier digests said, else with the period before `recounted` from the same answers. */
export function comparedWith(
  totals: KnownTotals | null,
  earlier: readonly Known[],
  recounted: KnownTotals | null,
): KnownComparison {
  const mailed = earlier.map((each) => each.totals);
  const kept = mailed.at(-1) ?? null;
  const previous = totals === null ? null : (kept ?? recounted);
  const before = mailed.length > 0 ? mailed : [previous].filter((each) => each !== null);
  const basis = kept === null ? 'recounted' : 'kept';
  return { basis: previous === null ? 'none' : basis, previous, trend: [...before, totals] };
}

/** Whether a delivery that nobody has seen was named often enough, or was too old for the report's first digest. */
export function isNamedNoMore(id: string, earlier: readonly Known[]): boolean {
  return earlier[0]?.unseenNotNamed.includes(id) === true || namingsOf(id, earlier).length >= mostNamings;
}

/** The start of the first earlier period whose digest named a delivery as seen by nobody. */
export function unseenSince(id: string, earlier: readonly Known[]): number | null {
  return namingsOf(id, earlier)[0]?.start ?? null;
}

function namingsOf(id: string, earlier: readonly Known[]): Known[] {
  return earlier.filter(({ deliveries }) => deliveries.some((one) => one.id === id && one.kind === 'silent'));
}
