import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { startOutboxView } from '../../infra/local/viewer/outbox-view.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { functionName, startSystem, type System } from '../../infra/local/system.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { readMails } from '../support/start-folders.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { named } from '../support/named.ts';

const firstMonday = '2026-11-09T08:00:00Z';
const nextMonday = '2026-11-16T08:00:00Z';

describe.skipIf(!hasBrowser)('unsubscribing by a click in the browser view', { timeout: 120_000 }, () => {
  let root: string;
  let browser: Browser;
  let account: Awaited<ReturnType<typeof startSampleAccount>>;
  let system: System;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'unsubscribe-'));
    browser = await startBrowser();
    account = await startSampleAccount({ asOf: nextMonday });
    const configuration = loadConfiguration({
      overlay: { service: { baseUrl: account.url }, mail: { settleMinutes: 0 } },
    });
    system = await startSystem({
      configuration,
      credentials: account.credentials,
      out: join(root, 'out'),
      state: join(root, 'state'),
    });
  });
  afterAll(async () => {
    await system?.close();
    await account?.close();
    await browser?.close();
    await rm(root, { recursive: true, maxRetries: 3 });
  });

  async function run(scheduledTime: string, period: string): Promise<Receipt> {
    const trigger = { report: 'weekly', scheduledTime };
    requireCarriedOut(await system.lambda.executeDurable(functionName('run'), trigger));
    const stored = await readRun(system.table, 'weekly', named(period));
    if (stored === null) throw new Error('The run is not in the ledger.');
    return await readReceipt(system.table, stored, Date.now());
  }

  test('sends that subscriber nothing from the next week on, says why, and can be undone on the same page', async () => {
    expect(outcomes(await run(firstMonday, '2026-W45'))).toEqual({
      'ada@example.com': 'sent',
      'alan@example.com': 'sent',
      'grace@example.com': 'sent',
    });
    const view = await startOutboxView({ outDir: join(root, 'out') });
    const mail = (await readMails(join(root, 'out'))).find(({ to }) => to === 'ada@example.com');

    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${view.url}/${mail?.messageId}`);
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.frameLocator('iframe').getByRole('link', { name: 'Unsubscribe from this digest' }).click(),
    ]);
    expect(await opened.getByRole('heading').textContent()).toBe('Do you want to leave “Weekly broadcast digest”?');
    await opened.getByRole('button', { name: 'Unsubscribe' }).click();
    expect(await opened.getByRole('heading', { name: 'You have left' }).textContent()).toBe(
      'You have left “Weekly broadcast digest”.',
    );

    const receipt = await run(nextMonday, '2026-W46');
    expect(outcomes(receipt)).toEqual({
      'ada@example.com': 'unsubscribed',
      'alan@example.com': 'sent',
      'grace@example.com': 'sent',
    });
    expect(receipt.balance).toMatchObject({ intended: 3, sent: 2, unsubscribed: 1, balanced: true });
    const mails = await readMails(join(root, 'out'));
    expect(mails.map(({ to }) => to)).toEqual([
      'ada@example.com',
      'alan@example.com',
      'alan@example.com',
      'grace@example.com',
      'grace@example.com',
    ]);

    await opened.getByRole('button', { name: 'Subscribe again' }).click();
    expect(await opened.getByRole('heading', { name: 'again' }).textContent()).toBe(
      'You get “Weekly broadcast digest” again.',
    );
    await context.close();
    await view.close();
  });

  test('writes no token and no address into the logs of the function', async () => {
    const log = await readFile(join(root, 'state', 'logs', `${functionName('unsubscribe')}.log`), 'utf8');
    expect(log).toContain('Answered.');
    expect(log).not.toMatch(/eyJ|@example\.com/);
  });
});

test('a mail program unsubscribes with one click, without a browser, as the mail says (RFC 8058)', async () => {
  const root = await mkdtemp(join(tmpdir(), 'one-click-'));
  const account = await startSampleAccount({ asOf: firstMonday });
  const overlay = {
    service: { baseUrl: account.url },
    mail: { settleMinutes: 0 },
    reports: [
      {
        name: 'weekly',
        schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
        subscribers: ['ada+weekly@example.com'],
      },
    ],
  };
  const configuration = loadConfiguration({ overlay });
  const { credentials } = account;
  const system = await startSystem({ configuration, credentials, out: join(root, 'out'), state: join(root, 'state') });
  try {
    await system.lambda.executeDurable(functionName('run'), { report: 'weekly', scheduledTime: firstMonday });
    const [mail] = await readMails(join(root, 'out'));
    const header = (name: string) => mail?.email.headers.find(({ key }) => key === name)?.value ?? '';
    const link = header('list-unsubscribe').replaceAll(/[<>\s]/g, '');
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = () => fetch(link, { method: 'POST', headers: type, body: header('list-unsubscribe-post') });
    const statuses = [
      (await fetch(link)).status,
      (await fetch(link, { method: 'HEAD' })).status,
      (await post()).status,
      (await post()).status,
      (await fetch(`${link}x`, { method: 'POST' })).status,
    ];
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
    expect(await (await fetch(link)).text()).toContain('You have left');
  } finally {
    await system.close();
    await account.close();
    await rm(root, { recursive: true, maxRetries: 3 });
  }
});

/** What became of each message, by its address. */
function outcomes({ messages }: Receipt): Record<string, string> {
  return Object.fromEntries(messages.map(({ to, outcome }) => [to, outcome]));
}
