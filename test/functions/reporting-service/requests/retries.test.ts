import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failureOfStatus, withAdvice } from '../../../../functions/reporting-service/requests/failure.ts';
import { attemptsAllowed, delayBeforeNext } from '../../../../functions/reporting-service/requests/retries.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => void vi.restoreAllMocks());

const failureWith = (status: number, retryAfter?: string) =>
  failureOfStatus('[GET] /v1', status, new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }));

const wait = ' Wait until the service answers, then run it again.';
test.each([
  [300, 1, 'redirected', ''],
  [399, 1, 'redirected', ''],
  [400, 1, 'refused', ''],
  [403, 1, 'forbidden', " Ask the service's contact for the right to read it."],
  [404, 1, 'not-found', ''],
  [408, 5, 'failed', ''],
  [410, 1, 'gone', ''],
  [429, 8, 'failed', wait],
  [500, 5, 'failed', wait],
  [503, 8, 'failed', wait],
])('a %i is asked for %i times in all, and then %s:%s', (status, attempts, reason, advice) => {
  const failure = failureWith(status);
  expect([attemptsAllowed(failure), attemptsAllowed(failure, 1)]).toEqual([attempts, 1]);
  expect(failure.error.unavailable).toEqual({ reason, status });
  expect(withAdvice(failure.error)).toBe(`[GET] /v1: ${status}.${advice}`);
});

test('a service that is slow is not one that is not there', () => {
  expect(withAdvice({ message: 'no answer in time' })).toContain('in time. It is there and slow: see service.timeout');
});

test('the pause grows threefold up to eight seconds, half of it by chance, or is what the service asks for and a little more', () => {
  const growing = [1, 2, 3, 4, 5].map((attempt) => delayBeforeNext(failureWith(500), attempt));
  expect(growing).toEqual([150, 450, 1350, 4000, 4000]);
  const asked = ['2', ' 0.5 ', '', 'soon'].map((after) => delayBeforeNext(failureWith(429, after), 1));
  expect(asked).toEqual([2050, 550, 150, 150]);
  // Of what is not slowed down no pause is read.
  expect(delayBeforeNext(failureWith(500, '2'), 1)).toBe(150);
});
