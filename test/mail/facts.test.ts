import { beforeAll, expect, test } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import type { RenderInput } from '../../functions/render/render.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { accounts, renderCorpus, type CorpusMail } from '../support/digests/corpus.ts';
import english from '../../templates/locales/en.json' with { type: 'json' };
import french from '../../templates/locales/fr.json' with { type: 'json' };
import german from '../../templates/locales/de.json' with { type: 'json' };
import { visibleText } from '../functions/run/send/read-mail.ts';
import {
  figuresOfBroadcast,
  figuresOfDetails,
  figuresOfEnd,
  figuresOfTop,
  numbersIn,
  rowsOfDetails,
} from './digest-facts.ts';

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

/** The html above the new broadcasts, that of each of them, and below them. */
function partsOf({ html }: CorpusMail): { top: string; blocks: string[]; end: string } {
  const body = html.slice(html.indexOf('<body'));
  const [top = '', ...blocks] = body.split('<h3');
  const last = blocks.pop();
  const from = last === undefined ? top : last;
  const cut = from.search(
    last === undefined ? /<h2[^>]*>(?!.*<h2)/s : /<\/table>\s*(?:<p[^>]*>(?:[^<]|<\/?a\b[^>]*>)*<\/p>\s*){0,2}<\/div>/,
  );
  const end = `<body${from.slice(cut)}`;
  const shown = last === undefined ? [] : [...blocks, from.slice(0, cut)];
  const head = last === undefined ? top.slice(0, cut) : top;
  return {
    top: visibleText(head),
    blocks: shown.map((block) => visibleText(`<body><h3${block}`)),
    end: visibleText(end),
  };
}

/** The numbers that are a part of texts of the service or of the settings. */
function foreignNumbers({ digest, report, mail }: RenderInput): number[] {
  const { broadcasts, deliveries, missing, otherStatuses } = digest;
  const texts = [
    ...broadcasts.flatMap(({ name, createdBy }) => [name, createdBy]),
    ...broadcasts.flatMap((each) => each.deliveries),
    ...broadcasts.flatMap(({ contents }) => contents?.map(({ type }) => type) ?? []),
    ...deliveries.map(({ status }) => status),
    ...missing.map(({ name }) => name ?? null),
    ...Object.keys(otherStatuses),
    report.title,
    report.broadcastName ?? null,
    mail.brand.name,
    mail.footer.why,
    mail.footer.contact,
  ];
  // Digits next to letters or other digits may be separated where they are shown.
  return texts.flatMap((text) => numbersIn(`${text} ${text?.replaceAll(/\D+/g, ' ')}`));
}

test('every figure above the broadcasts, of each broadcast and below them is that of digest.json', () => {
  expect(
    findings((mail, input) => {
      const { digest } = input;
      const { top, blocks, end } = partsOf(mail);
      const foreign = foreignNumbers(input);
      const fresh = digest.broadcasts.filter(({ kind }) => kind === 'new');
      const strange = (part: string, known: Set<number>) =>
        numbersIn(part).filter((figure) => !known.has(figure) && !foreign.includes(figure));
      return [
        ...strange(top, figuresOfTop(digest)).map((figure) => `top: ${figure}`),
        ...blocks.flatMap((block, index) => {
          const broadcast = fresh[index];
          const known = broadcast === undefined ? new Set<number>() : figuresOfBroadcast(broadcast, digest);
          return strange(block, known).map((figure) => `broadcast ${index}: ${figure}`);
        }),
        ...strange(end, figuresOfEnd(input)).map((figure) => `end: ${figure}`),
      ];
    }),
  ).toEqual({});
});

/** Those of some figures that a part of a mail does not show. */
const lacks = (part: string, figures: ReadonlyArray<number | null>) =>
  figures.filter((figure) => figure !== null && !numbersIn(part).includes(figure));

test('views and responses of each broadcast are there, and so are those of the period', () => {
  expect(
    findings((mail, { digest }) => {
      const { top, blocks } = partsOf(mail);
      const fresh = digest.broadcasts.filter(({ kind }) => kind === 'new');
      const { totals, deliveries } = digest;
      const ofPeriod = deliveries.length === 0 ? [] : [totals.seen, totals.seen === null ? null : totals.broadcasts];
      return [
        ...lacks(top, ofPeriod),
        ...blocks.flatMap((block, index) => {
          const { seen = null, responded = null } = fresh[index] ?? {};
          return seen === null || responded === null ? [] : lacks(block, [seen, responded]);
        }),
      ];
    }),
  ).toEqual({});
});

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

