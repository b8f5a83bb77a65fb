import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localPublicUrl, lockState } from '../../infra/local/state-folder.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, runOps, launchStart, runStart } from '../support/commands.ts';
import {
  createFolders,
  namesIn,
  readMails,
  readDigestFile,
  readReceiptFile,
  type Folders,
} from '../support/start-folders.ts';

const at = '2026-11-16T08:00:00Z';
const configured = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const noneElse = { suppressed: 0, unsubscribed: 0, removed: 0, failed: 0, unknown: 0, held: 0, skipped: 0 };
const nothing = { intended: 0, sent: 0, planned: 0, sentNow: 0, ...noneElse, balanced: true };

let folders: Folders;
let account: SampleAccount | undefined;

beforeEach(() => {
  folders = createFolders();
});
afterEach(async () => {
  await account?.close();
  account = undefined;
});

/** A running service that the command did not start, so that its requests can be counted. */
async function startAccount() {
  account = await startSampleAccount({ asOf: at });
  const flags = ['--service-url', account.url, '--at', at, ...folders.flags];
  return { account, flags, environment: environmentOf(account) };
}

const readJsonNames = async (): Promise<string[]> =>
  (await namesIn(folders.out)).filter((name) => name.endsWith('.json'));

test('a run is rehearsed, fails, is sent to those named, then to the others, and is rehearsed again: nobody gets it twice, and the last run is in the folder', async () => {
  const { account: service, flags, environment } = await startAccount();
  const call = async (...more: string[]) => {
    const before = service.requests.length;
    const ended = await runStart([...flags, ...more], { environment });
    return { ...ended, asked: service.requests.length - before };
  };

  const dryRun = await call('--dry-run', '--to', 'zoe@example.com');
  expect(dryRun.code).toBe(0);
  expect(dryRun.stdout).toMatch(/^Run weekly_2026-W46: ready to be sent\. [^]*This was a dry run: nothing was sent/);
  expect(await readMails(folders.out)).toEqual([]);
  const rehearsed = await readMails(join(folders.out, 'planned'));
  expect(rehearsed.map(({ to }) => to)).toEqual(['zoe@example.com']);
  expect((await namesIn(join(folders.out, 'planned'))).length).toBe(4);
  expect(await readReceiptFile(folders)).toMatchObject({
    state: 'kept',
    balance: { ...nothing, intended: 1, planned: 1 },
  });
  expect(await namesIn(folders.state)).toEqual([]);

  const unreachable = ['--service-url', 'http://127.0.0.1:1', '--at', at, ...folders.flags];
  expect((await runStart(unreachable, { environment })).code).toBe(1);
  expect(await readReceiptFile(folders)).toMatchObject({ state: 'failed', error: { code: 'service-unavailable' } });
  expect(await readJsonNames()).toEqual(['receipt.json']);
  expect(await readMails(folders.out)).toEqual([]);

  const to = ['zoe@example.com', 'bo@example.com', 'ZOE@Example.com', 'bo@example.com'];
  const named = await call('--json', ...to.flatMap((address) => ['--to', address]));
  expect(named.code).toBe(0);
  expect(named.stderr).toMatch(/^Running weekly/);
  expect(named.asked).toBeGreaterThan(0);
  expect(named.stdout).toBe(await readFile(join(folders.out, 'receipt.json'), 'utf8'));
  expect((await readMails(folders.out)).map((mail) => mail.to.toLowerCase())).toEqual([
    'bo@example.com',
    'zoe@example.com',
  ]);
  expect(await readReceiptFile(folders)).toMatchObject({
    state: 'kept',
    balance: { ...nothing, intended: 5, sent: 2, planned: 3, sentNow: 2 },
  });
  const digest = await readFile(join(folders.out, 'digest.json'), 'utf8');

  // Throttled, all the others are sent all the same.
  const others = await call('--send-rate', '2');
  expect([others.code, others.asked]).toEqual([0, 0]);
  expect(others.stdout).toMatch(/The digest was stored earlier.*To see a fresh one, add --dry-run/s);
  const mails = await readMails(folders.out);
  expect(mails.map((mail) => mail.to.toLowerCase()).toSorted()).toEqual(
    [...configured, 'bo@example.com', 'zoe@example.com'].toSorted(),
  );
  expect(new Set(mails.map(({ email }) => email.subject))).toEqual(
    new Set(rehearsed.map(({ email }) => email.subject)),
  );
  for (const { email } of mails) {
    expect(Buffer.byteLength(email.html ?? '')).toBeLessThan(40_000);
    expect(email.text?.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  }
  // The first eight digits of a message id, and four more, are the milliseconds at which SES took it.
  const sentAt = mails
    .filter((mail) => configured.includes(mail.to))
    .map(({ messageId }) => Number.parseInt(messageId.slice(4, 16), 16));
  expect(Math.max(...sentAt) - Math.min(...sentAt)).toBeGreaterThanOrEqual(900);
  expect((await namesIn(folders.out)).filter((name) => name !== 'planned')).toEqual(
    [
      ...mails.flatMap(({ messageId }) => ['eml', 'html', 'txt'].map((kind) => `${messageId}.${kind}`)),
      'latest.html',
      'digest.json',
      'receipt.json',
    ].toSorted(),
  );
  const receipt = await readReceiptFile(folders);
  expect(receipt).toMatchObject({
    schemaVersion: 1,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    state: 'done',
    balance: { ...nothing, intended: 5, sent: 5, sentNow: 3 },
  });
  expect(receipt).not.toHaveProperty('error');
  expect(new Set(receipt.messages)).toEqual(
    new Set(mails.map((mail) => ({ to: mail.to, outcome: 'sent', messageId: mail.messageId }))),
  );
  expect(await readFile(join(folders.out, 'digest.json'), 'utf8')).toBe(digest);

  const later = await call('--dry-run');
  expect(later.code).toBe(0);
  expect(later.asked).toBeGreaterThan(0);
  expect((await readMails(join(folders.out, 'planned'))).map((mail) => mail.to)).toEqual(configured);
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 3, planned: 3 });

  const again = await call();
  expect([again.code, again.asked]).toEqual([0, 0]);
  expect(again.stdout).toContain('Nothing is left to send.');
  expect(await readReceiptFile(folders)).toMatchObject({ state: 'done', balance: { sent: 5, sentNow: 0 } });
  expect(await readFile(join(folders.out, 'digest.json'), 'utf8')).toBe(digest);
  expect((await readMails(folders.out)).map(({ messageId }) => messageId)).toEqual(
    mails.map(({ messageId }) => messageId),
  );
});

