import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyWidth, faultsIn, hasBrowser, inspect, startBrowser, withoutStyles } from '../support/browser.ts';
import { createDocuments } from '../support/digests/corpus.ts';
import { english } from '../support/words.ts';

// One mail and one page with nearly all that there can be; browser.long.test.ts shows every one that is hard to fit.

/** What a page is served with: nothing but its own styles and pictures that are a part of it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

describe.skipIf(!hasBrowser)('in a browser', { timeout: 240_000 }, () => {
  let browser: Browser;
  let documents: Awaited<ReturnType<typeof createDocuments>>;

  beforeAll(async () => {
    [browser, documents] = await Promise.all([startBrowser(), createDocuments()]);
  });
  afterAll(() => browser?.close());

  test('neither a mail nor a page scrolls sideways, lacks contrast or breaks another rule', async () => {
    const mails = documents.mails(['an incomplete week']);
    expect(await inspect(browser, mails, faultsIn(everyWidth, 'wcag'))).toEqual({});
    expect(await inspect(browser, withoutStyles(mails), faultsIn([[320, 'light']], 'wcag'))).toEqual({});
    expect(await inspect(browser, documents.pages(['a full week']), faultsIn(everyWidth, 'all'))).toEqual({});
  });

  test('a page without scripts and under its policy is whole, asks for nothing, and is read by keyboard', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 600, height: 800 } });
    const address = 'https://pages.example.com/page';
    const asked: string[] = [];
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    const [[, body] = ['', '']] = documents.pages(['a full week']);
    await context.route('**/*', async (route) => {
      const url = route.request().url();
      if (url === address) return await route.fulfill({ body, headers });
      asked.push(url);
      return await route.abort();
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(address);
    expect(await page.getByRole('main').count()).toBe(1);
    // What needs somebody is named in the box and open below; the others are closed.
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(7);
    const ratings = page.getByRole('list', { name: english.say('csv.ratings') }).getByRole('listitem');
    expect((await ratings.allInnerTexts()).map((rating) => rating.split(/\s+/).slice(-1))).toEqual([['12']]);
    expect(await page.locator('img').evaluate((image) => image.getBoundingClientRect().width)).toBeGreaterThan(50);
    const focus = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe('Plant room inspection');
    expect([asked, faults]).toEqual([[], []]);
    // A link opens what it leads to.
    const link = page.getByRole('row', { name: /^Induction week/ }).getByRole('link');
    await link.click();
    expect(new URL(page.url()).hash).toBe('#broadcast-2');
    const quiz = english.say('item.name', { number: '2', type: english.say('type.quiz') });
    expect(await page.getByRole('rowheader', { name: quiz }).isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe(english.say('details.open'));
    await context.close();
  });
});
