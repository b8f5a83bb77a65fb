import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import messages from '../../templates/locales/en.json' with { type: 'json' };
import { lockState } from '../../infra/local/state-folder.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { runOps, launchStart, runStart } from '../support/commands.ts';
import {
  copyRepository,
  createFolders,
  namesIn,
  readDigestFile,
  readMails,
  readReceiptFile,
  type Folders,
} from '../support/start-folders.ts';
import { deliveriesAsOf } from '../../infra/local/sample-account/account.ts';
import { documented } from '../support/faulty-account/deviation.ts';
import { faultsOfDigest } from '../support/oracle/compare/digest.ts';
import { knownOf } from '../support/oracle/known.ts';
import { accountOf } from '../support/faulty-account/account.ts';
import { startFaultyAccount } from '../support/faulty-account/faulty-account.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const at = '2026-11-16T08:00:00Z';
const configured = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const nothing = {
  intended: 0,
  sent: 0,
  suppressed: 0,
  unsubscribed: 0,
  failed: 0,
  unknown: 0,
  planned: 0,
  held: 0,
  skipped: 0,
  sentNow: 0,
  balanced: true,
};

let folders: Folders;
let account: SampleAccount | undefined;

beforeEach(async () => {
  folders = await createFolders();
});
afterEach(async () => {
  await account?.close();
  account = undefined;
  await folders.remove();
});

/** A running service that the command did not start, so that its requests can be counted. */
async function startAccount(): Promise<{
  account: SampleAccount;
  flags: string[];
  environment: Record<string, string>;
}> {
  account = await startSampleAccount({ asOf: at });
  const { id: SERVICE_CLIENT_ID, secret: SERVICE_CLIENT_SECRET } = account.credentials;
  return {
    account,
    flags: ['--service-url', account.url, '--at', at, ...folders.flags],
    environment: { SERVICE_CLIENT_ID, SERVICE_CLIENT_SECRET },
  };
}

/** The addresses of all mails in the outbox, as addresses compare: without case. */
async function addressesOf({ out }: Folders): Promise<string[]> {
  return (await readMails(out)).map(({ to }) => to.toLowerCase()).toSorted();
}

test('a run leaves its mails, digest and receipt; a second one sends nothing, and one of another instant keeps only the mails', async () => {
  const { account: service, flags, environment } = await startAccount();
  const first = await runStart(flags, { environment });
  expect({ code: first.code, stderr: first.stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Running weekly/),
  });
  const mails = await readMails(folders.out);
  expect(mails.map(({ to }) => to)).toEqual(configured);
  for (const { email } of mails) {
    expect(Buffer.byteLength(email.html ?? '')).toBeLessThan(40_000);
    expect(email.text?.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  }
  expect(await namesIn(folders.out)).toEqual(
    [
      ...mails.flatMap(({ messageId }) => ['eml', 'html', 'txt'].map((kind) => `${messageId}.${kind}`)),
      ...mails.map((_, index) => `weekly_2026-W46-${index + 1}.html`),
      'latest.html',
      'digest.json',
      'receipt.json',
    ].toSorted(),
  );
  expect(await readReceiptFile(folders)).toMatchObject({
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
    messages: mails.map(({ to, messageId }) => ({ to, outcome: 'sent', messageId })),
    balance: { ...nothing, intended: 3, sent: 3, sentNow: 3 },
  });
  const digest = await readFile(join(folders.out, 'digest.json'), 'utf8');
  const asked = service.requests.length;

  const second = await runStart(flags, { environment });
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('Nothing is left to send.');
  expect(service.requests.length).toBe(asked);
  expect((await readMails(folders.out)).map(({ messageId }) => messageId)).toEqual(
    mails.map(({ messageId }) => messageId),
  );
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 3, sent: 3, sentNow: 0 });
  expect(await readFile(join(folders.out, 'digest.json'), 'utf8')).toBe(digest);

  const unreachable = ['--service-url', 'http://127.0.0.1:1', '--at', '2026-11-02T08:00:00Z', ...folders.flags];
  expect((await runStart(unreachable, { environment })).code).toBe(1);
  expect((await readMails(folders.out)).map(({ to }) => to)).toEqual(configured);
  expect((await namesIn(folders.out)).filter((name) => name.endsWith('.json'))).toEqual(['receipt.json']);
  expect(await readReceiptFile(folders)).toMatchObject({
    run: 'weekly_2026-W44',
    state: 'failed',
    error: { code: 'service-unavailable' },
  });
});

