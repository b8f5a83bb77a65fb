import { beforeAll, expect, test } from 'vitest';
import type { DigestBroadcast, Digest, DigestDelivery } from '../../functions/domain/digest.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import type { RenderInput } from '../../functions/render/render.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { accounts, renderCorpus, type CorpusMail } from '../support/digests/corpus.ts';
import english from '../../templates/locales/en.json' with { type: 'json' };
import french from '../../templates/locales/fr.json' with { type: 'json' };
import german from '../../templates/locales/de.json' with { type: 'json' };
import { visibleText } from '../support/visible-text.ts';

const messages = { en: english, de: german, fr: french };
let corpus: CorpusMail[];

beforeAll(async () => {
  corpus = await renderCorpus();
});

/** What was found in the mails of the corpus, each read beside the digest that it is of. */
function findings(find: (mail: CorpusMail, input: RenderInput) => readonly unknown[]): Record<string, unknown> {
  const entries = corpus.map((mail) => {
    const input = accounts[mail.account];
    return [`${mail.account}, ${mail.locale}`, input === undefined ? ['no digest'] : find(mail, input)] as const;
  });
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}

/** All numbers of a text. */
function numbersIn(text: string): number[] {
  return (text.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** The figures of each row of a page's tables: the content items of a broadcast, and its deliveries where there are several. */
function rowsOfDetails(broadcast: DigestBroadcast, digest: Digest): number[][] {
  const { seen, responded, contents, deliveries } = broadcast;
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const items = seen === 0 && responded === 0 ? [] : (contents ?? []);
  return [
    ...items
      .filter((item) => item.seen !== null && item.responded !== null)
      .map(({ id }) => {
        const all = own.flatMap((delivery) => delivery.contents?.filter((item) => item.id === id) ?? []);
        const counts = new Map<string, number>();
        for (const [rating, count] of all.flatMap(({ ratings }) => Object.entries(ratings?.histogram ?? {}))) {
          counts.set(rating, (counts.get(rating) ?? 0) + count);
        }
        return figuresOfList(all).concat([...counts.values()]);
      }),
    ...(own.length < 2 ? [] : own.filter((each) => each.seen !== null).map((each) => figuresOfList([each]))),
  ];
}

/** Views and responses of some lists together, to date and within the period, where they are known of all of them. */
function figuresOfList(lists: ReadonlyArray<Pick<DigestDelivery, 'seen' | 'responded' | 'inPeriod'>>): number[] {
  const all = lists.map(({ seen, responded, inPeriod }) => [seen, responded, inPeriod?.seen, inPeriod?.responded]);
  return [0, 1, 2, 3].flatMap((place) => {
    const counts = all.flatMap((figures) => figures[place] ?? []);
    return counts.length < lists.length ? [] : [counts.reduce((sum, count) => sum + count, 0)];
  });
}

/** The html of each broadcast of a page, by its place in the digest. */
function blocksOfPage(html: string): { broadcast: number; block: string }[] {
  return html
    .split('<h3 id="broadcast-')
    .slice(1)
    .map((part) => {
      const end = part.search(/<\/table>\s*(?:<p class="m" style="margin:0;|<h2|<\/div>)/);
      const block = end < 0 ? part : part.slice(0, end);
      return { broadcast: Number.parseInt(part, 10) - 1, block: visibleText(`<body><h3 id="${block}`) };
    });
}

// What a mail says is read beside what generated accounts have; only a page has these rows.
test('every broadcast is on its page, and in it every figure of its rows', async () => {
  const { renderPage } = createPageRenderer(await loadTemplates('templates'));
  const found = Object.entries(accounts).map(([account, input]) => {
    const { broadcasts } = input.digest;
    const blocks = blocksOfPage(renderPage({ ...input, csv: 'rows.csv', earlier: [] }));
    const faults = blocks.flatMap(({ broadcast: place, block }) => {
      const broadcast = broadcasts[place];
      if (broadcast === undefined) return [`no broadcast ${place}`];
      const shown = new Set(numbersIn(block));
      const { seen, responded } = broadcast;
      const ofBlock = seen === null || responded === null ? [] : [responded, ...(seen > 0 ? [seen] : [])];
      const rows = rowsOfDetails(broadcast, input.digest).slice(0, 200);
      const lacking = [...ofBlock, ...rows.flat()].filter((figure) => !shown.has(figure));
      return lacking.map((figure) => `broadcast ${place}: ${figure} is not there`);
    });
    const expected = Math.min(200, broadcasts.length);
    return [account, blocks.length === expected ? faults.slice(0, 5) : [`${blocks.length} blocks`]] as const;
  });
  expect(Object.fromEntries(found.filter(([, faults]) => faults.length > 0))).toEqual({});
});

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]{2,}/gu) ?? [];

/** Months and halves of the day in a language. */
const months = (locale: string) =>
  Array.from({ length: 12 }, (_, month) =>
    (['long', 'short'] as const).map((length) =>
      new Intl.DateTimeFormat(locale, { month: length, day: 'numeric', hour: 'numeric' }).format(
        new Date(Date.UTC(2026, month, 9, month * 2)),
      ),
    ),
  );

test('every word is one of its language, or of the service or the settings', () => {
  expect(
    findings(({ account, html, locale }, { digest, report, mail }) => {
      // Many rows have no other words than a few.
      if (/400|2000/.test(account)) return [];
      const own = Object.entries(messages).find(([language]) => language === locale)?.[1];
      const known = new Set(
        words(JSON.stringify([own, months(locale), digest, report, mail]).replaceAll(/\\[a-z]/g, ' ')),
      );
      const foreign = words(
        [...digest.broadcasts.flatMap(({ name, createdBy }) => [name, createdBy]), digest.period.timeZone].join(' '),
      );
      for (const word of foreign) known.add(word);
      const all = JSON.stringify([digest, report, mail])
        .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
        .toLowerCase();
      // A name that is cut ends within a word, and separated words of the service are spelled together in the digest.
      return [...new Set(words(visibleText(html)))]
        .filter((word) => !known.has(word) && !all.includes(word))
        .slice(0, 5);
    }),
  ).toEqual({});
});
