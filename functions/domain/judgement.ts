import * as v from 'valibot';
import { unavailableSchema } from './reasons.ts';

/**
 * What became of a limit: met, and the delivery is in the mail; not met; nothing is usual of its series, or too little, or nobody
 * was ever seen to look at anything; it takes an audience, or that the audience is not known; why it was not judged is beside it,
 * and later runs try again for three days; or that is too long ago.
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
export type Verdict = v.InferOutput<typeof verdictSchema>;

/** How a warning judged a delivery. */
export const judgementSchema = v.object({
  delivery: v.string(),
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()), createdBy: v.nullable(v.string()) }),
  /** Instant with offset; `null` where nobody has seen it: it counts from the run that first listed it. */
  firstSign: v.nullable(v.string()),
  /** Views when it was as old as the warning judges, and to date. */
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

/** What a warning says, in place of figures. */
export const warningSchema = v.object({
  /** The report whose deliveries are judged, and at which age. */
  report: v.string(),
  afterHours: v.number(),
  /** What had reached that age by then; instant with offset. */
  until: v.string(),
  /** What was judged for the first time, or could not be. */
  judgements: v.array(judgementSchema),
  /** What the mail names, together with what earlier runs left for a working day; most people not reached first. */
  named: v.array(judgementSchema),
  /** Nothing is mailed now: what is named waits for a working day, or a run of a later day was made before this one. */
  waits: v.boolean(),
  /** The newest digest of the report that was sent. */
  newest: v.nullable(v.object({ report: v.string(), run: v.string(), digest: v.string() })),
});
export type Warning = v.InferOutput<typeof warningSchema>;