test('beside an open view of the sample account’s mails a service is asked for its own figures, and the ledger is free', async () => {
  // This is how the command knows a terminal.
  const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
  const viewed = launchStart(['--at', at, ...folders.flags], { environment: terminal });
  try {
    await viewed.printed('See the mails at http://127.0.0.1:');
    expect((await runOps(['runs', '--local', ...folders.flags])).code).toBe(0);
    // The same account, some days earlier: it has other figures of the week.
    const asOf = '2026-11-12T08:00:00Z';
    account = await startSampleAccount({ asOf, credentials: { id: 'client-of-the-test', secret: 'secret' } });
    const environment = { SERVICE_CLIENT_ID: 'client-of-the-test', SERVICE_CLIENT_SECRET: 'secret' };
    const dryRun = ['--service-url', account.url, '--dry-run', '--at', at, ...folders.flags];
    expect((await runStart(dryRun, { environment })).code).toBe(0);
    const period = { start: '2026-11-09T00:00:00Z', end: '2026-11-16T00:00:00Z' };
    const digest = await readDigestFile(folders);
    expect(faultsOfDigest(knownOf(accountOf({ asOf, period })), digest)).toEqual([]);
    expect(faultsOfDigest(knownOf(accountOf({ asOf: at, period })), digest)).not.toEqual([]);
  } finally {
    viewed.killGroup();
  }
  expect(await namesIn(folders.state)).toEqual(['sample']);
});

test('a start on a state folder that is in use ends with one sentence, and asks and writes nothing', async () => {
  const { flags, environment, account: service } = await startAccount();
  const state = folders.stateOfClient('sample-account');
  const lock = await lockState(state);
  const sample = await lockState(folders.sampleState);
  const refused = await runStart(flags, { environment });
  const refusedSample = await runStart(['--at', at, ...folders.flags]);
  const refusedOps = await runOps(['runs', '--local', ...folders.flags]);
  await lock.release();
  await sample.release();
  const [said, saidOfSample] = [state, folders.sampleState].map(
    (folder) => `The state folder "${folder}" is in use by`,
  );
  expect(refused).toEqual({ code: 1, stdout: '', stderr: `${said} another run.\n` });
  for (const each of [refusedSample, refusedOps]) {
    expect(each).toEqual({ code: 1, stdout: '', stderr: `${saidOfSample} another run.\n` });
  }
  expect(service.requests).toEqual([]);
  expect(await namesIn(folders.out)).toEqual([]);
});

test('--to names the subscribers instead of the configured ones, and duplicates count once, whatever their case; --json prints the receipt alone', async () => {
  const to = ['zoe@example.com', 'bo@example.com', 'ZOE@Example.com', 'bo@example.com'];
  const given = to.flatMap((address) => ['--to', address]);
  const { code } = await runStart([...folders.flags, '--at', at, '--no-view', ...given]);
  expect(code).toBe(0);
  expect(await addressesOf(folders)).toEqual(['bo@example.com', 'zoe@example.com']);
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 2, sent: 2, sentNow: 2 });

  // Throttled, all are sent all the same.
  const five = Array.from({ length: 5 }, (_, index) => `s${index}@example.com`);
  const more = ['Bo@EXAMPLE.com', ...five].flatMap((address) => ['--to', address]);
  const again = await runStart([...folders.flags, '--at', at, '--json', '--send-rate', '3', ...more]);
  expect(again.code).toBe(0);
  expect(again.stdout).toBe(await readFile(join(folders.out, 'receipt.json'), 'utf8'));
  expect(await addressesOf(folders)).toEqual(['bo@example.com', ...five, 'zoe@example.com']);
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 7, sent: 7, sentNow: 5 });
  const mails = (await readMails(folders.out)).filter((mail) => five.includes(mail.to));
  // The first eight digits of a message id, and four more, are the milliseconds at which SES took it.
  const sentAt = mails.map(({ messageId }) => Number.parseInt(messageId.slice(4, 16), 16)).toSorted((a, b) => a - b);
  const windows = sentAt.map((instant) => sentAt.filter((other) => other >= instant && other < instant + 950).length);
  expect(Math.max(...windows)).toBeLessThanOrEqual(3);
});

test('--dry-run writes what would be sent, sends nothing and leaves nothing: the next command has its own subscribers and digest, and a later one collects anew', async () => {
  const { account: service, flags, environment } = await startAccount();
  const dryRun = await runStart([...flags, '--dry-run', '--to', 'zoe@example.com'], { environment });
  expect(dryRun.code).toBe(0);
  expect(dryRun.stdout).toMatch(/^Run weekly_2026-W46: ready to be sent\. [^]*This was a dry run: nothing was sent/);
  expect(await readMails(folders.out)).toEqual([]);
  const planned = await readMails(join(folders.out, 'planned'));
  expect(planned.map(({ to }) => to)).toEqual(['zoe@example.com']);
  expect((await namesIn(join(folders.out, 'planned'))).length).toBe(5);
  expect(await readReceiptFile(folders)).toMatchObject({
    state: 'kept',
    balance: { ...nothing, intended: 1, planned: 1 },
  });
  expect(await namesIn(folders.state)).toEqual([]);
  const asked = service.requests.length;

  expect((await runStart(flags, { environment })).code).toBe(0);
  expect(service.requests.length).toBeGreaterThan(asked);
  const sent = await readMails(folders.out);
  expect(sent.map(({ to }) => to)).toEqual(configured);
  expect(new Set(sent.map(({ email }) => email.subject))).toEqual(new Set(planned.map(({ email }) => email.subject)));
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 3, sent: 3, sentNow: 3 });

  const askedForBoth = service.requests.length;
  const later = await runStart([...flags, '--dry-run'], { environment });
  expect(later.code).toBe(0);
  expect(service.requests.length).toBeGreaterThan(askedForBoth);
  expect((await readMails(join(folders.out, 'planned'))).map(({ to }) => to)).toEqual(configured);
  expect((await readReceiptFile(folders)).balance).toEqual({ ...nothing, intended: 3, planned: 3 });
  const again = await runStart(flags, { environment });
  expect(again.stdout).toContain('Nothing is left to send.');
  expect(await readReceiptFile(folders)).toMatchObject({ state: 'done', balance: { sent: 3, sentNow: 0 } });
  const place = ['--local', '--service-url', service.url, ...folders.flags];
  const listed = await runOps(['runs', '--json', ...place], { environment });
  expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ state: 'done', by: ['npm start on this machine'] }] });
});

