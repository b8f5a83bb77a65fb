import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPageRenderer } from '../../functions/render/page.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { accounts } from '../support/digests/corpus.ts';

/** What a page is served with: nothing but its own styles and pictures that are a part of it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const origin = 'https://pages.example.com';
/** The pages that have everything that a page can show. */
const complete = ['an incomplete week', 'a full week'];
/** Those that are hard to fit into a phone, too. */
const shown = [
  ...complete,
  'one broadcast with 40 deliveries',
  'hostile',
  'long names',
  'numbers of millions',
  'ratings of a long scale',
  'an empty week',
];
const findingsSchema = v.object({
  violations: v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) })),
});
const earlier = [
  { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/earlier' },
  { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier-still' },
];

describe.skipIf(!hasBrowser)('a page in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let axe: string;
  let pages: Map<string, string>;

  beforeAll(async () => {
    browser = await startBrowser();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const { renderPage } = createPageRenderer(await loadTemplates('templates', 'pictures/logo.png'));
    pages = new Map(
      shown.flatMap((account, index) => {
        const sample = accounts[account];
        if (sample === undefined) throw new Error(`There is no account "${account}".`);
        // Languages that are longer than English, too.
        const report = { ...sample.report, locale: ['en', 'de', 'fr'][index % 3] ?? 'en' };
        return [[account, renderPage({ ...sample, report, csv: 'rows.csv', earlier })] as const];
      }),
    );
  });
  afterAll(() => browser?.close());

  /** A context in which each page is served under its strict policy; whatever else is asked for is refused and noted. */
  async function open(
    options: Parameters<Browser['newContext']>[0],
  ): Promise<{ context: BrowserContext; asked: string[] }> {
    const context = await browser.newContext(options);
    const asked: string[] = [];
    await context.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      const body = pages.get(decodeURIComponent(pathname.slice(1)));
      if (body === undefined) {
        asked.push(route.request().url());
        return await route.abort();
      }
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
      return await route.fulfill({ body, headers });
    });
    return { context, asked };
  }

  /** Finds something in some pages, under one scheme and at one width. */
  async function inspect(
    accounts: readonly string[],
    view: { colorScheme: 'light' | 'dark'; width: number },
    find: (page: Page) => Promise<string[]>,
  ): Promise<Record<string, string[]>> {
    const { context } = await open({ colorScheme: view.colorScheme, viewport: { width: view.width, height: 800 } });
    const page = await context.newPage();
    const found: Record<string, string[]> = {};
    for (const account of accounts) {
      await page.goto(`${origin}/${encodeURIComponent(account)}`);
      const findings = await find(page);
      if (findings.length > 0) found[account] = findings;
    }
    await context.close();
    return found;
  }

  /** Every rule of axe, best practices included. */
  async function findWithAxe(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const result: unknown = await page.evaluate(
      "axe.run(document, { resultTypes: ['violations'], elementRef: false })",
    );
    return v
      .parse(findingsSchema, result)
      .violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)}`);
  }

  test.each([
    { width: 320, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
    { width: 600, colorScheme: 'light' },
    { width: 600, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ] as const)('has nothing that axe finds at $width px, $colorScheme', async (view) => {
    expect(await inspect(complete, view, findWithAxe)).toEqual({});
  });

  test.each([320, 1280])('does not scroll sideways at %i px', async (width) => {
    const found = await inspect(shown, { colorScheme: 'light', width }, async (page) => {
      const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      return over > 0 ? [`${over} pixels too wide`] : [];
    });
    expect(found).toEqual({});
  });

  test('without scripts and under its policy is whole, asks for nothing, and is read by keyboard', async () => {
    const { context, asked } = await open({ javaScriptEnabled: false, viewport: { width: 600, height: 800 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(`${origin}/${encodeURIComponent('an incomplete week')}`);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(7);
    expect(await page.getByRole('rowheader', { name: /^2 Rating/ }).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Ratings' }).getByRole('listitem').allInnerTexts()).toEqual(
      [5, 4, 3, 2, 1].map((rating, place) => expect.stringMatching(`^Rated ${rating}\\s+${[32, 19, 8, 3, 2][place]}$`)),
    );
    expect(await page.locator('img').evaluate((image) => image.getBoundingClientRect().width)).toBeGreaterThan(50);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Download all figures (CSV)');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('href')).toBe('/earlier');
    expect([asked, faults]).toEqual([[], []]);
    await page.getByRole('link', { name: 'Lifeguard rota: swaps' }).first().click();
    expect(new URL(page.url()).hash).toBe('#broadcast-4');
    await context.close();
  });

  test.each(['A4', 'Letter'] as const)(
    'printed on %s cuts no row, begins on the first sheet, and is light',
    async (format) => {
      const { context } = await open({ colorScheme: 'dark' });
      const page = await context.newPage();
      await page.goto(`${origin}/${encodeURIComponent('one broadcast with 40 deliveries')}`);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(
        await page.evaluate(`(() => {
        const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
        return {
          column: styleOf('.mj-column-per-100').display,
          row: styleOf('.d tbody tr').breakInside,
          heads: styleOf('.d thead').display,
          ground: styleOf('.card').backgroundColor,
          ink: styleOf('.card h1').color,
          bars: styleOf('.d i').printColorAdjust,
        };
      })()`),
      ).toEqual({
        column: 'block',
        row: 'avoid',
        heads: 'table-header-group',
        ground: 'rgb(255, 255, 255)',
        ink: 'rgb(23, 33, 43)',
        bars: 'exact',
      });
      // 43 rows take no more than four sheets: a block that cannot be cut would leave the first one empty.
      const sheets = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
      expect(sheets).toBeGreaterThan(1);
      expect(sheets).toBeLessThan(5);
      await context.close();
    },
  );
});
