import { expect, it } from 'vitest';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { stackName } from '../../infra/environment-name.ts';

it('an environment’s stack is named after it, and the one without has the name alone', () => {
  expect([undefined, 'staging', 'eu-2'].map(stackName)).toEqual([
    'BroadcastDigest',
    'BroadcastDigest-staging',
    'BroadcastDigest-eu-2',
  ]);
});

it.each(['', '2eu', 'a_b', 'a'.repeat(32), 7, null])('%j is no name of an environment', (environment) => {
  expect(() => stackName(environment)).toThrow(ConfigurationError);
});
