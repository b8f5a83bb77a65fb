import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settleEvent } from '../../../functions/feedback/settle-event.ts';
import { type EventFact, readMessage } from '../../../functions/ledger/runs/messages.ts';
import { readOptOuts } from '../../../functions/ledger/persons/opt-outs.ts';
import { readSuppressed } from '../../../functions/ledger/notices.ts';
import { claimMessage, settleClaim } from '../../../functions/ledger/runs/claims.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const recorded = { at: '2026-11-16T09:00:00.000Z', expiresAt: 2_000_000_000 };
const at = '2026-11-16T08:00:05.000Z';
const ledger = await openLedger();
let runs = 0;

const suppressionOf = async (to: string) => (await readOptOuts(ledger.table, ledger.hashOf(to))).suppression;

/** What an event of a kind says beside its instant. */
const more = { bounced: { status: '5.1.1' }, rejected: { refusal: 'Reject' } };

/** A message of a run of its own that was claimed, and handed to SES or not. */
async function sending() {
  runs += 1;
  const run = `weekly_${runs}`;
  const to = `subscriber-${runs}@example.com`;
  const [id = ''] = await ledger.plan(run, to);
  await claimMessage(ledger.table, run, id, { claim: 'claim-1', execution: 'execution-1', claimedAt: 1 });
  const settle = (kind: EventFact['kind'], claim = 'claim-1') => {
    const fact = { kind, at, ...(kind === 'bounced' || kind === 'rejected' ? more[kind] : {}) };
    return settleEvent(ledger.table, { origin: { run, id, claim, messageId: 'ses-1' }, fact }, recorded);
  };
  return { run, id, to, settle, row: () => readMessage(ledger.table, run, id) };
}

describe('an event of SES', () => {
  const kinds = ['sent', 'delivered', 'bounced', 'softBounced', 'complained'] as const;
  it.each(kinds)('that it was %s shows that SES had accepted a message whose outcome was unknown', async (kind) => {
    const { settle, row } = await sending();
    expect([await settle(kind), await settle(kind)]).toEqual([kind, 'known']);
    const instant = kind === 'sent' ? {} : { [`${kind}At`]: at };
    expect(await row()).toMatchObject({ state: 'sent', messageId: 'ses-1', ...instant });
  });

  it('that it was rejected makes the message fail, whatever event follows', async () => {
    const { settle, row } = await sending();
    await settle('rejected');
    await settle('sent');
    expect(await row()).toMatchObject({ state: 'failed', refusal: 'Reject', rejectedAt: at });
  });

  it('corrects a message that was marked as refused', async () => {
    const { run, id, settle, row } = await sending();
    const refused = { state: 'failed', refusal: 'Odd', failedBy: 'execution-1' } as const;
    await settleClaim(ledger.table, { run, id, claim: 'claim-1' }, refused);
    await settle('sent');
    expect(await row()).toMatchObject({ state: 'sent', messageId: 'ses-1' });
    expect((await row())?.refusal).toBeUndefined();
  });

  it('of an earlier claim changes no row, and one of a message that no run planned nothing', async () => {
    const { to, settle, row } = await sending();
    expect(await settle('delivered', 'claim-0')).toBe('stranger');
    expect(await suppressionOf(to)).toBeNull();
    for (const kind of ['bounced', 'complained'] as const) expect(await settle(kind, 'claim-0')).toBe('known');
    expect(await row()).toMatchObject({ state: 'claimed', claim: 'claim-1' });
    expect((await row())?.complainedAt).toBeUndefined();
    // It was sent again, and the first copy had arrived all the same.
    expect(await suppressionOf(to)).toEqual({ reason: 'complaint', at });
    const origin = { run: 'weekly_0', id: 'ffff', claim: 'claim-1', messageId: 'ses-1' };
    const fact = { kind: 'bounced', at, status: '5.1.1' } as const;
    expect(await settleEvent(ledger.table, { origin, fact }, recorded)).toBe('stranger');
    expect(await ledger.items('RUN#weekly_0')).toEqual([]);
  });
});

it('an address whose last three mails bounced softly is a matter for operators once, where none of them was delivered', async () => {
  const settle = async (report: string, day: number, kind: EventFact['kind'] = 'softBounced') => {
    const run = `${report}_2026-11-0${day}`;
    const [message = ''] = await ledger.plan(run, `${report}@example.com`);
    await claimMessage(ledger.table, run, message, { claim: 'c', execution: 'e', claimedAt: 1 });
    const origin = { run, id: message, claim: 'c', messageId: run };
    await settleEvent(ledger.table, { origin, fact: { kind, at } }, recorded);
  };
  await settle('away', 3, 'delivered');
  for (const day of [1, 2, 3, 4, 6, 7]) for (const report of ['away', 'daily']) await settle(report, day);
  const softBounces = (await readSuppressed(ledger.table)).filter(({ reason }) => reason === 'soft-bounces');
  expect(softBounces.map(({ run }) => run)).toEqual(['daily_2026-11-03']);
  // The same mail may bounce for good later: that is said beside it.
  const [id = ''] = await ledger.plan('daily_2026-11-03', 'daily@example.com');
  const origin = { run: 'daily_2026-11-03', id, claim: 'c', messageId: 'daily_2026-11-03' };
  await settleEvent(ledger.table, { origin, fact: { kind: 'bounced', at, status: '5.1.1' } }, recorded);
  const ofMail = (await readSuppressed(ledger.table)).filter(({ run }) => run === origin.run);
  expect(ofMail.map(({ reason }) => reason).toSorted()).toEqual(['bounce', 'soft-bounces']);
});

it('events in any order, before or after the run marks the message, any of them twice, leave the same row and the same address', async () => {
  const kinds = ['sent', 'delivered', 'bounced', 'complained', 'softBounced', 'marked'] as const;
  const outcome = async (sequence: ReadonlyArray<(typeof kinds)[number]>): Promise<unknown> => {
    const { run, id, to, settle, row } = await sending();
    for (const kind of sequence) {
      if (kind === 'marked')
        await settleClaim(ledger.table, { run, id, claim: 'claim-1' }, { state: 'sent', messageId: 'ses-1' });
      else await settle(kind);
    }
    const { state, messageId, deliveredAt, bouncedAt, complainedAt, softBouncedAt } = (await row()) ?? {};
    const suppressed = (await suppressionOf(to)) !== null;
    return { state, messageId, deliveredAt, bouncedAt, complainedAt, softBouncedAt, suppressed };
  };
  const expected = await outcome(kinds);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...kinds, ...kinds], { minLength: 12 }), async (sequence) => {
      expect(await outcome(sequence)).toEqual(expected);
    }),
    { numRuns: 15 },
  );
}, 60_000);
