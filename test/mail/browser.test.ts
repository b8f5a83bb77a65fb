import { expect, test } from 'vitest';
import { browser, describeInBrowser, faultsIn, inspect } from '../support/browser.ts';
import { createDocuments, languages } from '../support/digests/corpus.ts';
import { english } from '../support/words.ts';

// One mail and one page with nearly all that there can be; browser.long.test.ts shows every one that is hard to fit.

/** What a page is served with: nothing but its own styles and pictures that are a part of it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const documents = await createDocuments();

describeInBrowser('in a browser', 240_000, () => {
  test('neither a mail nor a page scrolls sideways, lacks contrast or breaks another rule', async () => {
    const views = [
      [320, 'dark'],
      [600, 'light'],
    ] as const;
    expect(await inspect(await documents.mails(['every sort']), faultsIn(views, 'wcag'))).toEqual({});
    expect(await inspect(documents.pages(['a full week']), faultsIn(views, 'all'))).toEqual({});
  }, 60_000);

  test.each([
    ['a full week', 600, 1500],
    ['a full week', 320, 1950],
    ['one busy month', 600, 2200],
  ])('the mail of "%s" is at %i pixels at most %i high in each language', async (name, width, highest) => {
    const page = await browser.newPage({ viewport: { width, height: 400 } });
    for (const locale of languages) {
      const [[, html] = ['', '']] = await documents.mails([name], locale);
      await page.setContent(html);
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      console.info(`${name} at ${width}, ${locale}: ${height} pixels`);
      expect(height).toBeLessThanOrEqual(highest);
    }
    await page.close();
  });

  test('what stands alone to be pressed is 44 pixels high, and words are broken nowhere at 320', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 400 } });
    for (const [name, html] of await documents.mails(['a full week', 'every sort', 'one busy month'], 'de')) {
      await page.setContent(html);
      const low = await page.evaluate<string[]>(`[...document.querySelectorAll('.target, .press, .low')]
        .filter((link) => link.getBoundingClientRect().height < 44).map((link) => link.textContent)`);
      expect(low, name).toEqual([]);
      // A word that is broken stands in more than one line.
      const broken = await page.evaluate<string[]>(`(() => {
        const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const { index, 0: word } of node.data.matchAll(/[\\p{L}\\d]{2,}/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
          }
        }
        return found;
      })()`);
      expect(broken, name).toEqual([]);
    }
    await page.close();
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
    // Two needs, and 17 broadcasts.
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(19);
    expect(await page.locator('img').evaluate((image) => image.getBoundingClientRect().width)).toBeGreaterThan(50);
    const focus = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe('Midweek Five');
    expect([asked, faults]).toEqual([[], []]);
    // A link opens what it leads to.
    await page.getByRole('link', { name: /^Induction week/ }).click();
    expect(new URL(page.url()).hash).toBe('#broadcast-2');
    const ratings = page
      .getByRole('list', { name: english.say('ratings.heading') })
      .first()
      .getByRole('listitem');
    expect((await ratings.allInnerTexts()).map((rating) => rating.split(/\s+/).slice(-1))).toEqual([['19'], ['10']]);
    const quiz = english.say('item.name', { number: '2', type: 'Quiz' });
    expect(await page.getByRole('rowheader', { name: quiz }).isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe(english.say('details.open'));
    await context.close();
  });
});
