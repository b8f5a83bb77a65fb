import { expect, test } from 'vitest';
import { failedReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { periodBefore } from '../../../functions/domain/period.ts';
import { asPlanned } from '../../../infra/local/dry-run.ts';

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
