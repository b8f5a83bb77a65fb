import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { createTable } from '../../functions/ledger/table.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { crash } from '../bench/crash.ts';
import { localTableName, startDynamoDb } from '../../infra/local/emulators/dynamodb.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, launchStart, runStart } from '../support/commands.ts';
import {
  createFolders,
  namesIn,
  readDigestFile,
  readMails,
  readReceiptFile,
  shownParts,
} from '../support/start-folders.ts';
import { named } from '../support/named.ts';

const at = '2026-11-16T08:00:00Z';
const ten = Array.from({ length: 10 }, (_, index) => `subscriber-${index}@example.com`);

const folders = createFolders();
const account = await startSampleAccount({ asOf: at });
const environment = environmentOf(account);
afterAll(() => account.close());

function flagsFor(to: readonly string[], sendRate: number): string[] {
  const addresses = to.flatMap((address) => ['--to', address]);
  return ['--service-url', account.url, '--at', at, '--send-rate', `${sendRate}`, ...folders.flags, ...addresses];
}

/** Starts a run to the ten and kills its whole process group at the moment that `isTime` sees. */
async function killAt(isTime: () => Promise<boolean>): Promise<void> {
  const run = launchStart(flagsFor(ten, 5), { environment });
  const deadline = Date.now() + 120_000;
  try {
    while (!(await isTime())) {
      if (Date.now() > deadline) throw new Error('The moment to kill the run never came.');
      await sleep(2);
    }
  } finally {
    run.killGroup();
  }
  expect((await run.ended).code).toBeNull();
}

async function sentMails(): Promise<number> {
  return (await namesIn(folders.out)).filter((name) => name.endsWith('.eml') && !name.startsWith('.')).length;
}

/** The digest that the ledger has kept for the run; `null` where it has none yet. */
async function keptDigest(): Promise<Digest | null> {
  const { client, close } = await startDynamoDb(folders.stateOfClient('sample-account'));
  const table = createTable(client, localTableName);
  const run = await readRun(table, 'weekly', named('2026-W46'));
  const kept = run?.digest === undefined ? null : await readDigest(table, run.run, run.digest);
  await close();
  return kept?.digest ?? null;
}

test('a run that is killed while it collects, and again while it sends, goes on without a second mail', async () => {
  await killAt(async () => account.requests.length >= 60);
  expect([await keptDigest(), await sentMails()]).toEqual([null, 0]);
  await killAt(async () => (await sentMails()) >= 1);
  const [asked, digest] = [account.requests.length, await keptDigest()];
  const { code } = await runStart(flagsFor(ten, 50), { environment });

  const mails = await readMails(folders.out);
  expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length);
  expect(new Set(mails.map(({ email }) => shownParts(email).text)).size).toBe(1);
  const { messages, balance } = await readReceiptFile(folders);
  expect(messages.map(({ to }) => to)).toEqual(ten);
  // A mail whose answer was lost stays unknown; at most as many as were on their way.
  expect(balance.unknown).toBeLessThanOrEqual(2);
  expect(balance).toMatchObject({ intended: 10, sent: 10 - balance.unknown, balanced: true });
  expect(code).toBe(balance.unknown === 0 ? 0 : 2);
  expect([account.requests.length, await readDigestFile(folders)]).toEqual([asked, digest]);
});

test('a run whose process is killed at eight moments mails nobody twice and accounts for everybody', async () => {
  const { kills, accepted, runs, mailedTwice, unsettled, leftOut, unbalanced } = await crash(8, 20261120);
  expect({ kills, mailedTwice, unsettled, leftOut, unbalanced }).toEqual({
    kills: 8,
    mailedTwice: [],
    unsettled: [],
    leftOut: [],
    unbalanced: [],
  });
  expect(accepted).toBeGreaterThan(runs);
});
