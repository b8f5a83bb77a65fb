import * as v from 'valibot';

const instant = v.pipe(v.number(), v.integer());

const collectRequestSchema = v.strictObject({
  run: v.string(),
  collection: v.string(),
  report: v.string(),
  phase: v.picklist(['list', 'recipients', 'broadcasts', 'contents']),
  /** Which batch of the phase, and from which of its items on. */
  batch: v.pipe(v.number(), v.integer(), v.minValue(0)),
  from: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Items of the batch that an earlier worker had begun when its time was up. */
  interrupted: v.exactOptional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  /** This worker's share of the requests in flight. */
  concurrency: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** How many workers share the batches of a phase. */
  workers: v.pipe(v.number(), v.integer(), v.minValue(1)),
  bounds: v.strictObject({ precedingStart: instant, start: instant, end: instant, timeZone: v.string() }),
});

/** What the run asks of the worker. */
export type CollectRequest = v.InferOutput<typeof collectRequestSchema>;

/** What the worker returns: counts, and of a batch what is left where its time was up. */
export type CollectResponse =
  | { phase: 'list'; listed: number; wanted: number; batches: number }
  | { phase: 'recipients' | 'broadcasts' | 'contents'; asked: number; next: number | null; interrupted: number[] }
  | { failure: { code: 'credentials-missing' | 'credentials-refused' | 'service-unavailable'; message: string } };

/** Reads the request that an event is. Throws a `TypeError` that names every fault. */
export function parseCollectRequest(event: unknown): CollectRequest {
  const parsed = v.safeParse(collectRequestSchema, event);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'}: ${issue.message}`);
  throw new TypeError(`Not a request to collect. ${faults.join('; ')}`);
}
