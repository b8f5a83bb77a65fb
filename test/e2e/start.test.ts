import { spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { localPublicUrl, lockState } from '../../infra/local/state-folder.ts';
import { deliveriesAsOf, recipientsOf } from '../../infra/local/sample-account/engagement.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, launchStart, runStart } from '../support/commands.ts';
import {
  createFolders,
  namesIn,
  readMails,
  readDigestFile,
  readReceiptFile,
  shownParts,
} from '../support/start-folders.ts';
import { repositoryOfTests } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const at = '2026-11-16T08:00:00Z';
const configured = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const noneElse = { suppressed: 0, unsubscribed: 0, removed: 0, failed: 0, unknown: 0, held: 0, skipped: 0 };
const nothing = { intended: 0, sent: 0, planned: 0, sentNow: 0, ...noneElse, balanced: true };

/** A running service that the command did not start, so that its requests can be counted. */
const account = await startSampleAccount({ asOf: at });
afterAll(() => account.close());
// Neither the zone of the machine nor another service's address in the environment leads anywhere.
const strays = ['', '_DYNAMODB', '_SES', '_SECRETS_MANAGER', '_LAMBDA'];
const environment = {
  ...environmentOf(account),
  ...Object.fromEntries(strays.map((service) => [`AWS_ENDPOINT_URL${service}`, 'http://127.0.0.1:1'])),
  TZ: 'Pacific/Kiritimati',
};

test('a run is sent to those named, rehearsed, then sent to the others: nobody gets it twice, and the last run is in the folder', async () => {
  const folders = createFolders();
  const call = async (...flags: string[]) => {
    const before = account.requests.length;
    const ended = await runStart(['--service-url', account.url, '--at', at, ...folders.flags, ...flags], environment);
    return { ...ended, asked: account.requests.length - before };
  };
  const readDigestText = (): Promise<string> => readFile(join(folders.out, 'digest.json'), 'utf8');

  const to = ['zoe@example.com', 'bo@example.com', 'ZOE@Example.com', 'bo@example.com'];
  const named = await call('--json', ...to.flatMap((address) => ['--to', address]));
  expect(named).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Running weekly/) });
  expect(named.asked).toBeGreaterThan(0);
  expect(named.stdout).toBe(await readFile(join(folders.out, 'receipt.json'), 'utf8'));
  expect((await readMails(folders.out)).map((mail) => mail.to.toLowerCase())).toEqual([
    'bo@example.com',
    'zoe@example.com',
  ]);
  expect(await readReceiptFile(folders)).toMatchObject({
    state: 'done',
    balance: { ...nothing, intended: 2, sent: 2, sentNow: 2 },
  });
  const digest = await readDigestText();
  const written = await Promise.all(
    [folders.out, join(folders.out, 'receipt.json'), folders.state].map((path) => stat(path)),
  );
  expect(written.map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0]);

  const dryRun = await call('--dry-run');
  expect(dryRun.stdout).toMatch(/^Run weekly_2026-W46: ready to be sent\. [^]*This was a dry run: nothing was sent/);
  expect(dryRun.code).toBe(0);
  expect(dryRun.asked).toBeGreaterThan(0);
  const rehearsed = await readMails(join(folders.out, 'planned'));
  expect(rehearsed.map((mail) => mail.to)).toEqual(configured);
  expect((await namesIn(join(folders.out, 'planned'))).length).toBe(3 * 3 + 1);
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 3, planned: 3 });

  // Throttled, all the others are sent all the same.
  const others = await call('--send-rate', '2');
  expect([others.code, others.asked]).toEqual([0, 0]);
  expect(others.stdout).toMatch(/The digest was stored earlier.*To see a fresh one, add --dry-run/s);
  const mails = await readMails(folders.out);
  expect(mails.map((mail) => mail.to.toLowerCase()).toSorted()).toEqual(
    [...configured, 'bo@example.com', 'zoe@example.com'].toSorted(),
  );
  // The first eight digits of a message id, and four more, are the milliseconds at which SES took it.
  const sentAt = mails
    .filter((mail) => configured.includes(mail.to))
    .map(({ messageId }) => Number.parseInt(messageId.slice(4, 16), 16));
  expect(Math.max(...sentAt) - Math.min(...sentAt)).toBeGreaterThanOrEqual(900);
  const receipt = await readReceiptFile(folders);
  expect(receipt).toMatchObject({
    run: 'weekly_2026-W46',
    state: 'done',
    balance: { ...nothing, intended: 5, sent: 5, sentNow: 3 },
  });
  expect(new Set(receipt.messages)).toEqual(
    new Set(mails.map((mail) => ({ to: mail.to, outcome: 'sent', messageId: mail.messageId }))),
  );
  expect(await readDigestText()).toBe(digest);

  const again = await call();
  expect([again.code, again.asked]).toEqual([0, 0]);
  expect(again.stdout).toContain('Nothing is left to send.');
  expect(await readReceiptFile(folders)).toMatchObject({ state: 'done', balance: { sent: 5, sentNow: 0 } });
  expect(await readDigestText()).toBe(digest);
  expect(await readMails(folders.out)).toEqual(mails);
});

