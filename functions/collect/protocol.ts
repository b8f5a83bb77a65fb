import * as v from 'valibot';
import { Service, Statuses } from '../domain/configuration/configuration.ts';
import { failureSchema } from '../domain/failures.ts';
import { stepsInMinutes } from '../domain/facts.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const requestSchema = v.strictObject({
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
export type ObserveRequest = v.InferOutput<typeof requestSchema>;

/** Reads the request that an event is. Throws a `TypeError` that names every fault. */
export function parseObserveRequest(event: unknown): ObserveRequest {
  const parsed = v.safeParse(requestSchema, event);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'}: ${issue.message}`);
  throw new TypeError(`Not a request to collect. ${faults.join('; ')}`);
}

/** The list was read: how many deliveries the observation follows, and in how many batches. */
export const plannedResponseSchema = v.strictObject({ deliveries: count, batches: count });

/** What a worker read of a batch, and whether it left something to another one. */
export const readResponseSchema = v.strictObject({ read: count, isDone: v.boolean() });

/** Nothing can be collected, for a reason that an operator understands: trying again would not help. */
export const failureResponseSchema = v.strictObject({ failure: failureSchema });

/** What the worker returns. */
export type ObserveResponse =
  | v.InferOutput<typeof plannedResponseSchema>
  | v.InferOutput<typeof readResponseSchema>
  | v.InferOutput<typeof failureResponseSchema>;
