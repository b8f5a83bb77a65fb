import type { AxeResults } from 'axe-core';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Messages } from '../../functions/domain/wording.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import type { RenderInput } from '../../functions/render/render.ts';
import { createPages, pageKinds } from '../../functions/unsubscribe/answer.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { accounts, htmlWithPictures, languages, renderMail } from '../support/digests/corpus.ts';
import { digest, input } from '../support/digests/pieces.ts';

/** What a page is served with: nothing but its own styles and pictures that are a part of it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const earlier = [
  { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/earlier' },
  { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier-still' },
];
/** The accounts that have, together, everything that a mail and a page can show. */
const complete = ['an incomplete week', 'a full week'];
const withEverything = [...complete, 'everything unavailable', 'an empty week', 'nothing but text'];
const hardToFit = [...withEverything, 'long names', 'numbers of millions'];
/** Those whose pages are hard to fit into a phone, too. */
const ofPages = [...hardToFit, 'one broadcast with 40 deliveries', 'hostile', 'ratings of a long scale'];

type Documents = readonly (readonly [name: string, html: string])[];

/** A window's width, with the user's colour scheme. */
type View = readonly [width: number, scheme: 'light' | 'dark'];
const inBothSchemes = (width: number): readonly View[] => [
  [width, 'light'],
  [width, 'dark'],
];
const everyWidth: readonly View[] = [320, 600, 1280].map((width) => [width, width === 600 ? 'dark' : 'light']);

/** The rules of axe that a document is held to: those of WCAG, or its best practices, too. */
const rules = { wcag: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }, all: {} };

const withoutStyles = (documents: Documents): Documents =>
  documents.map(([name, html]) => [name, html.replaceAll(/<style[\s\S]*?<\/style>/g, '')] as const);

/** What is to be seen, in the page: every word, and for each bar its share of the line and whether it has a colour. */
const visibleWordsAndBars = `(() => {
  const bars = [...document.querySelectorAll('.f, .g, .k, .t, .u')].map((bar) => {
    const row = bar.closest('tr')?.getBoundingClientRect().width ?? 0;
    const share = Math.round((20 * bar.getBoundingClientRect().width) / row);
    return share + (getComputedStyle(bar).backgroundColor === 'rgba(0, 0, 0, 0)' ? ' without colour' : '');
  });
  return document.body.innerText.replaceAll(/\\s+/g, ' ') + bars.join();
})()`;

function sampleOf(account: string): RenderInput {
  const sample = accounts[account];
  if (sample === undefined) throw new TypeError(`There is no account "${account}".`);
  return sample;
}

const look = async (page: Page): Promise<string[]> => {
  await page.setViewportSize({ width: 600, height: 800 });
  return [String(await page.evaluate(visibleWordsAndBars))];
};

