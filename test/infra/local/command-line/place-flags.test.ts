import { expect, test } from 'vitest';
import { deployedFlags, localFlags } from '../../../../infra/local/command-line/place-flags.ts';

test.each([
  { environment: undefined, stack: 'BroadcastDigest', flags: '' },
  { environment: 'prod', stack: 'BroadcastDigest-prod', flags: '--env prod' },
  { environment: 'prod', stack: 'Other', flags: '--env prod --stack Other' },
])('a deployed stack $stack is found again by "$flags"', ({ flags, ...place }) => {
  expect(deployedFlags(place).join(' ')).toBe(flags);
});

test('embedded parts are found again by those flags that differ from what is meant without them', () => {
  const folders = { state: '.local/state', out: '.local/outbox' };
  expect(localFlags({ environment: undefined, ...folders, service: null })).toEqual(['--local']);
  const service = { url: 'https://account.example.com/api', credentials: { id: 'x', secret: 'canary' } };
  const elsewhere = { environment: 'prod', state: "/it's here", out: 'out', service };
  expect(localFlags(elsewhere).join(' ')).toBe(
    String.raw`--env prod --local --state '/it'\''s here' --out out --service-url https://account.example.com/api`,
  );
});
