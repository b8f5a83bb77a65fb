import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimMessage, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, planMessage } from '../../../../functions/ledger/runs/messages.ts';
import { settleUnknown, settlingWaits } from '../../../../functions/run/send/settle.ts';
import { openLedger, type Ledger } from '../../ledger/open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

test.each([
  { minutes: 0, waits: [] },
  { minutes: 1, waits: [1] },
  { minutes: 2, waits: [1, 1] },
  { minutes: 60, waits: [1, 2, 4, 8, 16, 29] },
])('within $minutes minutes the waits are $waits', ({ minutes, waits }) => {
  expect(settlingWaits(minutes)).toEqual(waits);
});

/** Plans a message and claims it: nobody knows whether it was sent. */
async function claimOne(run: string, to: string): Promise<() => Promise<void>> {
  const id = messageIdOf(run, to);
  await planMessage(ledger.table, run, to, 1_900_000_000);
  await claimMessage(ledger.table, run, id, { claim: 'c', execution: 'e', claimedAt: 1 });
  return () => markSent(ledger.table, { run, id, claim: 'c' }, 'ses-1');
}

/** The part of a durable execution that settling uses: steps run at once, and waits are only recorded. */
function contextThat(onWait: (minutes: number) => Promise<void>): DurableContext {
  const part = {
    step: (_name: string, step: () => Promise<unknown>) => step(),
    wait: (_name: string, { minutes }: { minutes: number }) => onWait(minutes),
  };
  return part as unknown as DurableContext;
}

test('nothing is waited for where every outcome is known', async () => {
  await (
    await claimOne('known', 'ada@example.com')
  )();
  await planMessage(ledger.table, 'known', 'grace@example.com', 1_900_000_000);
  const waits: number[] = [];
  await settleUnknown(
    contextThat(async (minutes) => void waits.push(minutes)),
    'known',
    ledger.table,
    60,
  );
  expect(waits).toEqual([]);
});

test('waiting ends when an event has settled the last unknown outcome', async () => {
  const settle = await claimOne('settled', 'ada@example.com');
  const waits: number[] = [];
  const context = contextThat(async (minutes) => {
    waits.push(minutes);
    if (waits.length === 2) await settle();
  });
  await settleUnknown(context, 'settled', ledger.table, 60);
  expect(waits).toEqual([1, 2]);
});

test('an outcome without an event is waited for as long as is configured', async () => {
  await claimOne('unsettled', 'ada@example.com');
  const waits: number[] = [];
  await settleUnknown(
    contextThat(async (minutes) => void waits.push(minutes)),
    'unsettled',
    ledger.table,
    5,
  );
  expect(waits).toEqual([1, 2, 2]);
});
