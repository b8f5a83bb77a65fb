import * as v from 'valibot';
import { Service, Statuses } from '../domain/configuration/configuration.ts';
import { collectFailureCodes } from '../domain/failure-codes.ts';
import { periodBoundsSchema } from '../domain/period.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const requestSchema = v.strictObject({
  run: v.string(),
  collection: v.string(),
  phase: v.picklist(['list', 'recipients', 'broadcasts', 'contents']),
  /** Which batch of the phase, and from which of its items on. */
  batch: count,
  from: count,
  /** Items of the batch that an earlier worker had begun when its time was up. */
  interrupted: v.exactOptional(v.array(count)),
  bounds: periodBoundsSchema,
  /** The settings that the run was planned with: the worker, which may be of a later deployment, has none of its own. */
  service: Service,
  statuses: Statuses,
});

/** What the run asks of the worker. */
export type CollectRequest = v.InferOutput<typeof requestSchema>;

/** Reads the request that an event is. Throws a `TypeError` that names every fault. */
export function parseCollectRequest(event: unknown): CollectRequest {
  const parsed = v.safeParse(requestSchema, event);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'}: ${issue.message}`);
  throw new TypeError(`Not a request to collect. ${faults.join('; ')}`);
}

/** The list, or a batch, was collected, as far as the worker's time allowed. */
export const batchResponseSchema = v.strictObject({
  /** How many items were finished; of the list, how many deliveries it has. */
  asked: count,
  /** What another worker has to do: the items that were begun and not finished, and those that were not begun. */
  left: v.nullable(v.strictObject({ from: count, interrupted: v.array(count) })),
});
export type BatchResponse = v.InferOutput<typeof batchResponseSchema>;

/** Nothing can be collected, for a reason that an operator understands: trying again would not help. */
export const failureResponseSchema = v.strictObject({
  failure: v.strictObject({
    code: v.picklist(collectFailureCodes),
    message: v.string(),
  }),
});

/** What the worker returns. */
export type CollectResponse = BatchResponse | v.InferOutput<typeof failureResponseSchema>;
