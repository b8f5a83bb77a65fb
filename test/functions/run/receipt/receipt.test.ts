import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { closings } from '../../../../functions/ledger/observations.ts';
import { putDigest } from '../../../../functions/ledger/runs/digests.ts';
import { claimMessage, settleClaim } from '../../../../functions/ledger/runs/claims.ts';
import { cardId, planMessage, recordEvent, type MessageRow } from '../../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../../functions/ledger/runs/runs.ts';
import { emptyCoverage } from '../../../../functions/reporting-service/coverage.ts';
import { balanceOf, outcomes, readReceipt, receiptSchema } from '../../../../functions/run/receipt/receipt.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { runOf as runDone } from '../../watch/inspected-samples.ts';
import { keptDigest } from '../kept-run.ts';

const ledger = await openLedger();

const expiresAt = 1_900_000_000;
const none = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));

const runOf = (over: Partial<Run> = {}): Run => runDone({ intended: 0, sentNow: 0, ...over });

/** Plans messages and brings each into a state. */
async function messagesOf(run: string, ends: Record<string, 'planned' | 'claimed' | 'sent' | 'failed'>): Promise<void> {
  for (const [to, end] of Object.entries(ends)) {
    const [id = ''] = await ledger.plan(run, to);
    if (end === 'planned') continue;
    await claimMessage(ledger.table, run, id, { claim: 'c', execution: 'e', claimedAt: 1 });
    const refused = { state: 'failed', refusal: 'MessageRejected', failedBy: 'e' } as const;
    const settled = end === 'failed' ? refused : ({ state: 'sent', messageId: `ses-${to}` } as const);
    if (end !== 'claimed') await settleClaim(ledger.table, { run, id, claim: 'c' }, settled);
  }
}

test('a receipt says what became of each message, in the order of the addresses, and balances', async () => {
  const run = runOf({ run: 'all_2026-W46', intended: 4, sentNow: 1, state: 'sending' });
  await messagesOf(run.run, {
    'd@example.com': 'planned',
    'b@example.com': 'failed',
    'a@example.com': 'sent',
    'c@example.com': 'claimed',
  });
  const receipt = await readReceipt(ledger.table, run, Date.now());
  const [start, end] = ['2026-11-09T00:00:00+00:00', '2026-11-16T00:00:00+00:00'];
  expect(receipt).toEqual({
    schemaVersion: 1,
    run: 'all_2026-W46',
    report: 'weekly',
    period: { kind: 'week', start, end, timeZone: 'Europe/London' },
    state: 'sending',
    messages: [
      { to: 'a@example.com', outcome: 'sent', messageId: 'ses-a@example.com' },
      { to: 'b@example.com', outcome: 'failed', messageId: null, refusal: 'MessageRejected' },
      { to: 'c@example.com', outcome: 'unknown', messageId: null },
      { to: 'd@example.com', outcome: 'planned', messageId: null },
    ],
    balance: { ...none, intended: 4, sent: 1, failed: 1, unknown: 1, planned: 1, sentNow: 1, balanced: true },
    coverage: { ...emptyCoverage(), unavailable: [] },
  });
  expect(v.parse(receiptSchema, JSON.parse(JSON.stringify(receipt)))).toEqual(receipt);
});

