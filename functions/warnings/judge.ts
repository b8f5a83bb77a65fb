import { fewestUntouched } from '../domain/judging.ts';
import type { Judgement, Verdict } from '../domain/warning.ts';
import type { WarningSettings } from '../domain/configuration/configuration.ts';

const limitNames = ['belowUsual', 'belowShare', 'belowViews'] as const;
type LimitName = (typeof limitNames)[number];
type Limits = Pick<WarningSettings, LimitName>;

/** What a delivery is judged by. */
export interface Received {
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
  /** To date: its views, and how many saw it or responded. */
  seen: number;
  engaged: number;
  /** The views that are usual of its edition, and what that had when it was as old, and to date; `null` where nothing is usual. */
  usual: { expected: number; seenAtAge: number; engaged: number } | null;
}

/**
 * Judges a delivery by each limit that there is: by what it has to date, and by what is usual also at the age that the warning
 * judges. Where it is not judged, every limit has that verdict.
 */
export function judge(limits: Limits, received: Verdict | Received, minimumGroup: number): Judgement['limits'] {
  const judgeBy = (name: LimitName): Verdict =>
    typeof received === 'string' ? received : verdictOf(name, limits, received, minimumGroup);
  const names = limitNames.filter((name) => limits[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, judgeBy(name)]));
}

function verdictOf(
  name: LimitName,
  limits: Limits,
  { audience, seen, engaged, usual }: Received,
  minimumGroup: number,
): Verdict {
  const limit = limits[name] ?? 0;
  if (audience === null) return name === 'belowViews' ? metIf(isBelow(seen, limit)) : 'no-audience';
  if (name === 'belowViews') return 'has-audience';
  if (audience < minimumGroup) return 'small-group';
  if (audience - engaged < fewestUntouched) return 'not-met';
  // Nobody has seen it: that is below every share.
  if (engaged === 0) return 'met';
  if (name === 'belowShare') {
    // A place where little is usual is not named again and again.
    return usual !== null && limits.belowUsual !== undefined ? 'has-usual' : metIf(isBelow(engaged, limit * audience));
  }
  if (usual === null) return 'no-usual';
  const { expected, seenAtAge } = usual;
  const isLow = (count: number): boolean =>
    isBelow(count, limit * expected) && !isBelow(expected, count + fewestUntouched);
  return metIf(isLow(seenAtAge) && isLow(usual.engaged));
}

function metIf(isMet: boolean): Verdict {
  return isMet ? 'met' : 'not-met';
}

/** Exactly at a limit is not below it: they are compared in millionths, because 0.55 × 100 is a little more than 55. */
function isBelow(count: number, limit: number): boolean {
  return Math.round(count * 1e6) < Math.round(limit * 1e6);
}

export function isBelowLimit({ limits }: Judgement): boolean {
  return Object.values(limits).includes('met');
}
