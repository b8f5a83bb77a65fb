import { expect, test } from 'vitest';
import { ListError } from '../../../functions/collect/list.ts';
import { CredentialsError } from '../../../functions/reporting-service/tokens/credentials.ts';
import { failureOf, isUnexpected, RunError } from '../../../functions/run/failure.ts';

test.each([
  { error: new RunError('sealed', 'Run "x" is sealed.'), failure: { code: 'sealed', message: 'Run "x" is sealed.' } },
  {
    error: new CredentialsError('credentials-refused', 'The service refused.'),
    failure: { code: 'credentials-refused', message: 'The service refused.' },
  },
  { error: new ListError('No list.'), failure: { code: 'service-unavailable', message: 'No list.' } },
  // An error crosses the durable engine as its name and its message, inside others.
  {
    error: new Error('step failed', { cause: Object.assign(new Error('No list.'), { name: 'service-unavailable' }) }),
    failure: { code: 'service-unavailable', message: 'No list.' },
  },
])('$error is $failure, which is not retried', ({ error, failure }) => {
  expect(failureOf(error)).toEqual(failure);
  expect(isUnexpected(error)).toBe(false);
});

test.each([
  new Error('canary ada@example.com'),
  'canary',
  null,
  new TypeError('canary', { cause: new Error('canary') }),
])('%s is an internal failure whose message is not shown, and is retried', (error) => {
  expect(failureOf(error)).toEqual({
    code: 'internal',
    message: 'An unexpected error; see the log of the run.',
  });
  expect(isUnexpected(error)).toBe(true);
});

test('a failure and its error are the same', () => {
  const failure = { code: 'daily-quota', message: "SES's daily quota is used up." } as const;
  expect(failureOf(RunError.of(failure))).toEqual(failure);
});
