import * as v from 'valibot';
import { failureNamed, type Failure } from './failure.ts';

/** What an execution returns that did not do what it was asked to, and why. */
export interface Declined {
  state: 'refused' | 'failed';
  error: Failure;
}

const declinedSchema = v.object({
  state: v.picklist(['refused', 'failed']),
  error: v.object({ code: v.string(), message: v.string() }),
});

/**
 * Why an execution did not do what it was asked to, from what it returned: a run that failed, an order that was refused or
 * failed. `null` where it did. A code that this version does not know is `internal`.
 */
export function failureIn(result: unknown): Failure | null {
  const parsed = v.safeParse(declinedSchema, result);
  return parsed.success ? failureNamed(parsed.output.error.code, parsed.output.error.message) : null;
}

/** Whether an execution returned that its run is done: nothing of it is left to send. */
export function isDone(result: unknown): boolean {
  return v.is(v.object({ state: v.literal('done') }), result);
}
