import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { crash } from '../bench/crash.ts';
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
import { withLedger } from '../support/start-ledger.ts';
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
function keptDigest(): Promise<Digest | null> {
  return withLedger(folders.stateOfClient('sample-account'), async ({ table }) => {
    const run = await readRun(table, 'weekly', named('2026-W46'));
    return run?.digest === undefined ? null : (await readDigest(table, run.run, run.digest)).digest;
  });
}

/** What has to be true of every address after the run was taken up again, whatever moment the kill came at. */
async function expectAllAccountedFor(code: number | null, to: readonly string[]): Promise<void> {
  const mails = await readMails(folders.out);
  expect(new Set(mails.map((mail) => mail.to)).size).toBe(mails.length);
  const { messages, balance } = await readReceiptFile(folders);
  expect(messages.map((message) => message.to)).toEqual(to.toSorted());
  expect(balance).toMatchObject({ intended: to.length, balanced: true });
  expect(balance.sent + balance.unknown).toBe(to.length);
  // A mail whose answer was lost stays unknown; at most as many as were on their way at the three kills that may lose one.
  expect(balance.unknown).toBeLessThanOrEqual(2 * 3);
  expect(code).toBe(balance.unknown === 0 ? 0 : 2);
  for (const { to: address, outcome, messageId } of messages) {
    const mail = mails.find((each) => each.to === address);
    if (outcome === 'sent') expect(mail?.messageId).toBe(messageId);
  }
  const [first, ...others] = mails.map(({ email }) => shownParts(email));
  for (const parts of others) expect(parts).toEqual(first);
}

test('a run that is killed while it collects, before it sends and twice while it sends goes on without a second mail', async () => {
  await killAt(async () => account.requests.length >= 60);
  expect(await keptDigest()).toBeNull();
  expect(await sentMails()).toBe(0);

  // After its last request it sends the digest it has kept, or asks again if it kept none.
  const collected = account.requests.length;
  let quiet = { requests: 0, since: Date.now() };
  await killAt(async () => {
    const requests = account.requests.length;
    if (requests !== quiet.requests) quiet = { requests, since: Date.now() };
    return requests > collected + 150 && Date.now() - quiet.since > 40;
  });
  const kept = await keptDigest();
  const before = account.requests.length;
  await killAt(async () => (await sentMails()) >= 1);
  const asked = account.requests.length;
  expect(asked > before).toBe(kept === null);
  const digest = await keptDigest();
  expect(digest).toEqual(kept ?? expect.anything());

  const sent = await sentMails();
  await killAt(async () => (await sentMails()) >= sent + 2);
  const again = await runStart(flagsFor(ten, 50), { environment });
  await expectAllAccountedFor(again.code, ten);
  expect(await readDigestFile(folders)).toEqual(digest);

  const mails = await readMails(folders.out);
  const eleven = [...ten, 'late@example.com'];
  const last = await runStart(flagsFor(eleven, 50), { environment });
  await expectAllAccountedFor(last.code, eleven);
  const added = (await readMails(folders.out)).filter(
    ({ messageId }) => !mails.some((mail) => mail.messageId === messageId),
  );
  expect(added.map(({ to }) => to)).toEqual(['late@example.com']);
  expect((await readReceiptFile(folders)).balance.sentNow).toBe(1);
  expect(account.requests.length).toBe(asked);
});

test('a run whose process is killed at a dozen moments mails nobody twice and accounts for everybody', async () => {
  const { kills, accepted, runs, mailedTwice, unsettled, leftOut, unbalanced } = await crash(12, 20261120);
  expect({ kills, mailedTwice, unsettled, leftOut, unbalanced }).toEqual({
    kills: 12,
    mailedTwice: [],
    unsettled: [],
    leftOut: [],
    unbalanced: [],
  });
  expect(accepted).toBeGreaterThan(runs);
});
