import * as v from 'valibot';
import { unavailableSchema } from './reasons.ts';

/**
 * What became of a limit: met, and the delivery is in the mail; not met; nothing is usual of its series, or nobody was ever seen to
 * look at anything; what is usual decides in its place; it takes an audience, or that the audience is not known; the audience is a
 * small group; why it was not judged is beside it, and later runs try again for three days; or that is too long ago.
 */
const verdictSchema = v.picklist([
  'met',
  'not-met',
  'no-usual',
  'has-usual',
  'no-audience',
  'has-audience',
  'small-group',
  'not-judged',
  'too-late',
]);
export type Verdict = v.InferOutput<typeof verdictSchema>;

const judgementSchema = v.object({
  delivery: v.string(),
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()) }),
  /** Instant with offset; `null` where nobody has seen it, and it counts from an earlier run that listed it, or it was not read. */
  firstSign: v.nullable(v.string()),
  /** Views when it was as old as the warning judges; `null` where not all of their dates can be read. */
  seenAtAge: v.nullable(v.number()),
  /** Views to date, and how many saw it or responded. */
  seen: v.nullable(v.number()),
  engaged: v.nullable(v.number()),
  /** How many people it is for; `null` where that is not known. */
  audience: v.nullable(v.number()),
  /** The share that is usual of its series at that age, over so many editions; its edition is judged as a whole. */
  usual: v.nullable(v.object({ share: v.number(), hours: v.number(), editions: v.number() })),
  /** Of each limit that there is, by its name. */
  limits: v.record(v.string(), verdictSchema),
  unavailable: v.exactOptional(unavailableSchema),
  /** Its broadcast's place among those of the newest digest; `null` where it has none. */
  place: v.nullable(v.number()),
});
export type Judgement = v.InferOutput<typeof judgementSchema>;

/** What a warning says, beside what needs somebody. */
export const warningSchema = v.object({
  /** The report whose deliveries are judged, and at which age. */
  report: v.string(),
  afterHours: v.number(),
  /** What had reached that age by then; instant with offset. */
  until: v.string(),
  /** Of each delivery whose judgement fell due since the run before, or that waited. */
  judgements: v.array(judgementSchema),
  /** Nothing is mailed now: what needs somebody waits for a working day, and is judged again then. */
  waits: v.boolean(),
  /** The newest digest of the report that was sent. */
  newest: v.nullable(v.object({ report: v.string(), run: v.string(), digest: v.string() })),
});
export type Warning = v.InferOutput<typeof warningSchema>;

/** The most broadcasts that a warning names. */
export const mostNamed = 10;
