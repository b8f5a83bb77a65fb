import type { AxeResults } from 'axe-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

/** Debian's Chromium. */
const executablePath = '/usr/bin/chromium';

const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn(`Skipped: no browser at ${executablePath} (apt-get install chromium).`);

/** The browser of a file that describes something in one. */
export let browser: Browser;

/** Describes what is to be seen in a browser, which asks nothing of the network by itself. Where there is none, that is skipped. */
export function describeInBrowser(what: string, timeout: number, body: () => void): void {
  describe.skipIf(!hasBrowser)(what, { timeout }, () => {
    beforeAll(async () => {
      const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'];
      browser = await chromium.launch({ executablePath, args });
    });
    afterAll(() => browser?.close());
    body();
  });
}

export type Documents = ReadonlyArray<readonly [name: string, html: string]>;

/** Shows each of some documents in turn, and gives what was found in them, by their names. */
export async function inspect(documents: Documents, find: (page: Page) => Promise<string[]>) {
  const context = await browser.newContext({ viewport: { width: 320, height: 800 } });
  const page = await context.newPage();
  const findings: Record<string, string[]> = {};
  for (const [name, html] of documents) {
    await page.setContent(html, { waitUntil: 'domcontentloaded' });
    const faults = await find(page);
    if (faults.length > 0) findings[name] = faults;
  }
  await context.close();
  return findings;
}

/** A window's width, with the user's colour scheme. */
export type View = readonly [width: number, scheme: 'light' | 'dark'];
export const everyWidth: readonly View[] = [
  [320, 'light'],
  [600, 'dark'],
  [1280, 'light'],
];

/** The rules of axe that a document is held to: those of WCAG, or its best practices, too. */
const rules = { wcag: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }, all: {} };

/** What axe finds in each view, and the pixels by which the document is wider than the window. */
export const faultsIn = (views: readonly View[], held?: keyof typeof rules) => async (page: Page) => {
  const faults: string[] = [];
  for (const [width, colorScheme] of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    if (held !== undefined) faults.push(...(await findWithAxe(page, held)));
    const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
    if (over > 0) faults.push(`${over} pixels too wide at ${width}, ${colorScheme}`);
  }
  return faults;
};

async function findWithAxe(page: Page, held: keyof typeof rules): Promise<string[]> {
  // The next document is in the same window, which has it from then on.
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const options = { resultTypes: ['violations'], elementRef: false, ...rules[held] };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(
    ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
  );
}

export const withoutStyles = (documents: Documents): Documents =>
  documents.map(([name, html]) => [name, html.replaceAll(/<style[\s\S]*?<\/style>/g, '')] as const);
