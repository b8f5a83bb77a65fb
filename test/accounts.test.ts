import { test } from 'vitest';
import { checkAccounts } from './support/accounts/check.ts';

// More of them: accounts.long.test.ts. A failure is made smaller before it is reported: that takes some hundred runs more.
test('whatever a service answers from week to week, each figure of digest.json is a count of the rows, or is named as missing', async () => {
  await checkAccounts({ seed: 7, cases: 20 });
}, 60_000);
