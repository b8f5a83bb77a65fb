import { afterAll, expect, test } from 'vitest';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, launchStart, runStart } from '../support/commands.ts';
import { createFolders, readMails, readReceiptFile, shownParts } from '../support/start-folders.ts';

// Killed at many more moments: kill.long.test.ts.
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
  const run = launchStart(flagsFor(ten, 5), environment);
  await run.until(isTime);
  run.killGroup();
  expect((await run.ended).code).toBeNull();
}

const sentMails = async (): Promise<number> => (await readMails(folders.out)).length;

test('a run that is killed while it collects, and again while it sends, goes on without a second mail', async () => {
  await killAt(async () => account.requests.length >= 60);
  expect(await sentMails()).toBe(0);
  await killAt(async () => (await sentMails()) >= 1);
  const asked = account.requests.length;
  const { code } = await runStart(flagsFor(ten, 50), environment);

  const mails = await readMails(folders.out);
  expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length);
  expect(new Set(mails.map(({ email }) => shownParts(email).text)).size).toBe(1);
  const { messages, balance } = await readReceiptFile(folders);
  expect(messages.map(({ to }) => to)).toEqual(ten);
  // A mail whose answer was lost stays unknown; at most as many as were on their way.
  expect(balance.unknown).toBeLessThanOrEqual(2);
  expect(balance).toMatchObject({ intended: 10, sent: 10 - balance.unknown, balanced: true });
  expect(code).toBe(balance.unknown === 0 ? 0 : 2);
  // The digest was stored before the first mail, and is the one that the others have.
  expect(account.requests.length).toBe(asked);
});