/** The links to this machine in the mails, and in what is beside them to be opened. */
async function linksOfMails(): Promise<Set<string>> {
  const files = (await namesIn(folders.out)).filter((name) => /\.(?:html|txt)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folders.out, name), 'utf8')));
  const mails = JSON.stringify((await readMails(folders.out)).map(({ email }) => email));
  return new Set([...texts, mails].flatMap((text) => text.match(/http:\/\/127[\w.:/-]+/g) ?? []));
}

test('beside an open view of the sample account’s mails the ledger is free, and their links work, which are the same at every start', async () => {
  // This is how the command knows a terminal.
  const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
  const viewed = launchStart(['--at', at, ...folders.flags], { environment: terminal });
  const publicUrl = localPublicUrl(folders.sampleState);
  try {
    await viewed.printed('See the mails at http://127.0.0.1:');
    expect((await runOps(['runs', '--local', ...folders.flags])).code).toBe(0);
    const links = [...(await linksOfMails())];
    expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual(links.map(() => 200));
    const leave = links.find((link) => link.startsWith(`${publicUrl}/unsubscribe/`)) ?? '';
    await fetch(leave, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  } finally {
    viewed.killGroup();
  }
  expect(await namesIn(folders.state)).toEqual(['sample']);
  const next = ['--at', '2026-11-23T08:00:00Z', '--no-view', ...folders.flags];
  const { stdout } = await runStart(next);
  const show = `npm run ops -- show weekly_2026-W47 --local --state ${folders.state} --out ${folders.out}`;
  expect(stdout).toContain(`Its links work while this is open, on a terminal: ${show}\n`);
  expect((await readReceiptFile(folders)).balance).toMatchObject({ unsubscribed: 1, sent: 2 });
  // The sample account is one account, at whatever port.
  expect((await readDigestFile(folders)).totals.comparison).toEqual({ basis: 'kept' });
  for (const link of await linksOfMails()) expect(link).toContain(`${publicUrl}/`);
});

test('a start on a state folder that is in use ends with one sentence, and asks and writes nothing', async () => {
  const { flags, environment, account: service } = await startAccount();
  const [state, { sampleState }] = [folders.stateOfClient('sample-account'), folders];
  const locks = [await lockState(state), await lockState(sampleState)];
  const refused = await Promise.all([runStart(flags, { environment }), runOps(['runs', '--local', ...folders.flags])]);
  for (const lock of locks) await lock.release();
  expect(refused).toEqual(
    [state, sampleState].map((folder) => ({
      code: 1,
      stdout: '',
      stderr: `The state folder "${folder}" is in use by another run.\n`,
    })),
  );
  expect(service.requests).toEqual([]);
  expect(await namesIn(folders.out)).toEqual([]);
});
