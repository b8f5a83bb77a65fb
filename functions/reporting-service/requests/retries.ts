import type { AttemptFailure } from './failure.ts';

const attemptsOnFailure = 5;
const attemptsOnThrottling = 8;
/** Short at first, since most failures pass at once, then growing fast: four retries take five seconds on average. */
const firstDelayMs = 100;
const delayFactor = 3;
const longestDelayMs = 8_000;
/** The longest wait for one answer, whatever pause the service asks for. */
export const longestWaitMs = 180_000;

/** How often a request with this failure is sent in all: never more than `most` times. */
export function attemptsAllowed(failure: AttemptFailure, most = Infinity): number {
  if (failure.retry === 'never') return 1;
  return Math.min(most, failure.retry === 'throttled' ? attemptsOnThrottling : attemptsOnFailure);
}

/**
 * How long to wait before the attempt that follows number `attempt`, in milliseconds: as the service asked, else
 * exponential with full jitter, so that requests that failed together are not retried together.
 */
export function delayBeforeNext(failure: AttemptFailure, attempt: number): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs + Math.random() * firstDelayMs;
  return Math.random() * Math.min(longestDelayMs, firstDelayMs * delayFactor ** attempt);
}
