import { StepSemantics, type DurableContext, type StepConfig } from '@aws/durable-execution-sdk-js';
import { failureCodes, refusalCodes, type Failure } from '../domain/failure-codes.ts';
import * as v from 'valibot';

/** After so many deaths of an invocation at one place a run fails, whether it was its own or the worker's. */
export const mostDeaths = 5;

/** The failure of a function that did not live to the end of its work. `place` is the worker's. */
export function deathOf(name: 'run' | 'collect', place = ''): Failure {
  const message =
    `The function "${name}" died ${mostDeaths} times at the same place${place}: it ran out of memory or of time, or it ` +
    `crashed. The end of its log says which. What was done before is kept.`;
  return { code: 'invocation-died', message };
}

/** The failure behind an error. Errors cross the durable engine's steps and invocations as a name and a message. */
export function failureOf(error: unknown): Failure {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { name, message } = cause;
    const code = failureCodes.find((known) => known === name);
    if (code !== undefined) return { code, message };
    // What the engine calls it.
    if (name === 'StepInterruptedError') return deathOf('run');
  }
  return { code: 'internal', message: 'An unexpected error; see the log of the run.' };
}

/** The failure that an error's name and message say: the durable engine hands on no more of an error. */
export function failureNamed(name = '', message = ''): Failure {
  return failureOf(Object.assign(new Error(message), { name }));
}

/** Whether an order was refused, and nothing failed. */
export function isRefusal({ code }: Failure): boolean {
  return refusalCodes.some((refusal) => refusal === code);
}

/** What an execution returns that did not do what it was asked to, and why. */
export type Declined = v.InferOutput<typeof declinedSchema>;
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

/**
 * A step that failed unexpectedly is tried three times in all; one that failed for a reason it names is not. One whose
 * invocation died, because its memory or its time was not enough, is tried until it has died five times. Under these
 * semantics the engine counts a death as a try; under its default ones Lambda runs the step again until the execution's time
 * is up (https://github.com/aws/aws-durable-execution-docs/issues/281). Every step may be run again after any part of it.
 */
export const retryUnexpected = {
  semantics: StepSemantics.AtMostOncePerRetry,
  retryStrategy: (error: Error, attempt: number) => {
    const { code } = failureOf(error);
    if (code === 'invocation-died') return { shouldRetry: attempt < mostDeaths, delay: { seconds: 1 } };
    return { shouldRetry: attempt < 3 && code === 'internal', delay: { seconds: 2 * attempt } };
  },
} satisfies StepConfig<unknown>;

/** A durable step that is tried again so. */
export async function step<T>(context: DurableContext, name: string, work: () => Promise<T>): Promise<T> {
  return await context.step(name, work, retryUnexpected);
}
