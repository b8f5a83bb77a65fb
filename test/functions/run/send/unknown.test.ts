import { beforeAll, expect, test } from 'vitest';
import { claimMessage, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, planMessage } from '../../../../functions/ledger/runs/messages.ts';
import { settleUnknown, settlingWaits } from '../../../../functions/run/send/unknown.ts';
import { replayExecution } from '../../../support/replayed-execution.ts';
import { openLedger, type Ledger } from '../../ledger/open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

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

/** Settles the run's unknown outcomes within so many minutes; `onWait` is handed how often it has waited. Gives the waits in minutes. */
async function settleWithin(
  minutes: number,
  run: string,
  onWait: (waits: number) => Promise<void> = () => Promise.resolve(),
): Promise<number[]> {
  let waited = 0;
  const { waits } = await replayExecution(
    (context) => settleUnknown(context, run, ledger.table, minutes),
    () => onWait((waited += 1)),
  );
  return waits;
}

test('nothing is waited for where every outcome is known', async () => {
  const settle = await claimOne('known', 'ada@example.com');
  await settle();
  await planMessage(ledger.table, 'known', 'grace@example.com', 1_900_000_000);
  expect(await settleWithin(60, 'known')).toEqual([]);
});

test('waiting ends when an event has settled the last unknown outcome', async () => {
  const settle = await claimOne('settled', 'ada@example.com');
  const waits = await settleWithin(60, 'settled', async (waited) => {
    if (waited === 2) await settle();
  });
  expect(waits).toEqual([1, 2]);
});

test('an outcome without an event is waited for as long as is configured', async () => {
  await claimOne('unsettled', 'ada@example.com');
  expect(await settleWithin(5, 'unsettled')).toEqual([1, 2, 2]);
});
