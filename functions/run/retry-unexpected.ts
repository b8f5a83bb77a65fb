import type { StepConfig } from '@aws/durable-execution-sdk-js';
import { isUnexpected } from './failure.ts';

/** A step that failed unexpectedly is tried three times in all; one that failed for a reason it names is not. */
export const retryUnexpected = {
  retryStrategy: (error: Error, attempt: number) => ({
    shouldRetry: attempt < 3 && isUnexpected(error),
    delay: { seconds: 2 * attempt },
  }),
} satisfies StepConfig<unknown>;
