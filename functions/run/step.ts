import { StepSemantics, type DurableContext, type StepConfig } from '@aws/durable-execution-sdk-js';
import { failureOf, mostDeaths } from '../domain/failures.ts';

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
