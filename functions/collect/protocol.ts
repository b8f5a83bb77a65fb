import * as v from 'valibot';
import { collectFailureCodes } from '../domain/failure-codes.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

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
