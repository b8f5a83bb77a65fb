import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { functionName, startSystem, type System } from '../../infra/local/system.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { readMails } from '../support/start-folders.ts';

const mondays = ['2026-11-09T08:00:00Z', '2026-11-16T08:00:00Z'];

describe.skipIf(!hasBrowser)('the page behind a mail, in a browser', { timeout: 120_000 }, () => {
  let root: string;
  let browser: Browser;
  let account: Awaited<ReturnType<typeof startSampleAccount>>;
  let system: System;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'page-'));
    browser = await startBrowser();
    account = await startSampleAccount({ asOf: mondays.at(-1) ?? '' });
    const configuration = loadConfiguration({
      overlay: { service: { baseUrl: account.url }, mail: { settleMinutes: 0, page: true } },
    });
    const { credentials } = account;
    system = await startSystem({ configuration, credentials, out: join(root, 'out'), state: join(root, 'state') });
    for (const scheduledTime of mondays) {
      requireCarriedOut(await system.lambda.executeDurable(functionName('run'), { report: 'weekly', scheduledTime }));
    }
  }, 120_000);
  afterAll(async () => {
    await system?.close();
    await account?.close();
    await browser?.close();
    await rm(root, { recursive: true, maxRetries: 3 });
  });

  test('is the whole digest, leads to the week before and never back, and gives the file that is attached', async () => {
    const mails = await readMails(join(root, 'out'));
    const mail = mails.find(({ to, email }) => to === 'ada@example.com' && /\b15\b/.test(email.subject ?? ''));
    const links = [...(mail?.email.html ?? '').matchAll(/<a href="([^"]*)"[^>]*>See everything<\/a>/g)];
    expect(links.length).toBe(2);
    const context = await browser.newContext({ acceptDownloads: true, javaScriptEnabled: false });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const answer = await page.goto(links[0]?.[1] ?? '');
    expect([answer?.status(), await page.title()]).toEqual([
      200,
      expect.stringMatching(/^Weekly broadcast digest, .*\b15\b.* 2026$/),
    ]);
    expect(await page.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(12);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all figures (CSV)' }).click(),
    ]);
    const attached = mail?.email.attachments.find(({ filename }) => filename?.endsWith('.csv'));
    expect(download.suggestedFilename()).toBe(attached?.filename);
    expect(await readFile(await download.path())).toEqual(
      Buffer.from(new Uint8Array(await new Response(attached?.content).arrayBuffer())),
    );
    expect((await page.pdf({ format: 'A4' })).byteLength).toBeGreaterThan(20_000);

    await page.getByRole('link', { name: /^Previous digest/ }).click();
    expect(await page.title()).toMatch(/\b2\b.*\b8\b.* 2026$/);
    expect(await page.getByRole('link', { name: /\b15\b.*2026/ }).count()).toBe(0);
    expect(refused).toEqual([]);
    await context.close();
  });
});