test('every figure of a broadcast on its page is that of digest.json, and every figure of its rows is there', async () => {
  const { renderPage } = createPageRenderer(await loadTemplates('templates'));
  const found = Object.entries(accounts).map(([account, input]) => {
    const { digest } = input;
    const foreign = new Set(foreignNumbers(input));
    const blocks = blocksOfPage(renderPage({ ...input, csv: 'rows.csv', earlier: [] }));
    const faults = blocks.flatMap(({ broadcast: place, block }) => {
      const broadcast = digest.broadcasts[place];
      if (broadcast === undefined) return [`no broadcast ${place}`];
      const known = new Set([...figuresOfBroadcast(broadcast, digest), ...figuresOfDetails(broadcast, digest)]);
      const shown = new Set(numbersIn(block));
      const rows = rowsOfDetails(broadcast, digest).slice(0, 200);
      return [
        ...[...shown].filter((figure) => !known.has(figure) && !foreign.has(figure)),
        ...rows
          .flat()
          .filter((figure) => !shown.has(figure))
          .map((figure) => `${figure} is not there`),
      ].map((fault) => `broadcast ${place}: ${fault}`);
    });
    const expected = Math.min(200, digest.broadcasts.length);
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
    findings(({ html, locale }, { digest, report, mail }) => {
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

const isMissing = ({ missing, totals, broadcasts }: Digest): boolean =>
  missing.length > 0 || totals.unavailable !== undefined || broadcasts.some(({ kind }) => kind === null);

/** What a sentence claims, in terms of digest.json. */
const claims = {
  'verdict.allSeen': (digest: Digest) =>
    !isMissing(digest) && digest.unseenNotNamed === 0 && digest.broadcasts.every(({ kind }) => kind !== 'silent'),
  'needs.none': (digest: Digest) => !isMissing(digest) && digest.broadcasts.every(({ kind }) => kind !== 'silent'),
  'needs.heading': (digest: Digest) =>
    digest.broadcasts.some(
      ({ kind, audience, seen, stillCounting }) =>
        kind === 'silent' ||
        (kind === 'new' &&
          !stillCounting &&
          audience !== null &&
          seen !== null &&
          seen * 2 < audience &&
          audience - seen > 9),
    ),
  'incomplete.heading': isMissing,
  'incomplete.totals': ({ totals }: Digest) => totals.seen === null || totals.unavailable !== undefined,
  'verdict.noTotals': ({ totals }: Digest) => totals.seen === null,
  'comparison.first': ({ totals: { comparison } }: Digest) =>
    comparison.basis === 'none' && comparison.reason === 'first',
  'tiles.nothingAsked': ({ totals }: Digest) => totals.asked?.seen === 0 && totals.seen !== 0,
  'details.stillCounting': ({ broadcasts }: Digest) => broadcasts.some(({ stillCounting }) => stillCounting),
  'only.text': ({ broadcasts }: Digest) => broadcasts.some(({ asks }) => asks === false),
  'empty.sentence': ({ deliveries }: Digest) => deliveries.length === 0,
  'legend.noBar': ({ broadcasts }: Digest) =>
    broadcasts.some(({ kind, audience, seen }) => kind === 'new' && (audience === null || seen === null)),
} satisfies Partial<Record<keyof typeof english, (digest: Digest) => boolean>>;

test('no sentence claims what digest.json does not say', () => {
  const met = new Set<string>();
  const found = findings(({ html, locale }, { digest }) => {
    const own = Object.entries(messages).find(([language]) => language === locale)?.[1] ?? english;
    const shown = visibleText(html);
    const phrases = new Set(shown.split(/\n| · /).map((phrase) => phrase.trim()));
    return Object.entries(claims).flatMap(([key, holds]) => {
      const said = Object.entries(own).find(([name]) => name === key)?.[1];
      if (typeof said !== 'string') return [];
      if (said.endsWith('.') ? !shown.includes(said) : !phrases.has(said)) return [];
      met.add(key);
      return holds(digest) ? [] : [key];
    });
  });
  expect(found).toEqual({});
  expect(Object.keys(claims).filter((key) => !met.has(key))).toEqual([]);
});

test('best answered is the highest rate of those that may be compared', () => {
  expect(
    findings(({ html, locale }, { digest }) => {
      if (locale !== 'en') return [];
      const [, responded, seen] = /Best answered: .*?, by (\d+) of (\d+) viewers\./.exec(visibleText(html)) ?? [];
      if (responded === undefined) return [];
      const rates = digest.broadcasts
        .filter(
          ({ kind, asks, seen: views, stillCounting }) =>
            kind === 'new' && asks === true && !stillCounting && (views ?? 0) > 9,
        )
        .map(({ seen: views, responded: answers }) => (answers ?? 0) / (views ?? 1))
        .filter((rate) => rate <= 1);
      return !isMissing(digest) && Number(responded) / Number(seen) === Math.max(...rates) ? [] : [responded];
    }),
  ).toEqual({});
});
