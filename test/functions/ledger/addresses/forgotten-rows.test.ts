import { beforeEach, describe, expect, test } from 'vitest';
import { settleEvent } from '../../../../functions/feedback/settle.ts';
import { rekeyForgottenRows } from '../../../../functions/ledger/addresses/forgotten.ts';
import { claimMessage, markFailed, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, planMessage, readMessages, type MessageRow } from '../../../../functions/ledger/runs/messages.ts';
import { retryUnknown } from '../../../../functions/run/send/unknown.ts';
import { isSendable } from '../../../../functions/run/send/send.ts';
import { forget as forgetAddress } from '../../../../infra/program/addresses/forget.ts';
import { scanTable } from '../../../../infra/program/targets/scan.ts';
import { openLedger } from '../open-ledger.ts';
import { configured } from '../../run/configured.ts';

const expiresAt = 2_000_000_000;
const at = '2026-11-16T08:00:05.000Z';
const claim = { claim: 'claim-1', execution: 'execution-1', claimedAt: 1 };
const dayMs = 24 * 3_600_000;

const ledger = await openLedger();
let runs = 0;
let run = '';
let to = '';
let id = '';

/** A message to somebody, claimed, in a run of its own. */
beforeEach(async () => {
  await rekey(100);
  runs += 1;
  run = `weekly_${runs}`;
  to = `ada-${runs}@example.com`;
  id = messageIdOf(run, to);
  await planMessage(ledger.table, run, to, expiresAt);
  await claimMessage(ledger.table, run, id, claim);
});

const forget = () =>
  forgetAddress(
    { table: ledger.table, scan: () => scanTable(ledger.client, 'ledger'), configuration: configured() },
    to,
  );
const rows = (): Promise<MessageRow[]> => Array.fromAsync(readMessages(ledger.table, run));
const settle = (kind: 'sent' | 'bounced' | 'softBounced' | 'complained' | 'rejected') => {
  const origin = { run, message: id, claim: claim.claim, messageId: 'ses-1' };
  return settleEvent(ledger.table, { origin, fact: { kind, at } }, { expiresAt });
};
const rekey = (afterDays: number) => rekeyForgottenRows(ledger.table, Date.now() + afterDays * dayMs);

describe('a message that may be on its way when its address is forgotten', () => {
  test.each([
    ['sent', 'sent'],
    ['bounced', 'sent'],
    ['softBounced', 'sent'],
    ['complained', 'sent'],
    ['rejected', 'failed'],
  ] as const)(
    'is settled by the event that it was %s, and then has another key; nobody is suppressed',
    async (kind, state) => {
      await forget();
      expect(await settle(kind)).toBe(kind);
      const stored = await Array.fromAsync(scanTable(ledger.client, 'ledger'));
      expect(stored.filter(({ sk }) => sk === 'SUPPRESSED')).toEqual([]);
      expect(await rekey(0)).toEqual({ rekeyed: 1, waiting: 0 });
      expect(await rows()).toEqual([{ id: expect.not.stringMatching(id), to: 'forgotten', state }]);
      expect(await rekey(0)).toEqual({ rekeyed: 0, waiting: 0 });
      expect(await ledger.items('FORGOTTEN_ROWS')).toEqual([]);
      expect(await settle('sent')).toBe('stranger');
    },
  );

  test('keeps key and claim for seven days without an event, then has another key and stays unknown', async () => {
    expect(await forget()).toMatchObject({ items: 1, waiting: 1 });
    expect(await rekey(6.9)).toEqual({ rekeyed: 0, waiting: 1 });
    expect(await rows()).toEqual([{ id, to: 'forgotten', state: 'claimed', claim: 'claim-1', claimedAt: 1 }]);
    expect(await rekey(7)).toEqual({ rekeyed: 1, waiting: 0 });
    expect(await rows()).toEqual([{ id: expect.not.stringMatching(id), to: 'forgotten', state: 'claimed' }]);
  });

  test('is not sent again to nobody when unknown ones are sent again', async () => {
    await forget();
    await retryUnknown(ledger.table, run, Date.now());
    await rekey(7);
    await retryUnknown(ledger.table, run, Date.now());
    expect(await rows()).toMatchObject([{ state: 'claimed' }]);
  });

  test('is still one row where the move to another key was interrupted', async () => {
    await forget();
    await settle('sent');
    let writes = 0;
    const interrupted = {
      ...ledger.table,
      remove: () => {
        writes += 1;
        throw new Error('The process ended.');
      },
    };
    await expect(rekeyForgottenRows(interrupted, Date.now())).rejects.toThrow('The process ended.');
    expect(writes).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect(await rekey(0)).toEqual({ rekeyed: 1, waiting: 0 });
    expect(await rows()).toHaveLength(1);
  });
});

describe('a message that was settled when its address is forgotten', () => {
  test('has another key at once', async () => {
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
    expect(await forget()).toMatchObject({ items: 1, waiting: 0 });
    expect(await rows()).toEqual([{ id: expect.not.stringMatching(id), to: 'forgotten', state: 'sent' }]);
  });

  test('is not tried again, although SES had refused it', async () => {
    await markFailed(ledger.table, { run, id, claim: 'claim-1' }, { refusal: 'No', failedBy: 'execution-1' });
    await forget();
    const [row] = await rows();
    if (row === undefined) throw new Error('There is no row.');
    expect(row).toMatchObject({ to: 'forgotten', state: 'failed' });
    expect(isSendable(row, { execution: 'execution-2', named: null })).toBe(false);
    expect(await claimMessage(ledger.table, run, row.id, { ...claim, execution: 'execution-2' })).toBe(false);
  });
});
