import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { unsubscribe } from '../../functions/ledger/persons/opt-outs.ts';
import { requireReport } from '../../functions/run/find-run.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { scanTable } from '../../infra/program/targets/scan.ts';
import { moveCommand } from '../../infra/program/commands/move.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { functionName, startSystem, type System } from '../../infra/local/system.ts';
import { readMails } from '../support/start-folders.ts';
import { named } from '../support/named.ts';

const [first, second] = ['2026-11-02', '2026-11-09'].map((date) => `${date}T08:00:00Z`);
let root: string;
let account: SampleAccount;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'renamed-'));
  account = await startSampleAccount({ asOf: '2026-11-09T08:00:00Z' });
});
afterAll(async () => {
  await account.close();
  await rm(root, { recursive: true, maxRetries: 3 });
});

/** The settings of the repository with the weekly report alone, under the name that it has now. */
function settingsOf(name: string): Configuration {
  const configuration = loadConfiguration({
    overlay: { service: { baseUrl: account.url }, mail: { settleMinutes: 0 } },
  });
  return { ...configuration, reports: [{ ...requireReport(configuration, 'weekly'), name }] };
}

async function deployed<T>(configuration: Configuration, work: (system: System) => Promise<T>): Promise<T> {
  const folders = { out: join(root, 'out'), state: join(root, 'state') };
  const system = await startSystem({ configuration, credentials: account.credentials, ...folders });
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

/** Runs a report; what the execution returns. */
async function run(system: System, report: string, scheduledTime: string | undefined): Promise<{ run: string }> {
  const execution = await system.lambda.executeDurable(functionName('run'), { report, scheduledTime });
  requireCarriedOut(execution);
  await system.eventsSettled();
  return v.parse(v.looseObject({ run: v.string() }), execution.result);
}

/** The digest that the report under its new name has of a period. */
async function digestOf({ table }: System, period: string): Promise<Digest> {
  const stored = await readRun(table, 'Weekly', named(period));
  if (stored === null) throw new Error('The run is not in the ledger.');
  return (await readDigest(table, stored.run, stored.digest ?? '')).digest;
}

const newIn = ({ deliveries }: Digest): string[] => deliveries.filter(({ kind }) => kind === 'new').map(({ id }) => id);
const mails = async (): Promise<number> => (await readMails(join(root, 'out'))).length;

test('Promise 1: a report whose name is moved mails nobody twice, nobody who left, and goes on with its history', async () => {
  await deployed(settingsOf('weekly'), async (system) => {
    expect(await run(system, 'weekly', first)).toMatchObject({ run: 'weekly_2026-W44', balance: { sent: 3 } });
    const hashOf = await openHashes(system.table);
    await unsubscribe(system.table, hashOf('ada@example.com'), { name: 'weekly' }, '2026-11-05T00:00:00Z');
  });
  expect(await mails()).toBe(3);

  await deployed(settingsOf('Weekly'), async (system) => {
    const scan = () => scanTable(system.client, system.tableName);
    const target = { configuration: settingsOf('Weekly'), table: system.table, scan, operator: 'grace' };
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
}, 120_000);
