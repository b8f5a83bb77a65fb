import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failureOfStatus, withAdvice } from '../../../../functions/reporting-service/requests/failure.ts';
import { attemptsAllowed, delayBeforeNext } from '../../../../functions/reporting-service/requests/retries.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => void vi.restoreAllMocks());

const failureWith = (status: number, retryAfter?: string) =>
  failureOfStatus('[GET] /v1', status, new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }));

test.each([
  [500, 5],
  [408, 5],
  [429, 8],
  [503, 8],
  [404, 1],
  [302, 1],
])('a %i is asked for %i times in all, and no more than is allowed', (status, attempts) => {
  expect(attemptsAllowed(failureWith(status))).toBe(attempts);
  expect(attemptsAllowed(failureWith(status), 1)).toBe(1);
});

test('the pause grows threefold up to eight seconds, half of it by chance, or is what the service asks for and a little more', () => {
  expect([1, 2, 3, 4, 5].map((attempt) => delayBeforeNext(failureWith(500), attempt))).toEqual([
    150, 450, 1350, 4000, 4000,
  ]);
  expect(['2', ' 0.5 ', '', 'soon'].map((after) => delayBeforeNext(failureWith(429, after), 1))).toEqual([
    2050, 550, 150, 150,
  ]);
  // Of what is not slowed down no pause is read.
  expect(delayBeforeNext(failureWith(500, '2'), 1)).toBe(150);
});

test.each([
  [300, 'redirected'],
  [399, 'redirected'],
  [400, 'refused'],
  [403, 'forbidden'],
  [410, 'gone'],
  [500, 'failed'],
])('a %i is told as %s', (status, reason) => {
  expect(failureWith(status).error.unavailable).toEqual({ reason, status });
});

test.each([
  [429, 'Wait until the service answers'],
  [500, 'Wait until the service answers'],
  [403, "Ask the service's contact"],
  [404, ''],
])('what helps with a %i is said: "%s"', (status, advice) => {
  const { message } = failureWith(status).error;
  const said = withAdvice(failureWith(status).error);
  expect(said.startsWith(`${message}.${advice === '' ? '' : ` ${advice}`}`)).toBe(true);
  expect(said.endsWith(`${status}.`)).toBe(advice === '');
});
