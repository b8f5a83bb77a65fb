import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPages, type PageKind } from '../../functions/unsubscribe/page.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import {
  accounts,
  htmlWithPictures,
  languages,
  renderCorpus,
  renderMail,
  type CorpusMail,
} from '../support/digests/corpus.ts';
import { stretchMessages } from './stretched-messages.ts';

const schemes = ['light', 'dark'] as const;
const findingsSchema = v.object({
  violations: v.array(
    v.object({
      id: v.string(),
      impact: v.nullable(v.string()),
      nodes: v.array(v.object({ html: v.string(), failureSummary: v.optional(v.string()) })),
    }),
  ),
});

const scrollsSideways = async (page: Page): Promise<string[]> => {
  const width = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  return Number(width) > 0 ? [`${String(width)} pixels too wide`] : [];
};

const scrollsSidewaysAtEachWidth = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [320, 600, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const finding of await scrollsSideways(page)) found.push(`${finding} at ${width}`);
  }
  return found;
};

/** What is to be seen, in the page: every word, and for each bar its share of the line and whether it has a colour. */
const visibleWordsAndBars = `(() => {
  const bars = [...document.querySelectorAll('.f, .g, .k')].map((bar) => {
    const row = bar.closest('tr')?.getBoundingClientRect().width ?? 0;
    const share = Math.round((20 * bar.getBoundingClientRect().width) / row);
    return share + (getComputedStyle(bar).backgroundColor === 'rgba(0, 0, 0, 0)' ? ' without colour' : '');
  });
  return document.body.innerText.replaceAll(/\\s+/g, ' ') + bars.join();
})()`;

const look = async (page: Page): Promise<string[]> => [String(await page.evaluate(visibleWordsAndBars))];

// Looking at every mail takes long where the machine is busy with other tests.
describe.skipIf(!hasBrowser)('in a browser', { timeout: 240_000 }, () => {
  let browser: Browser;
  let axe: string;
  let corpus: CorpusMail[];

  beforeAll(async () => {
    browser = await startBrowser();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    corpus = await renderCorpus();
  });
  afterAll(() => browser?.close());

  /** Shows each of some documents in turn, and gives what was found in them, by their names. */
  async function inspect(
    documents: readonly (readonly [name: string, html: string])[],
    view: { scheme: (typeof schemes)[number]; width: number },
    find: (page: Page) => Promise<string[]>,
  ): Promise<Record<string, string[]>> {
    const context = await browser.newContext({
      colorScheme: view.scheme,
      viewport: { width: view.width, height: 800 },
    });
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

  async function findWithAxe(page: Page): Promise<string[]> {
    // The next document is in the same window, which has it from then on.
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
    const result: unknown = await page.evaluate(
      "axe.run(document, { resultTypes: ['violations'], elementRef: false })",
    );
    return v
      .parse(findingsSchema, result)
      .violations.filter(({ id, impact }) => id === 'color-contrast' || impact === 'critical' || impact === 'serious')
      .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`);
  }

  const findAll = async (page: Page): Promise<string[]> => [
    ...(await findWithAxe(page)),
    ...(await scrollsSideways(page)),
  ];

  const shown = (): [string, string][] =>
    corpus.map((mail) => [`${mail.account}, ${mail.locale}`, htmlWithPictures(mail)]);

  test('the inspection finds a fault where there is one', async () => {
    const faulty = `<!doctype html><html><title>A</title><body style="background:#fff"><p style="color:#bbb">faint</p>
      <table width="400"><tr><td>wide</td></tr></table></body></html>`;
    const view = { scheme: 'light', width: 320 } as const;
    expect(await inspect([['faulty', faulty]], view, scrollsSideways)).toEqual({
      faulty: [expect.stringMatching(/too wide$/)],
    });
    const { faulty: findings = [] } = await inspect([['faulty', faulty]], view, findWithAxe);
    expect(findings.map((finding) => finding.split(' ')[0])).toEqual(['color-contrast', 'html-has-lang']);
  });

  test('no mail scrolls sideways at 320, 600 and 1280 pixels', async () => {
    expect(await inspect(shown(), { scheme: 'light', width: 320 }, scrollsSidewaysAtEachWidth)).toEqual({});
  });

  test('no mail scrolls sideways at 320 pixels in words a third longer than the longest of all languages', async () => {
    const templates = await loadTemplates('templates');
    const locales = { de: stretchMessages(languages.map((language) => templates.locales[language])) };
    const mails = Object.entries(accounts).map(
      ([account, sample]) => [account, renderMail({ ...templates, locales }, account, sample, 'de').html] as const,
    );
    expect(await inspect(mails, { scheme: 'light', width: 320 }, scrollsSideways)).toEqual({});
  });

  test.each(schemes)('every mail has no critical or serious finding and enough contrast, %s', async (scheme) => {
    // No language has colours or elements of its own: the others are shown with the mails that have every section.
    const inAllLanguages = /^(?:an incomplete week|everything unavailable|an empty week),/;
    const mails = shown().filter(
      ([name]) => name.endsWith(', en') || (scheme === 'light' && inAllLanguages.test(name)),
    );
    expect(await inspect(mails, { scheme, width: 600 }, findWithAxe)).toEqual({});
  });

  test('without any stylesheet nothing is lost: the same words, bars of the same widths, readable, not too wide', async () => {
    const mails = shown().filter(([name]) => name.endsWith(', en'));
    const without = mails.map(([name, html]) => [name, html.replaceAll(/<style[\s\S]*?<\/style>/g, '')] as const);
    const view = { scheme: 'light', width: 320 } as const;
    expect(await inspect(without, view, look)).toEqual(await inspect(mails, view, look));
    expect(await inspect(without, view, findAll)).toEqual({});
  });

  test.each(schemes)('every page behind the unsubscribe link has none either, at 320 pixels, %s', async (scheme) => {
    const templates = await loadTemplates('templates');
    const { mail } = loadConfiguration();
    const render = createPages(templates, mail);
    const kinds = ['ask', 'left', 'returned', 'invalid', 'expired', 'busy'] satisfies PageKind[];
    const pages = kinds.flatMap((kind) =>
      languages.map((locale) => [`${kind}, ${locale}`, render(kind, { title: 'Wöchentlich', locale })] as const),
    );
    expect(await inspect(pages, { scheme, width: 320 }, findAll)).toEqual({});
  });
});