test('a service that cannot be reached fails the run; --to sends to nobody whom it planned, and a later start does the rest', async () => {
  const { flags, environment } = await startAccount();
  const unreachable = ['--service-url', 'http://127.0.0.1:1', '--at', at, ...folders.flags];
  expect((await runStart(unreachable, { environment })).code).toBe(1);
  expect(await readReceiptFile(folders)).toMatchObject({ state: 'failed', error: { code: 'service-unavailable' } });
  expect(await readMails(folders.out)).toEqual([]);

  const named = await runStart([...flags, '--to', 'zoe@example.com'], { environment });
  expect(named.code).toBe(0);
  expect(await addressesOf(folders)).toEqual(['zoe@example.com']);
  expect(await readReceiptFile(folders)).toMatchObject({
    state: 'kept',
    balance: { ...nothing, intended: 4, sent: 1, planned: 3, sentNow: 1 },
  });
  const others = await runStart(flags, { environment });
  expect(others.code).toBe(0);
  expect(others.stdout).toMatch(/The digest was stored earlier.*To see a fresh one, add --dry-run/s);
  expect(await addressesOf(folders)).toEqual([...configured, 'zoe@example.com']);
  const receipt = await readReceiptFile(folders);
  expect(receipt).toMatchObject({ state: 'done', balance: { ...nothing, intended: 4, sent: 4, sentNow: 3 } });
  expect(receipt).not.toHaveProperty('error');
});

test('something unavailable is named in the mail and in the digest, and the exit code says so', async () => {
  const credentials = { id: 'client-of-the-test', secret: 'secret' };
  const service = await startFaultyAccount({ asOf: at, credentials });
  service.depart({ ...documented, refused: { recipients: 403 } });
  try {
    const { environment } = service;
    const flags = ['--service-url', service.url, ...folders.flags];
    const { code, stdout } = await runStart([...flags, '--at', at], { environment });
    expect(code).toBe(2);
    expect(stdout).toContain(
      [
        '',
        'Open: Digest incomplete: weekly, 9 to 15 November 2026',
        '  Run weekly_2026-W46 is done. 1 thing was unavailable from the service.',
        '  What the readers have: 3 of 3 subscribers have the mail. The mail names what is missing.',
        '  What to do: see what was unavailable, and why. Often the next run gets it.',
        `  npm run ops -- show weekly_2026-W46 --local --state ${folders.state} --out ${folders.out} --service-url ${service.url}`,
        '',
      ].join('\n'),
    );
    const { missing, totals } = await readDigestFile(folders);
    const { delivery } = service.victims;
    const { broadcast } = deliveriesAsOf(Date.parse(at)).find(({ id }) => id === delivery) ?? {};
    expect(missing).toEqual([
      { what: 'delivery', delivery, broadcast: broadcast?.id, name: broadcast?.name, reason: 'forbidden', status: 403 },
    ]);
    expect(totals.seen).toBeNull();
    for (const { email } of await readMails(folders.out)) {
      const text = email.text?.replaceAll(/\s+/g, ' ');
      expect(text).toContain(`1 delivery (“${broadcast?.name}”): ${messages['reason.forbidden']} (status 403).`);
    }
  } finally {
    await service.close();
  }
});

test('a report that is held always, or skipped when it is empty, sends no mail', async () => {
  const repository = await copyRepository((json) =>
    json
      .replace('"name": "weekly",', '"name": "weekly", "hold": "always",')
      .replace('"name": "daily",', '"name": "daily", "whenEmpty": "skip", "broadcastName": "no such name",'),
  );
  try {
    const held = await runStart([...folders.flags, '--at', at], { repository });
    const { state, balance } = await readReceiptFile(folders);
    expect([held.code, state, balance]).toEqual([2, 'held', { ...nothing, intended: 3, held: 3 }]);
    const empty = await runStart([...folders.flags, '--at', at, '--report', 'daily'], { repository });
    const skipped = await readReceiptFile(folders);
    expect([empty.code, skipped.state, skipped.balance]).toEqual([0, 'done', { ...nothing, intended: 2, skipped: 2 }]);
    expect(await readMails(folders.out)).toEqual([]);
  } finally {
    await rm(repository, { recursive: true });
  }
});
