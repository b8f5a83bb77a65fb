import { expect, test } from 'vitest';
import { ListError } from '../../../functions/collect/list.ts';
import { CredentialsError } from '../../../functions/reporting-service/tokens/credentials.ts';
import { failureCodes, refusalCodes } from '../../../functions/domain/failure-codes.ts';
import {
  failureIn,
  failureNamed,
  failureOf,
  isRefusal,
  isUnexpected,
  RunError,
} from '../../../functions/run/failure.ts';

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

test('an error that crossed the engine is known by its name and message alone', () => {
  expect(failureNamed('sealed', 'Run "x" is sealed.')).toEqual({ code: 'sealed', message: 'Run "x" is sealed.' });
  expect(failureNamed('TypeError', 'canary')).toEqual(failureOf(new TypeError('canary')));
  expect(failureNamed()).toMatchObject({ code: 'internal' });
});

test('the codes of a run that cannot be sent are failures, and those of an order that cannot be followed refusals', () => {
  const failures = failureCodes.filter((code) => !isRefusal({ code, message: '' }));
  expect(failures).toEqual([
    'ledger-shape',
    'daily-quota',
    'ses-unavailable',
    'ses-refused',
    'credentials-missing',
    'credentials-refused',
    'service-unavailable',
  ]);
  expect([...failures, ...refusalCodes].toSorted()).toEqual([...failureCodes].toSorted());
  expect(isRefusal({ code: 'internal', message: '' })).toBe(false);
});

test.each([
  [
    { run: 'weekly_2026-W46', state: 'failed', error: { code: 'service-unavailable', message: 'No list.' } },
    'No list.',
  ],
  [{ state: 'refused', error: { code: 'not-held', message: 'It is not held.' } }, 'It is not held.'],
  [
    { state: 'failed', error: { code: 'of-a-later-release', message: 'x' } },
    'An unexpected error; see the log of the run.',
  ],
])('what an execution answered, %j, is a failure', (result, message) => {
  expect(failureIn(result)?.message).toBe(message);
});

test.each([
  undefined,
  { run: 'weekly_2026-W46', state: 'done', balance: {} },
  { state: 'sending', error: { code: 'daily-quota', message: 'x' } },
  { runs: [] },
])('what an execution answered, %j, is none', (result) => {
  expect(failureIn(result)).toBeNull();
});
