import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { putCoverage } from '../../../../functions/ledger/runs/collections.ts';
import { putDigest } from '../../../../functions/ledger/runs/digests.ts';
import { claimMessage, markFailed, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, planMessage, recordEvent, type MessageRow } from '../../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../../functions/ledger/runs/runs.ts';
import { emptyCoverage } from '../../../../functions/reporting-service/coverage.ts';
import { balanceOf, failedReceipt, readReceipt, receiptSchema } from '../../../../functions/run/receipt/receipt.ts';
import { openLedger, type Ledger } from '../../ledger/open-ledger.ts';
import { week } from '../compose/collected-samples.ts';
import { keptDigest } from '../kept-run.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 1_900_000_000;
const none = { sent: 0, suppressed: 0, unsubscribed: 0, failed: 0, unknown: 0, planned: 0, held: 0, skipped: 0 };

function runOf(over: Partial<Run> = {}): Run {
  return {
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: week,
    state: 'done',
    scheduledTime: '2026-11-16T08:00:00Z',
    plannedAt: '2026-11-16T08:00:01Z',
    intended: 0,
    sentNow: 0,
    ...over,
  };
}

/** Plans messages and brings each into a state. */
async function messagesOf(run: string, ends: Record<string, 'planned' | 'claimed' | 'sent' | 'failed'>): Promise<void> {
  for (const [to, end] of Object.entries(ends)) {
    const id = messageIdOf(run, to);
    await planMessage(ledger.table, run, to, expiresAt);
    if (end === 'planned') continue;
    await claimMessage(ledger.table, run, id, { claim: 'c', execution: 'e', claimedAt: 1 });
    if (end === 'sent') await markSent(ledger.table, { run, id, claim: 'c' }, `ses-${to}`);
    if (end === 'failed')
      await markFailed(ledger.table, { run, id, claim: 'c' }, { refusal: 'MessageRejected', failedBy: 'e' });
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
  expect(receipt).toEqual({
    schemaVersion: 1,
    run: 'all_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
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

test.each([
  { withheld: 'held', state: 'held', outcome: 'held' },
  { withheld: 'empty', state: 'done', outcome: 'skipped' },
] as const)(
  'planned messages of a run that is withheld ($withheld) are $outcome, and balance',
  async ({ withheld, state, outcome }) => {
    const run = runOf({ run: `${withheld}_2026-W46`, intended: 1, withheld, state });
    await messagesOf(run.run, { 'a@example.com': 'planned' });
    const { messages, balance } = await readReceipt(ledger.table, run, Date.now());
    expect(messages).toEqual([{ to: 'a@example.com', outcome, messageId: null }]);
    expect(balance).toEqual({ ...none, intended: 1, [outcome]: 1, sentNow: 0, balanced: true });
  },
);

describe('a message whose outcome is unknown', () => {
  const minute = 60_000;
  const claimedAt = Date.parse('2026-11-16T08:00:00Z');
  /** A run of two messages: one whose outcome is unknown, the other with an event of SES. Returns the first, as in the receipt. */
  async function unknownOf(name: string, other: { eventAt: string | null }, now: number) {
    const run = runOf({ run: `${name}_2026-W46`, intended: 2 });
    const [lost, heard] = ['a@example.com', 'b@example.com'].map((to) => ({ to, id: messageIdOf(run.run, to) }));
    if (lost === undefined || heard === undefined) throw new Error('There are two.');
    for (const { to, id } of [lost, heard]) {
      await planMessage(ledger.table, run.run, to, expiresAt);
      await claimMessage(ledger.table, run.run, id, { claim: id, execution: 'e', claimedAt });
    }
    await markSent(ledger.table, { run: run.run, id: heard.id, claim: heard.id }, 'ses-b');
    const origin = { run: run.run, message: heard.id, claim: heard.id, messageId: 'ses-b' };
    if (other.eventAt !== null) await recordEvent(ledger.table, origin, { kind: 'delivered', at: other.eventAt });
    const receipt = await readReceipt(ledger.table, run, now);
    expect(v.parse(receiptSchema, JSON.parse(JSON.stringify(receipt)))).toEqual(receipt);
    return receipt.messages[0];
  }
  const unknown = { to: 'a@example.com', outcome: 'unknown', messageId: null };
  const eventAt = '2026-11-16T08:00:03.000Z';

  test('has had no event where others of the run had theirs, once nobody can be sending it any more', async () => {
    expect(await unknownOf('heard', { eventAt }, claimedAt + 15 * minute)).toEqual({ ...unknown, noEvent: true });
    expect(await unknownOf('young', { eventAt }, claimedAt + 14 * minute)).toEqual(unknown);
  });

  test('says nothing of events where the run had none, or none since some time before', async () => {
    expect(await unknownOf('silent', { eventAt: null }, claimedAt + 60 * minute)).toEqual(unknown);
    const before = { eventAt: '2026-11-16T07:40:00Z' };
    expect(await unknownOf('before', before, claimedAt + 60 * minute)).toEqual(unknown);
    const justBefore = { eventAt: '2026-11-16T07:59:00Z' };
    expect(await unknownOf('just', justBefore, claimedAt + 60 * minute)).toEqual({ ...unknown, noEvent: true });
  });
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
    const states = ['sent', 'sent', 'suppressed', 'unsubscribed', 'failed', 'claimed', 'planned'] as const;
    const rows = states.map((state) => ({ state }));
    const counted = { ...none, sent: 2, suppressed: 1, unsubscribed: 1, failed: 1, unknown: 1 };
    const balanceWith = (over: Partial<Run>) => balanceOf(runOf({ intended: 7, sentNow: 1, ...over }), rows);
    const all = { ...counted, intended: 7, sentNow: 1, balanced: true };
    expect(balanceWith({ state: 'sending' })).toEqual({ ...all, planned: 1 });
    expect(balanceWith({ state: 'held', withheld: 'held' })).toEqual({ ...all, held: 1 });
    expect(balanceWith({ state: 'done', withheld: 'empty' })).toEqual({ ...all, skipped: 1 });
  });
});

describe('the coverage of a receipt', () => {
  const coverage = { ...emptyCoverage(), retries: 3, requests: { recipients: { '200': 5 } } };

  test('is that of the digest that was kept, with all that was not available', async () => {
    const gone = { what: 'delivery' as const, delivery: 'x', reason: 'gone' as const, status: 410 };
    const kept = { ...keptDigest, coverage, unavailable: [gone] };
    const id = await putDigest(ledger.table, 'kept_2026-11-09', kept, expiresAt);
    const receipt = await readReceipt(ledger.table, runOf({ run: 'kept_2026-11-09', digest: id }), Date.now());
    expect(receipt.coverage).toEqual({ ...coverage, unavailable: [gone] });
  });

  test('of a run without a digest is what its last collection asked so far', async () => {
    const key = { run: 'failed_2026-W46', collection: 'c-1', now: new Date() };
    await putCoverage(ledger.table, key, 'list#0#0', coverage);
    await putCoverage(ledger.table, key, 'recipients#0#0', coverage);
    await putCoverage(ledger.table, { ...key, collection: 'c-0' }, 'list#0#0', coverage);
    const error = { code: 'service-unavailable', message: 'The list of deliveries is not available.' };
    const receipt = await readReceipt(
      ledger.table,
      runOf({ run: key.run, state: 'failed', collection: 'c-1', error }),
      Date.now(),
    );
    expect(receipt).toMatchObject({ state: 'failed', error, messages: [] });
    expect(receipt.coverage).toEqual({
      ...emptyCoverage(),
      retries: 6,
      requests: { recipients: { '200': 10 } },
      unavailable: [],
    });
  });
});

test('a run that failed before the ledger knew of it has a receipt that says why', () => {
  const error = { code: 'credentials-missing', message: 'Secret "x" does not exist or has no value.' };
  const receipt = failedReceipt({ run: 'weekly_2026-W46', report: 'weekly', period: week }, error);
  expect(receipt).toMatchObject({
    state: 'failed',
    messages: [],
    balance: { ...none, intended: 0, balanced: true },
    error,
  });
  expect(v.parse(receiptSchema, receipt)).toEqual(receipt);
});
