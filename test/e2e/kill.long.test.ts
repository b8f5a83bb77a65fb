import { expect, test } from 'vitest';
import { crash } from '../bench/crash.ts';

test('a run whose process is killed at sixteen moments mails nobody twice and accounts for everybody', async () => {
  const { kills, accepted, runs, faults } = await crash(16, 20261120);
  expect({ kills, faults }).toEqual({ kills: 16, faults: [] });
  expect(accepted).toBeGreaterThan(runs);
});