/** A language that there is not: the longest message of each, with every word of four letters or more a third longer. */
function stretchMessages(locales: Readonly<Record<string, Messages>>): Messages {
  const all = languages.map((language) => locales[language] ?? {});
  const entries = Object.keys(all[0] ?? {}).map((key) => {
    const said = all.map((messages) => JSON.stringify(Object.entries(messages).find(([name]) => name === key)?.[1]));
    const [longest = ''] = said.toSorted((one, other) => other.length - one.length);
    const stretched = longest.replaceAll(/"\w+":|\{\w+\}|\p{L}{4,}/gu, (word) =>
      /^["{]/.test(word) ? word : word + word.slice(-Math.ceil(word.length / 3)),
    );
    return [key, JSON.parse(stretched)] as const;
  });
  return Object.fromEntries(entries) as Messages;
}

// Looking at many documents takes long where the machine is busy with other tests.
describe.skipIf(!hasBrowser)('in a browser', { timeout: 240_000 }, () => {
  let browser: Browser;
  let axe: string;
  let templates: Awaited<ReturnType<typeof loadTemplates>>;
  let mailOf: (account: string, locale?: string) => string;
  let pageOf: (account: string, locale?: string) => string;

  beforeAll(async () => {
    browser = await startBrowser();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    templates = await loadTemplates('templates', 'pictures/logo.png');
    const { renderPage } = createPageRenderer(templates);
    mailOf = (account, locale = 'en') => htmlWithPictures(renderMail(templates, account, sampleOf(account), locale));
    pageOf = (account, locale = 'en') => {
      const sample = sampleOf(account);
      return renderPage({ ...sample, report: { ...sample.report, locale }, files: '', earlier });
    };
  });
  afterAll(() => browser?.close());

  const mails = (names: readonly string[]): Documents => names.map((name) => [name, mailOf(name)] as const);

  /** Shows each of some documents in turn, and gives what was found in them, by their names. */
  async function inspect(
    documents: Documents,
    find: (page: Page) => Promise<string[]>,
  ): Promise<Record<string, string[]>> {
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } });
    const found: Record<string, string[]> = {};
    const page = await context.newPage();
    for (const [name, html] of documents) {
      await page.setContent(html, { waitUntil: 'domcontentloaded' });
      const findings = await find(page);
      if (findings.length > 0) found[name] = findings;
    }
    await context.close();
    return found;
  }

  /** What axe finds in each view, and the pixels by which the document is wider than the window. */
  const faultsIn = (views: readonly View[], held?: keyof typeof rules) => async (page: Page) => {
    const found: string[] = [];
    for (const [width, colorScheme] of views) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      if (held !== undefined) found.push(...(await findWithAxe(page, held)));
      const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      if (over > 0) found.push(`${over} pixels too wide at ${width}, ${colorScheme}`);
    }
    return found;
  };

  async function findWithAxe(page: Page, held: keyof typeof rules): Promise<string[]> {
    // The next document is in the same window, which has it from then on.
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
    const options = { resultTypes: ['violations'], elementRef: false, ...rules[held] };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
    return violations.map(
      ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
    );
  }

  test('the inspection finds a fault where there is one', async () => {
    const faulty = `<!doctype html><html><title>A</title><body style="background:#fff"><p style="color:#bbb">faint</p>
      <table width="400"><tr><td>wide</td></tr></table></body></html>`;
    const { faulty: findings = [] } = await inspect([['faulty', faulty]], faultsIn([[320, 'light']], 'wcag'));
    expect(findings.map((finding) => finding.replace(/^\d+ pixels/, '').split(' ')[0])).toEqual([
      'color-contrast',
      'html-has-lang',
      '',
    ]);
  });

  /** Every mail in words that are a third longer than the longest of all languages. */
  function stretchedMails(): Documents {
    const messages = stretchMessages(templates.locales);
    expect(messages['new.heading']).toBe('Nouveautésutés');
    const stretched = { ...templates, locales: { de: messages } };
    return Object.entries(accounts).map(([account, sample]) => [
      account,
      renderMail(stretched, account, sample, 'de').html,
    ]);
  }

  function unsubscribePages(): Documents {
    const render = createPages(templates, input(digest()).mail);
    return pageKinds.map((kind, index) => {
      const locale = languages[index % languages.length] ?? 'en';
      return [`${kind}, ${locale}`, render(kind, { title: 'Wöchentlich', locale })];
    });
  }

  /** The pages of some accounts, each in the next language. */
  const pages = (names: readonly string[]): Documents =>
    names.map((name, index) => [name, pageOf(name, languages[index % languages.length])] as const);

  // No language has colours or elements of its own.
  test.each<[string, () => Documents, readonly View[], (keyof typeof rules)?]>([
    ['mail in long words', stretchedMails, everyWidth],
    ['mail', () => mails(withEverything), inBothSchemes(600), 'wcag'],
    ['mail without its stylesheet', () => withoutStyles(mails(hardToFit)), [[320, 'light']], 'wcag'],
    ['page behind an unsubscribe link', unsubscribePages, inBothSchemes(320), 'wcag'],
    ['page of a digest', () => pages(complete), everyWidth, 'all'],
    ['page that is hard to fit', () => pages(ofPages), everyWidth],
  ])('no %s scrolls sideways, lacks contrast or breaks another rule', async (_, documents, views, held) => {
    expect(await inspect(documents(), faultsIn(views, held))).toEqual({});
  });

  test('without any stylesheet nothing is lost: the same words, and bars of the same widths', async () => {
    const documents = mails(hardToFit);
    expect(await inspect(withoutStyles(documents), look)).toEqual(await inspect(documents, look));
  });

  test('a page without scripts and under its policy is whole, asks for nothing, and is read by keyboard', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 600, height: 800 } });
    const address = 'https://pages.example.com/page';
    const asked: string[] = [];
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    await context.route('**/*', async (route) => {
      const url = route.request().url();
      if (url === address) return await route.fulfill({ body: pageOf('a full week'), headers });
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
    expect(await page.getByRole('rowheader', { name: /^\d (?:Rating|Quiz)/ }).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Ratings' }).getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Rated 3\s+12$/),
    ]);
    expect(await page.locator('img').evaluate((image) => image.getBoundingClientRect().width)).toBeGreaterThan(50);
    const focus = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe('Plant room inspection');
    expect([asked, faults]).toEqual([[], []]);
    // A link opens what it leads to.
    await page
      .getByRole('row', { name: /^Induction week/ })
      .getByRole('link')
      .click();
    expect(new URL(page.url()).hash).toBe('#broadcast-2');
    expect(await page.getByRole('rowheader', { name: '2 Quiz' }).isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focus.innerText()).toBe('Open the broadcast');
    await context.close();
  });

  test('a page in print cuts no row, begins on the first sheet, and is light', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    const page = await context.newPage();
    await page.setContent(pageOf('one broadcast with 40 deliveries'));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const styles = await page.evaluate(`(() => {
      const styleOf = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      return [
        styleOf('.mj-column-per-100', 'display'),
        styleOf('.d tbody tr', 'breakInside'),
        styleOf('.d thead', 'display'),
        styleOf('.card', 'backgroundColor'),
        styleOf('.card h1', 'color'),
        styleOf('.d i', 'printColorAdjust'),
      ];
    })()`);
    const [white, ink] = ['rgb(255, 255, 255)', 'rgb(23, 33, 43)'];
    expect(styles).toEqual(['block', 'avoid', 'table-header-group', white, ink, 'exact']);
    // 43 rows take no more than four sheets: a block that cannot be cut would leave the first one empty.
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
      expect(sheets).toBeGreaterThan(1);
      expect(sheets).toBeLessThan(5);
    }
    await context.close();
  });
});
