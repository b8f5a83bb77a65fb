import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { failedReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { periodBefore } from '../../../functions/domain/period.ts';
import { asPlanned, copyState, removeDeadCopies } from '../../../infra/local/dry-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const at = '2026-11-16T08:00:00Z';
const empty = failedReceipt(
  { run: 'weekly_2026-W46', report: 'weekly', period: periodBefore('week', 'Europe/London', at) },
  { code: 'internal', message: '' },
);
/** One mail was sent, one bounced, and one subscriber had left. */
const ran: Receipt = {
  ...empty,
  state: 'done',
  messages: [
    { to: 'a@example.com', outcome: 'sent', messageId: '1' },
    { to: 'b@example.com', outcome: 'suppressed', messageId: '2' },
    { to: 'c@example.com', outcome: 'unsubscribed', messageId: null },
  ],
  balance: { ...empty.balance, intended: 3, sent: 1, suppressed: 1, unsubscribed: 1, sentNow: 2 },
};

test.each([
  { isHeld: false, state: 'kept', outcome: 'planned' },
  { isHeld: true, state: 'held', outcome: 'held' },
] as const)('what the SES of the copy took is $outcome, and the run $state', ({ isHeld, state, outcome }) => {
  expect(asPlanned(ran, isHeld)).toMatchObject({
    state,
    messages: [
      { to: 'a@example.com', outcome, messageId: null },
      { to: 'b@example.com', outcome, messageId: null },
      { to: 'c@example.com', outcome: 'unsubscribed', messageId: null },
    ],
    balance: { ...empty.balance, intended: 3, [outcome]: 2, unsubscribed: 1, sent: 0, suppressed: 0, sentNow: 0 },
  });
});

test('dry runs that begin and end at once neither fail by each other’s copies nor leave any', async () => {
  const [folder, state] = [temporaryFolder(), temporaryFolder()];
  vi.stubEnv('TMPDIR', folder);
  const rehearse = async (): Promise<void> => {
    await removeDeadCopies();
    await using started = new AsyncDisposableStack();
    await writeFile(join(await copyState(join(state, 'none'), started), 'ledger'), '');
  };
  const again = async (): Promise<void> => {
    for (let time = 0; time < 15; time += 1) await rehearse();
  };
  await Promise.all(Array.from({ length: 6 }, again));
  await removeDeadCopies();
  expect(await readdir(folder)).toEqual([]);
  vi.unstubAllEnvs();
});
