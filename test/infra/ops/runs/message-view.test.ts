import { beforeAll, expect, test } from 'vitest';
import { recordEvent, type EventFact, messageIdOf } from '../../../../functions/ledger/runs/messages.ts';
import { claimMessage } from '../../../../functions/ledger/runs/claims.ts';
import { requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { readReceipt } from '../../../../functions/run/receipt/receipt.ts';
import { scanTable } from '../../../../infra/ops/addresses/scan.ts';
import { showCommand } from '../../../../infra/ops/commands/show.ts';
import type { LedgerTarget } from '../../../../infra/ops/targets/target.ts';
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';
import { week } from '../../../functions/run/compose/collected-samples.ts';
import { configured } from '../../../functions/run/configured.ts';
import { planKeptRun } from '../../../functions/run/kept-run.ts';

const at = '2026-11-16T08:00:05.000Z';
const later = '2026-11-16T08:00:09.000Z';
let ledger: Ledger;
let target: LedgerTarget;

/** A run of four messages: one only sent, one delivered and complained about, one bounced, one still planned. */
beforeAll(async () => {
  ledger = await openLedger();
  target = {
    configuration: configured(),
    table: ledger.table,
    scan: () => scanTable(ledger.client, 'ledger'),
    operator: 'me',
    flags: [],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: null,
    close: () => Promise.resolve(),
  };
  await planKeptRun(ledger.table, 4);
  await settle('s0@example.com', [{ kind: 'sent', at }]);
  await settle('s1@example.com', [
    { kind: 'delivered', at },
    { kind: 'complained', at: later },
  ]);
  await settle('s2@example.com', [{ kind: 'bounced', at }]);
});

const run = 'weekly_2026-W46';

async function settle(to: string, facts: EventFact[]): Promise<void> {
  const id = messageIdOf(run, to);
  await claimMessage(ledger.table, run, id, { claim: to, execution: 'e', claimedAt: 1 });
  const origin = { run, message: id, claim: to, messageId: `ses-${to}` };
  for (const fact of facts) await recordEvent(ledger.table, origin, fact);
}

const sent = (to: string) => ({ to, outcome: 'sent', messageId: `ses-${to}` });

test('show with its messages says which were delivered, bounced and complained about', async () => {
  const { answer } = await showCommand(target, run, { messages: true, view: false });
  expect(answer.json).toMatchObject({
    messages: [
      sent('s0@example.com'),
      { ...sent('s1@example.com'), delivered: at, complained: later },
      { ...sent('s2@example.com'), bounced: at },
      { to: 's3@example.com', outcome: 'planned', messageId: null },
    ],
  });
  expect(answer.lines.slice(-4)).toEqual([
    's0@example.com  sent  ses-s0@example.com',
    `s1@example.com  sent  ses-s1@example.com  delivered 2026-11-16 08:00 Europe/London  complained 2026-11-16 08:00 Europe/London`,
    `s2@example.com  sent  ses-s2@example.com  bounced 2026-11-16 08:00 Europe/London`,
    's3@example.com  planned',
  ]);
});

test('a receipt says nothing of events, and show without its messages nothing of addresses', async () => {
  const receipt = await readReceipt(ledger.table, await requireRun(ledger.table, 'weekly', week), Date.now());
  expect(receipt.messages[2]).toEqual({ to: 's2@example.com', outcome: 'sent', messageId: 'ses-s2@example.com' });
  const { answer } = await showCommand(target, run, { messages: false, view: false });
  expect(JSON.stringify(answer)).not.toContain('@example.com');
});
