import { expect, it } from 'vitest';
import { crash } from '../bench/crash.ts';

it('a run whose process is killed at a dozen moments mails nobody twice and accounts for everybody', async () => {
  const { kills, accepted, runs, mailedTwice, unsettled, leftOut, unbalanced } = await crash(12, 20261120);
  expect({ kills, mailedTwice, unsettled, leftOut, unbalanced }).toEqual({
    kills: 12,
    mailedTwice: [],
    unsettled: [],
    leftOut: [],
    unbalanced: [],
  });
  expect(accepted).toBeGreaterThan(runs);
}, 180_000);
