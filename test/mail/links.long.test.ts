import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import type { Receipt } from '../../functions/run/receipt/receipt.ts';
import type { HttpResponse } from '../../functions/links/public-function.ts';
import { startHttpApi } from '../../infra/local/local-front.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { functionName } from '../../infra/local/system.ts';
import { startOutboxView } from '../../infra/local/viewer/outbox-view.ts';
import { browser, describeInBrowser } from '../support/browser.ts';
import { readMails } from '../support/start-folders.ts';
import { startSystemOf, type SystemOf } from '../support/system.ts';
import { english } from '../support/words.ts';

const httpResponse = v.custom<HttpResponse>((answer) => typeof Object(answer).statusCode === 'number');

const mondays = { '2026-W45': '2026-11-09T08:00:00Z', '2026-W46': '2026-11-16T08:00:00Z' } as const;

const account = await startSampleAccount({ asOf: mondays['2026-W46'] });
const invoke = async (name: 'unsubscribe' | 'page', event: unknown) =>
  v.parse(httpResponse, await system.lambda.invoke(functionName(name), event));
const front = await startHttpApi(['unsubscribe', 'page'], invoke, 0);
const settings = { mail: { settleMinutes: 0, page: true } };
const system: SystemOf = await startSystemOf(account, { settings, environment: { PUBLIC_URL: front.url } });
afterAll(() => Promise.all([system, front, account].map((part) => part.close())));

async function run(period: keyof typeof mondays): Promise<Receipt> {
  await system.carryOut({ report: 'weekly', scheduledTime: mondays[period] });
  return await system.receiptOf('weekly', period);
}

async function mailOf({ messages }: Receipt, address: string) {
  const sent = messages.find(({ to }) => to === address);
  const mail = (await readMails(system.out)).find(({ messageId }) => messageId === sent?.messageId);
  if (mail === undefined) throw new Error(`There is no mail to ${address}.`);
  return mail;
}

describeInBrowser('the links of mails, in a browser', 120_000, () => {
  let second: Receipt;

  test('who unsubscribes by a click gets nothing from the next week on, is told why, and can come back on the same page', async () => {
    const first = await run('2026-W45');
    const view = await startOutboxView({ outDir: system.out });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${view.url}/${(await mailOf(first, 'ada@example.com')).messageId}`);
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page
        .frameLocator('iframe')
        .getByRole('link', { name: english.say('leave.link') })
        .click(),
    ]);
    const expectHeading = async (key: 'page.ask' | 'page.left' | 'page.returned') => {
      await opened.getByRole('heading', { name: english.say(key, { title: 'Weekly broadcast digest' }) }).waitFor();
    };
    await expectHeading('page.ask');
    await opened.getByRole('button', { name: english.say('page.leave') }).click();
    await expectHeading('page.left');

    second = await run('2026-W46');
    expect(second.messages.map(({ outcome }) => outcome)).toEqual(['unsubscribed', 'sent', 'sent']);
    await opened.getByRole('button', { name: english.say('page.return') }).click();
    await expectHeading('page.returned');
    await context.close();
    await view.close();
  });

  test('the page is the whole digest, leads to the week before and never back, and gives the workbook', async () => {
    const { email } = await mailOf(second, 'grace@example.com');
    const links = [...(email.html ?? '').matchAll(/<a [^>]*?href="(http:[^"#]*\/page\/[^"#]*)"/g)];
    expect(links.length).toBe(1);
    const context = await browser.newContext({ acceptDownloads: true, javaScriptEnabled: false });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const answer = await page.goto(links[0]?.[1] ?? '');
    expect(answer?.status()).toBe(200);
    expect(await page.title()).toMatch(/\b15\b.*November/);
    expect(await page.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(12);
    expect(email.attachments.filter(({ filename }) => filename?.endsWith('.xlsx'))).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: '.xlsx' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('weekly_2026-W46.xlsx');
    // What a zip begins with.
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK');
    await page.getByRole('link', { name: '2 Nov', exact: true }).click();
    expect(await page.title()).toMatch(/\b2\b.*\b8\b.*November/);
    expect(await page.getByRole('link', { name: '9 Nov', exact: true }).count()).toBe(0);
    expect(refused).toEqual([]);
    await context.close();
  });
});
