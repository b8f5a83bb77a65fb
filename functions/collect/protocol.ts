import * as v from 'valibot';

const instant = v.pipe(v.number(), v.integer());

const orderSchema = v.strictObject({
  run: v.string(),
  collection: v.string(),
  report: v.string(),
  pass: v.picklist(['list', 'recipients', 'broadcasts', 'contents']),
  /** Which batch of the pass, and from which of its items on. */
  batch: v.pipe(v.number(), v.integer(), v.minValue(0)),
  from: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Items of the batch that the time of an earlier worker interrupted. */
  again: v.exactOptional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  /** This worker's share of the requests in flight. */
  concurrency: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** How many workers share the batches of a pass. */
  workers: v.pipe(v.number(), v.integer(), v.minValue(1)),
  window: v.strictObject({ precedingStart: instant, start: instant, end: instant, timeZone: v.string() }),
});

/** What the run asks of the worker. */
export type CollectRequest = v.InferOutput<typeof orderSchema>;

/** What the worker answers: counts, and in a batch what is left where its time was up. */
export type CollectResponse =
  | { pass: 'list'; listed: number; wanted: number; batches: number }
  | { pass: 'recipients' | 'broadcasts' | 'contents'; asked: number; next: number | null; again: number[] }
  | { failure: { code: 'credentials-missing' | 'credentials-refused' | 'service-unavailable'; message: string } };

/** The order that an event is. Throws a `TypeError` that names every fault. */
export function parseCollectRequest(event: unknown): CollectRequest {
  const parsed = v.safeParse(orderSchema, event);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'}: ${issue.message}`);
  throw new TypeError(`Not an order to collect. ${faults.join('; ')}`);
}