const claimedAt = Date.parse('2026-11-16T08:00:00Z');
test.each([
  { what: 'others of the run had theirs', eventAt: '2026-11-16T08:00:03Z', minutes: 15, noEvent: true },
  { what: 'somebody may be sending it still', eventAt: '2026-11-16T08:00:03Z', minutes: 14, noEvent: false },
  { what: 'the run had none since some time before', eventAt: '2026-11-16T07:40:00Z', minutes: 60, noEvent: false },
])('that SES said nothing of a message is said or not ($noEvent) where $what', async (each) => {
  const { eventAt, minutes, noEvent } = each;
  const run = runOf({ run: `unknown_${eventAt}_${minutes}`, intended: 2 });
  for (const claim of ['a', 'b']) {
    const [id = ''] = await ledger.plan(run.run, `${claim}@example.com`);
    await claimMessage(ledger.table, run.run, id, { claim, execution: 'e', claimedAt });
  }
  const card = { id: cardId('managers'), channel: 'teams:managers' };
  await planMessage(ledger.table, run.run, { ...card, expiresAt });
  await claimMessage(ledger.table, run.run, card.id, { claim: 'c', execution: 'e', claimedAt });
  const message = ledger.hashOf('b@example.com');
  await settleClaim(ledger.table, { run: run.run, id: message, claim: 'b' }, { state: 'sent', messageId: 'ses-b' });
  const origin = { run: run.run, id: message, claim: 'b', messageId: 'ses-b' };
  await recordEvent(ledger.table, origin, { kind: 'delivered', at: eventAt });
  const receipt = await readReceipt(ledger.table, run, claimedAt + minutes * 60_000);
  expect(v.parse(receiptSchema, JSON.parse(JSON.stringify(receipt)))).toEqual(receipt);
  const unknown = { to: 'a@example.com', outcome: 'unknown', messageId: null };
  expect(receipt.messages[0]).toEqual(noEvent ? { ...unknown, noEvent } : unknown);
  // No event ever comes about a card.
  expect(receipt.messages[2]).toEqual({ ...unknown, to: card.channel });
});

describe('a balance', () => {
  const error = { code: 'daily-quota', message: 'Tomorrow.' };
  test.each<[run: Partial<Run>, states: Array<MessageRow['state']>, balanced: boolean]>([
    [{ intended: 2 }, ['sent', 'failed'], true],
    [{ intended: 2 }, ['sent'], false],
    [{ intended: 1 }, ['sent', 'sent'], false],
    [{ intended: 1 }, ['planned'], false],
    [{ intended: 1, error }, ['planned'], true],
    [{ intended: 1, state: 'sending' }, ['planned'], true],
    [{ intended: 1, state: 'kept' }, ['planned'], true],
  ])('of a run that is %j, of messages %j, holds: %j', (run, states, balanced) => {
    const rows = states.map((state) => ({ state }));
    expect(balanceOf(runOf(run), rows).balanced).toBe(balanced);
  });

  test('counts each outcome under its own name', () => {
    const states = ['sent', 'sent', 'suppressed', 'unsubscribed', 'removed', 'failed', 'claimed', 'planned'] as const;
    const rows = states.map((state) => ({ state }));
    const counted = { ...none, sent: 2, suppressed: 1, unsubscribed: 1, removed: 1, failed: 1, unknown: 1 };
    const balanceWith = (over: Partial<Run>) => balanceOf(runOf({ intended: 8, sentNow: 1, ...over }), rows);
    const all = { ...counted, intended: 8, sentNow: 1, balanced: true };
    expect(balanceWith({ state: 'sending' })).toEqual({ ...all, planned: 1 });
    expect(balanceWith({ state: 'held', withheld: 'held' })).toEqual({ ...all, held: 1 });
    expect(balanceWith({ state: 'done', withheld: 'empty' })).toEqual({ ...all, skipped: 1 });
  });
});

test('the coverage of a receipt is that of the observation of its digest, with all that was not available', async () => {
  const coverage = { ...emptyCoverage(), retries: 3, requests: { recipients: { '200': 5 } } };
  const key = { account: 'sample', observation: 'one' };
  const facts = { atMs: 0, coveredSinceMs: 0, mayHoldOnlyNewest: false };
  const closing = { facts, rows: 0, steady: 0, wholeMs: null, deliveries: [], coverage };
  await closings.put(ledger.table, { ...key, now: new Date() }, closing);
  const gone = { what: 'delivery', broadcast: null, delivery: 'x', content: null, reason: 'gone' } as const;
  const id = await putDigest(ledger.table, 'kept_2026-11-09', { ...keptDigest, unavailable: [gone] }, expiresAt);
  const run = runOf({ run: 'kept_2026-11-09', digest: id, observation: key });
  expect((await readReceipt(ledger.table, run, Date.now())).coverage).toEqual({ ...coverage, unavailable: [gone] });
  // Composed by the release before, or not at all.
  const none = { ...emptyCoverage(), unavailable: [] };
  for (const other of [runOf({ digest: id }), runOf({ state: 'failed' })])
    expect((await readReceipt(ledger.table, other, Date.now())).coverage).toEqual(none);
});
