import type { AttemptFailure } from './failure.ts';

const attemptsOnFailure = 5;
const attemptsOnThrottling = 8;
/** After so many requests in a row that were given up, each further one is sent once, until one succeeds. */
const failuresUntilBreak = 20;
/** Short at first, since most failures pass at once, and then soon long: four retries span five seconds on average. */
const firstDelayMs = 100;
const delayFactor = 3;
const longestDelayMs = 8_000;

/**
 * How often a request is sent in all where it failed so: at most `attempts` times, whatever the failure, and after
 * `givenUpInARow` other requests that were given up perhaps only once.
 */
export function attemptsAllowed(failure: AttemptFailure, attempts = Infinity, givenUpInARow = 0): number {
  if (failure.retry === 'never') return 1;
  if (failure.retry === 'throttled') return Math.min(attempts, attemptsOnThrottling);
  return givenUpInARow >= failuresUntilBreak ? 1 : Math.min(attempts, attemptsOnFailure);
}

/**
 * How long to wait before the attempt that follows number `attempt`, in milliseconds: exponential with full jitter, so
 * that workers that failed together do not come back together; or as the service ordered.
 */
export function delayBeforeNext(failure: AttemptFailure, attempt: number): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs + Math.random() * firstDelayMs;
  return Math.random() * Math.min(longestDelayMs, firstDelayMs * delayFactor ** attempt);
}
