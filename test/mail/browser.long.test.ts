import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Messages } from '../../functions/domain/wording.ts';
import { createPages, pageKinds } from '../../functions/unsubscribe/answer.ts';
import {
  browser,
  describeInBrowser,
  everyWidth,
  faultsIn,
  inspect,
  withoutStyles,
  type Documents,
  type View,
} from '../support/browser.ts';
import { accounts, createDocuments, digestNamed, input, languages, renderMail } from '../support/digests/corpus.ts';
import { locales } from '../support/words.ts';

const withEverything = ['an incomplete week', 'a full week', 'every sort', 'everything unavailable', 'engaged only'];
const hardToFit = [...withEverything, 'a quiet week', 'long names', 'a season'];
/** Those whose pages are hard to fit into a phone, too. */
const ofPages = [...hardToFit, 'forty deliveries', 'hostile'];
const inBothSchemes = (width: number): readonly View[] => [
  [width, 'light'],
  [width, 'dark'],
];

/** What is to be seen, in the page: every word, and for each bar its share of the line and whether it has a colour. */
const visibleWordsAndBars = `(() => {
  const bars = [...document.querySelectorAll('.responded, .seen, .track, .mark')].map((bar) => {
    const row = bar.closest('tr')?.getBoundingClientRect().width ?? 0;
    const share = Math.round((20 * bar.getBoundingClientRect().width) / row);
    return share + (getComputedStyle(bar).backgroundColor === 'rgba(0, 0, 0, 0)' ? ' without colour' : '');
  });
  return document.body.innerText.replaceAll(/\\s+/g, ' ') + bars.join();
})()`;
const look = async (page: Page): Promise<string[]> => {
  await page.setViewportSize({ width: 600, height: 800 });
  return [String(await page.evaluate(visibleWordsAndBars))];
};

/** A language that there is not: the longest message of each, with every word of four letters or more a third longer. */
function stretchMessages(): Messages {
  const entries = Object.keys(locales.en).map((key) => {
    const wordings = Object.values(locales).map((messages) =>
      JSON.stringify(Object.entries(messages).find(([name]) => name === key)?.[1]),
    );
    const [longest = ''] = wordings.toSorted((one, other) => other.length - one.length);
    const stretched = longest.replaceAll(/"\w+":|\{\w+\}|\p{L}{4,}/gu, (word) =>
      /^["{]/.test(word) ? word : word + word.slice(-Math.ceil(word.length / 3)),
    );
    return [key, JSON.parse(stretched)] as const;
  });
  return Object.fromEntries(entries) as Messages;
}

const documents = await createDocuments();

const stretchedMails = async (): Promise<Documents> => {
  const stretched = { ...documents.templates, locales: { de: stretchMessages() } };
  const mails = Object.entries(accounts).map(async ([name, sample]) => {
    return [name, (await renderMail(stretched, name, sample, 'de')).html] as const;
  });
  return await Promise.all(mails);
};
const unsubscribePages = (): Documents => {
  const render = createPages(documents.templates, input(digestNamed('a quiet week')).mail);
  const longer = { name: 'monthly', title: 'Monatlich', every: 'month' } as const;
  return pageKinds.map((kind, index) => {
    const locale = languages[index % languages.length] ?? 'en';
    return [`${kind}, ${locale}`, render(kind, { title: 'Wöchentlich', locale }, longer)];
  });
};

describeInBrowser('every document in a browser', 240_000, () => {
  test.each<[string, () => Documents | Promise<Documents>, readonly View[], 'wcag'?]>([
    ['mail in long words', stretchedMails, everyWidth],
    ['mail', () => documents.mails(withEverything), inBothSchemes(600), 'wcag'],
    [
      'mail without its stylesheet',
      async () => withoutStyles(await documents.mails(hardToFit)),
      [[320, 'light']],
      'wcag',
    ],
    ['page behind an unsubscribe link', unsubscribePages, inBothSchemes(320), 'wcag'],
    ['page that is hard to fit', () => documents.pages(ofPages), everyWidth],
  ])('no %s scrolls sideways, lacks contrast or breaks another rule', async (_, documentsOf, views, held) => {
    expect(await inspect(await documentsOf(), faultsIn(views, held))).toEqual({});
  });

  test('without any stylesheet nothing is lost: the same words, and bars of the same widths', async () => {
    const mails = await documents.mails(hardToFit);
    expect(await inspect(withoutStyles(mails), look)).toEqual(await inspect(mails, look));
  });

  test('a page in print cuts no row, begins on the first sheet, and is light', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    const page = await context.newPage();
    const [[, html] = ['', '']] = documents.pages(['forty deliveries']);
    await page.setContent(html);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const styles = await page.evaluate(`(() => {
      const styleOf = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      return [
        styleOf('.mj-column-per-100', 'display'),
        styleOf('.rows tbody tr', 'breakInside'),
        styleOf('.rows thead', 'display'),
        styleOf('.card', 'backgroundColor'),
        styleOf('.card h1', 'color'),
        styleOf('.whole', 'printColorAdjust'),
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
