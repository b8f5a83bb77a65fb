import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { recordLeft } from '../../functions/ledger/persons/opt-outs.ts';
import { requireReport } from '../../functions/run/find-run.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { scanTable } from '../../infra/program/targets/scan.ts';
import { moveCommand } from '../../infra/program/commands/move.ts';
import { createFolders, readMails } from '../support/start-folders.ts';
import { named } from '../support/named.ts';
import { startSystemOf, type SystemOf } from '../support/system.ts';

const [first, second] = ['2026-11-02', '2026-11-09'].map((date) => `${date}T08:00:00Z`);
const { out, state } = createFolders();
const account = await startSampleAccount({ asOf: '2026-11-09T08:00:00Z' });
afterAll(() => account.close());

/** Starts the system with the weekly report alone, under the name that it has now, where it was before. */
async function deployed(name: string, work: (system: SystemOf) => Promise<void>): Promise<void> {
  const report = { ...requireReport(loadConfiguration(), 'weekly'), name };
  const system = await startSystemOf(account, { settings: { reports: [report] }, out, state });
  try {
    await work(system);
  } finally {
    await system.close();
  }
}

/** Runs a report; what the execution returns. */
async function run(system: SystemOf, report: string, scheduledTime: string | undefined): Promise<{ run: string }> {
  return v.parse(v.looseObject({ run: v.string() }), (await system.carryOut({ report, scheduledTime })).result);
}

/** The digest that the report under its new name has of a period. */
async function digestOf({ table }: SystemOf, period: string): Promise<Digest> {
  const stored = await requireRun(table, 'Weekly', named(period));
  return (await readDigest(table, stored.run, stored.digest ?? '')).digest;
}

const newIn = ({ deliveries }: Digest): string[] => deliveries.filter(({ kind }) => kind === 'new').map(({ id }) => id);
const mails = async (): Promise<number> => (await readMails(out)).length;

test('Promise 1: a report whose name is moved mails nobody twice, nobody who left, and goes on with its history', async () => {
  await deployed('weekly', async (system) => {
    expect(await run(system, 'weekly', first)).toMatchObject({ run: 'weekly_2026-W44', balance: { sent: 3 } });
    const hashOf = await openHashes(system.table);
    await recordLeft(
      system.table,
      hashOf('ada@example.com'),
      { name: 'weekly' },
      { left: true, at: '2026-11-05T00:00:00Z' },
    );
  });
  expect(await mails()).toBe(3);

  await deployed('Weekly', async (system) => {
    const scan = () => scanTable(system.client, system.tableName);
    const target = { configuration: system.configuration, table: system.table, scan, operator: 'grace' };
    expect(await moveCommand(target, 'weekly', 'Weekly')).toMatchObject({ code: 0 });
    const again = await run(system, 'Weekly', first);
    expect(again).toMatchObject({ run: 'weekly_2026-W44', balance: { sent: 3, sentNow: 0, balanced: true } });
    const next = await run(system, 'Weekly', second);
    expect(next).toMatchObject({ run: 'Weekly_2026-W45', balance: { sent: 2, unsubscribed: 1, balanced: true } });
    expect(await mails()).toBe(5);
    const before = await digestOf(system, '2026-W44');
    const after = await digestOf(system, '2026-W45');
    const { deliveries, seen, responded } = before.totals;
    expect(after.totals.previous).toMatchObject({ deliveries, seen, responded });
    expect(newIn(before).filter((id) => newIn(after).includes(id))).toEqual([]);
  });
});
