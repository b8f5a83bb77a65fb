import * as v from 'valibot';
import { unavailableSchema } from './reasons.ts';
import type { Warns } from './warning.ts';

/**
 * What became of a limit: met, and it is warned of; not met; nothing is usual of its series, or too little, or nobody was ever seen
 * to look at anything; it takes an audience, or that the audience is not known; why it was not judged is beside it, and later checks
 * try again for three days; or that is too long ago.
 */
const verdictSchema = v.picklist([
  'met',
  'not-met',
  'no-usual',
  'no-audience',
  'has-audience',
  'not-judged',
  'too-late',
]);
type Verdict = v.InferOutput<typeof verdictSchema>;

/** What a check found of a delivery. */
export const judgementSchema = v.object({
  delivery: v.string(),
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()), createdBy: v.nullable(v.string()) }),
  /** Instant with offset; `null` where nobody has seen it: it counts from the check that first listed it. */
  firstSign: v.nullable(v.string()),
  /** Views when it was as old as the check judges, and to date. */
  seen: v.nullable(v.number()),
  seenToDate: v.nullable(v.number()),
  /** How many people it is for; `null` where that is not known. */
  audience: v.nullable(v.number()),
  /** The views that are usual of its series at that age: of as large an audience, where audiences are known. */
  usual: v.nullable(v.number()),
  /** Of each limit that there is, by its name. */
  limits: v.record(v.string(), verdictSchema),
  unavailable: v.exactOptional(unavailableSchema),
  /** Its broadcast's place among those of the newest digest; `null` where it has none. */
  place: v.nullable(v.number()),
});
export type Judgement = v.InferOutput<typeof judgementSchema>;

/** What a warning's check found, in place of figures. */
export const checkSchema = v.object({
  /** The report whose deliveries are judged, and at which age. */
  report: v.string(),
  afterHours: v.number(),
  /** What had reached that age by then; instant with offset. */
  until: v.string(),
  /** What was judged for the first time, or could not be. */
  judged: v.array(judgementSchema),
  /** What the mail warns of, together with what earlier checks left for a working day; most people not reached first. */
  warnings: v.array(judgementSchema),
  /** Nothing is mailed now: these warnings wait for a working day, or a later check was made before this one. */
  waits: v.boolean(),
  /** The newest digest of the report that was sent. */
  newest: v.nullable(v.object({ report: v.string(), run: v.string(), digest: v.string() })),
});
export type Check = v.InferOutput<typeof checkSchema>;

const limitNames = ['belowUsual', 'belowShare', 'belowViews'] as const;
/** The least that is usual for a comparison, and the fewest people not reached that are worth a warning. */
const [leastUsual, leastNotReached] = [10, 10];

/** Judges a delivery by each limit that there is; where it was not judged, all of them say so. */
export function judge(
  limits: Pick<Warns, (typeof limitNames)[number]>,
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

/** Whether a delivery is warned of. */
export function isWarning({ limits }: Judgement): boolean {
  return Object.values(limits).includes('met');
}

/** The digest that the page of a mail shows: its own, or the newest one where a check warns; `null` where there is none. */
export function pageOf<Key>({ check }: { check?: Check }, own: Key): Key | Check['newest'] {
  return check === undefined ? own : check.newest;
}