const folders = createFolders();
/** This is how the command knows a terminal. */
const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
/** The links to this machine in the mails, and in what is beside them to be opened. */
async function linksOfMails(out = folders.out): Promise<Set<string>> {
  const files = (await namesIn(out)).filter((name) => /\.(?:html|txt)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(out, name), 'utf8')));
  const mails = JSON.stringify((await readMails(out)).map(({ email }) => email));
  return new Set([...texts, mails].flatMap((text) => text.match(/http:\/\/127[\w.:/-]+/g) ?? []));
}

/** What the sample account gives of a week, from its start to its end. */
function totalsOfWeek(start: string, end: string): { seen: number; responded: number } {
  const readMs = Date.parse(`${end}T08:00:00Z`);
  const rows = deliveriesAsOf(readMs).flatMap(({ id }) => recipientsOf(id, readMs) ?? []);
  const dated = (name: 'seenAt' | 'respondedAt'): number =>
    rows.filter((row) => {
      const atMs = Date.parse(row[name] ?? '');
      return atMs >= Date.parse(start) && atMs < Date.parse(end);
    }).length;
  return { seen: dated('seenAt'), responded: dated('respondedAt') };
}

test('Promise 4: every subscriber’s mail and digest.json have the figures that the sample account gives; its links work beside an open view, while the ledger is free, and are the same at every start', async () => {
  const viewed = launchStart(['--at', at, ...folders.flags], terminal);
  const publicUrl = localPublicUrl(folders.sampleState);
  let next: Awaited<typeof viewed.ended>;
  try {
    await viewed.printed('See the mails at http://127.0.0.1:');
    const digest = await readDigestFile(folders);
    expect(digest.totals).toMatchObject(totalsOfWeek('2026-11-09', '2026-11-16'));
    expect(digest.broadcasts.filter(({ group }) => group === 'new').length).toBeGreaterThan(2);
    const parts = (await readMails(folders.out)).map(({ email }) => shownParts(email));
    expect(parts).toEqual([parts[0], parts[0], parts[0]]);
    const { seen, responded } = digest.totals;
    for (const part of Object.values(parts[0] ?? {})) {
      for (const figure of [seen, responded]) expect(part).toContain(String(figure));
    }

    const links = [...(await linksOfMails())];
    expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual(links.map(() => 200));
    const leave = links.find((link) => link.startsWith(`${publicUrl}/unsubscribe/`)) ?? '';
    await fetch(leave, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    next = await runStart(['--at', '2026-11-23T08:00:00Z', '--no-view', ...folders.flags]);
  } finally {
    viewed.killGroup();
  }
  expect(await namesIn(folders.state)).toEqual(['sample']);
  const show = `npm run ops -- show weekly_2026-W47 --local --state ${folders.state} --out ${folders.out}`;
  expect(next.stdout).toContain(`Its links work while this is open, on a terminal: ${show}\n`);
  expect((await readReceiptFile(folders)).balance).toMatchObject({ unsubscribed: 1, sent: 2 });
  // The sample account is one account, at whatever port.
  const { totals } = await readDigestFile(folders);
  expect(totals.previous?.asSaid).toMatchObject({ broadcasts: expect.any(Number) });
  // What has left its list since the first start is not found there: nothing is missing for that.
  expect([next.code, totals]).toMatchObject([0, totalsOfWeek('2026-11-16', '2026-11-23')]);
  for (const link of await linksOfMails()) expect(link).toContain(`${publicUrl}/`);
});

test('a dry run is shown as one, with links that work, and leaves nothing even where it is killed; a run keeps others from its ledger, and Ctrl-C says what a second start does', async () => {
  const { flags, out, sampleState } = createFolders();
  const copies = temporaryFolder();
  const inCopies = { ...terminal, TMPDIR: copies };
  const rehearsed = launchStart(['--at', at, '--dry-run', ...flags], inCopies);
  const [view = ''] = /http:\S+(?= \(Ctrl-C)/.exec(await rehearsed.printed('(Ctrl-C ends)')) ?? [];
  expect(await (await fetch(view)).text()).toMatch(/<h1>[^<]*sample account[^<]*dry run[^]*<td>/);
  const links = [...(await linksOfMails(join(out, 'planned')))];
  expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual(links.map(() => 200));
  rehearsed.interrupt();
  expect([(await rehearsed.ended).code, await namesIn(copies)]).toEqual([0, []]);
  const killed = launchStart(['--at', at, '--dry-run', ...flags], inCopies);
  await killed.printed('Running');
  killed.killGroup();
  await killed.ended;
  const left = await namesIn(copies);
  const run = launchStart(['--at', at, ...flags], inCopies);
  await run.printed('Running');
  expect([left.length, await namesIn(copies)]).toEqual([1, []]);
  await expect(lockState(sampleState)).rejects.toThrow('in use by another run');
  run.interrupt();
  expect(await run.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Start it again') });
});

test('a ledger whose files can grow no more, as on a full disk, ends the program with one sentence that names it', async () => {
  const state = temporaryFolder();
  const people = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`);
  await writeFile(join(state, 'people.csv'), ['email', ...people].join('\n'));
  const command = `infra/program/program.ts subscribers weekly import ${state}/people.csv --local --state ${state}`;
  // Blocks of 512 bytes.
  const limited = ['-c', `ulimit -f 16; exec node_modules/.bin/node ${command}`];
  const { status, stdout, stderr } = spawnSync('sh', limited, { cwd: repositoryOfTests, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^"[^"]*\/sample\/dynamodb" cannot be used: IO error: .* File too large\n$/);
});
