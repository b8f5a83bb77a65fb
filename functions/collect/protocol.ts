import * as v from 'valibot';
import { Service, Statuses } from '../domain/configuration/configuration.ts';
import { collectFailureCodes } from '../domain/failure-codes.ts';
import { stepsInMinutes } from '../domain/facts.ts';
import { periodBoundsSchema } from '../domain/period.ts';
import { isObject } from '../json-object.ts';

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

const observeRequestSchema = v.strictObject({
  account: v.string(),
  observation: v.string(),
  /** The account's present when the observation began, in epoch milliseconds. */
  atMs: v.pipe(v.number(), v.integer()),
  /** The newest observation that was closed; `null` before the first was. */
  before: v.nullable(v.string()),
  phase: v.picklist(['list', 'read']),
  batch: count,
  /** The worker before came no further: what has no time is given up. */
  isLastTry: v.boolean(),
  service: Service,
  /** Of deliveries with another status less is read. */
  statuses: Statuses,
  /** In which dates without an offset are read. */
  timeZone: v.string(),
  stepMinutes: v.picklist(stepsInMinutes),
});

/** What an observation asks of the worker. */
export type ObserveRequest = v.InferOutput<typeof observeRequestSchema>;

/** Whether an event is a request of an observation, and not the collection of one run. */
export function isObserveRequest(event: unknown): boolean {
  return isObject(event) && 'observation' in event;
}

/** Reads the request that an event is. Throws a `TypeError` that names every fault. */
export function parseCollectRequest(event: unknown): CollectRequest {
  return parseRequest(requestSchema, event);
}

/** As `parseCollectRequest`, of an observation. */
export function parseObserveRequest(event: unknown): ObserveRequest {
  return parseRequest(observeRequestSchema, event);
}

function parseRequest<T>(schema: v.GenericSchema<unknown, T>, event: unknown): T {
  const parsed = v.safeParse(schema, event);
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

/** The list was read: how many deliveries the observation follows, and in how many batches. */
export const plannedResponseSchema = v.strictObject({ deliveries: count, batches: count });

/** What a worker read of a batch, and whether it left something to another one. */
export const readResponseSchema = v.strictObject({ read: count, isDone: v.boolean() });

/** Nothing can be collected, for a reason that an operator understands: trying again would not help. */
export const failureResponseSchema = v.strictObject({
  failure: v.strictObject({
    code: v.picklist(collectFailureCodes),
    message: v.string(),
  }),
});

export type FailureResponse = v.InferOutput<typeof failureResponseSchema>;

/** What the worker returns. */
export type CollectResponse = BatchResponse | FailureResponse;
export type ObserveResponse =
  | v.InferOutput<typeof plannedResponseSchema>
  | v.InferOutput<typeof readResponseSchema>
  | FailureResponse;
