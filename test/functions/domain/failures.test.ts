import { expect, test } from 'vitest';
import { retryUnexpected } from '../../../functions/run/step.ts';
import { CodedError, failureIn, failureOf } from '../../../functions/domain/failures.ts';

const internal = { code: 'internal', message: 'An unexpected error; see the log of the run.' };
const isRetried = (error: unknown): boolean => retryUnexpected.retryStrategy(error as Error, 1).shouldRetry;

test.each([
  { error: new CodedError('sealed', 'Run "x" is sealed.'), code: 'sealed', message: 'Run "x" is sealed.' },
  { error: new CodedError('credentials-refused', 'Refused.'), code: 'credentials-refused', message: 'Refused.' },
  // An error crosses the durable engine as its name and its message, inside others.
  {
    error: new Error('step failed', { cause: Object.assign(new Error('No list.'), { name: 'service-unavailable' }) }),
    code: 'service-unavailable',
    message: 'No list.',
  },
  { error: new Error('canary ada@example.com'), ...internal },
  { error: new TypeError('canary', { cause: new Error('canary') }), ...internal },
])('$error is the failure $code; what is internal says nothing of its cause, and alone is retried', (each) => {
  const { error, ...failure } = each;
  expect(failureOf(error)).toEqual(failure);
  expect(isRetried(error)).toBe(failure.code === 'internal');
});

const down = { code: 'service-unavailable', message: 'No list.' };
const notHeld = { code: 'not-held', message: 'It is not held.' };
test.each([
  { result: { run: 'weekly_2026-W46', state: 'failed', error: down }, failure: down },
  { result: { state: 'refused', error: notHeld }, failure: notHeld },
  { result: { state: 'failed', error: { code: 'of-a-later-release', message: 'x' } }, failure: internal },
  { result: undefined, failure: null },
  { result: { run: 'weekly_2026-W46', state: 'done', balance: {} }, failure: null },
  { result: { state: 'sending', error: { code: 'daily-quota', message: 'x' } }, failure: null },
])('of what an execution answered, $result, the failure is $failure', ({ result, failure }) => {
  expect(failureIn(result)).toEqual(failure);
});
