import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { addressKey } from '../../functions/ledger/addresses/addresses.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { unsubscribe } from '../../functions/ledger/addresses/unsubscriptions.ts';
import { requireReport } from '../../functions/run/find-run.ts';
import { planRun } from '../../functions/run/plan/plan.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { functionName, startSystem, type System } from '../../infra/local/system.ts';
import { readMails } from '../support/start-folders.ts';
import { named } from '../support/named.ts';

const [first, second, third] = ['2026-11-02', '2026-11-09', '2026-11-16'].map((date) => `${date}T08:00:00Z`);
let root: string;
let account: SampleAccount;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'renamed-'));
  account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
});
afterAll(async () => {
  await account.close();
  await rm(root, { recursive: true, maxRetries: 3 });
});

/** The settings of the repository with the weekly report alone, under the name that it has now. */
function settingsOf(names: { name: string; formerly: string[] }): Configuration {
  const configuration = loadConfiguration({
    overlay: { service: { baseUrl: account.url }, mail: { settleMinutes: 0 } },
  });
  return { ...configuration, reports: [{ ...requireReport(configuration, 'weekly'), ...names }] };
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

async function outcomeOf(
  { table }: System,
  report: string,
  period: string,
): Promise<{ receipt: Receipt; digest: Digest }> {
  const stored = await readRun(table, report, named(period));
  if (stored === null) throw new Error('The run is not in the ledger.');
  const { digest } = await readDigest(table, stored.run, stored.digest ?? '');
  return { receipt: await readReceipt(table, stored, Date.now()), digest };
}

const newIn = ({ deliveries }: Digest): string[] => deliveries.filter(({ kind }) => kind === 'new').map(({ id }) => id);
const mails = async (): Promise<number> => (await readMails(join(root, 'out'))).length;

describe('a report that is renamed between two deployments', () => {
  const old = { name: 'weekly', formerly: [] };
  const renamed = { name: 'Weekly', formerly: ['weekly'] };

  test('mails nobody twice for a period, whichever name triggers it', async () => {
    await deployed(settingsOf(old), async (system) => {
      expect(await run(system, 'weekly', first)).toMatchObject({ run: 'weekly_2026-W44', balance: { sent: 3 } });
      // Planned, and then stopped: the next deployment finds it so.
      const now = Temporal.Instant.from('2026-11-09T08:00:01Z');
      const trigger = { action: 'run', report: 'weekly', scheduledTime: second ?? '' } as const;
      await planRun(trigger, { configuration: settingsOf(old), table: system.table, now });
      await unsubscribe(system.table, addressKey('ada@example.com'), old, '2026-11-05T00:00:00Z');
    });
    expect(await mails()).toBe(3);

    await deployed(settingsOf(renamed), async (system) => {
      for (const name of ['Weekly', 'weekly']) {
        const again = await run(system, name, first);
        expect(again).toMatchObject({ run: 'weekly_2026-W44', balance: { sent: 3, sentNow: 0, balanced: true } });
      }
      expect(await mails()).toBe(3);
      const planned = await run(system, 'Weekly', second);
      expect(planned).toMatchObject({
        run: 'weekly_2026-W45',
        balance: { sent: 2, unsubscribed: 1, balanced: true },
      });
      expect(await run(system, 'Weekly', second)).toMatchObject({ run: planned.run, balance: { sentNow: 0 } });
      expect(await mails()).toBe(5);
    });
  }, 120_000);

  test('goes on with its history: the next week is compared with the last one of the old name', async () => {
    await deployed(settingsOf(renamed), async (system) => {
      expect(await run(system, 'Weekly', third)).toMatchObject({ run: 'Weekly_2026-W46', balance: { sent: 2 } });
      const last = await outcomeOf(system, 'weekly', '2026-W45');
      const { digest } = await outcomeOf(system, 'Weekly', '2026-W46');
      const { deliveries, seen, responded } = last.digest.totals;
      expect(digest.totals.previous).toMatchObject({ deliveries, seen, responded });
      const newAgain = newIn(last.digest).filter((id) => new Set(newIn(digest)).has(id));
      expect(newAgain).toEqual([]);
    });
  }, 120_000);
});
