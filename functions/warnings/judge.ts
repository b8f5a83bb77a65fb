import type { Judgement, Verdict } from '../domain/judgement.ts';
import type { WarningSettings } from '../domain/warning.ts';

const limitNames = ['belowUsual', 'belowShare', 'belowViews'] as const;
/** The least that is usual for a comparison, and the fewest people not reached that are worth a warning. */
const [leastUsual, leastNotReached] = [10, 10];

/** Judges a delivery by each limit that there is; where it was not judged, all of them say so. */
export function judge(
  limits: Pick<WarningSettings, (typeof limitNames)[number]>,
  received: Verdict | (Record<'seen' | 'seenToDate', number> & Record<'audience' | 'usual', number | null>),
): Judgement['limits'] {
  const verdictOf = (name: (typeof limitNames)[number], limit: number): Verdict => {
    if (typeof received === 'string') return received;
    const { seen, seenToDate, audience, usual } = received;
    if (name === 'belowUsual' && (usual === null || usual < leastUsual)) return 'no-usual';
    if (name === 'belowShare' && audience === null) return 'no-audience';
    if (name === 'belowViews' && audience !== null) return 'has-audience';
    const hasReached = audience !== null && audience - Math.max(seen, seenToDate) < leastNotReached;
    const whole = { belowUsual: usual ?? 0, belowShare: audience ?? 0, belowViews: 1 }[name];
    return seen < limit * whole && !hasReached ? 'met' : 'not-met';
  };
  return Object.fromEntries(
    limitNames.flatMap((name) => (limits[name] === undefined ? [] : [[name, verdictOf(name, limits[name])]])),
  );
}

/** Whether a delivery fell below a limit. */
export function isBelowLimit({ limits }: Judgement): boolean {
  return Object.values(limits).includes('met');
}
