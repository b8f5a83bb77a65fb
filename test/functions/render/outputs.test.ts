import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Digest } from '../../../functions/digest/schema.ts';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer, type RenderedDigest } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestNamed, digestNames, input } from '../../support/digests/corpus.ts';
import { digestsOf } from '../../support/facts/digests.ts';
import { on, saw, sent, type Sent } from '../../support/facts/world.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

// Digests of generated worlds, in all outputs: html and text of the mail, page, workbook and both cards. Their messages are keys and
// values, so that they may be worded as one likes. What is the same figure is the same in all, and rows add up to totals.

const templates = { ...(await loadTemplates('templates')), locales: { en: keyMessages } };
const [render, renderCard] = [createRenderer(templates), createCardRenderer(templates)];
const { renderPage } = createPageRenderer(templates);

const flat = (shown: string): string => readable(shown).replaceAll(/\s+/g, ' ');

/** Numbers, save zeros and those of a bar: that nobody did something may be a word. */
const numbersIn = (shown: string): string[] => {
  const figures = flat(shown).replaceAll(/https:\S+|legend\.\w+(?:\([^)]*\))?|&#\d+;/g, '');
  return (figures.match(/\d+(?:[,.]\d+)*%?/g) ?? []).filter((number) => number !== '0').toSorted();
};

const countOf = (text = ''): number => Number(text.replaceAll(',', ''));

/** Every text of the blocks of a card. */
function textsOf(card: unknown): string[] {
  if (typeof card === 'string') return [card];
  return typeof card === 'object' && card !== null ? Object.values(card).flatMap(textsOf) : [];
}

/** The counts of messages of a kind in a text, which have the count last. */
const sumIn = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + countOf(count), 0);

/** The views of the period that the rows of a text part prove: those of new ones, and the sum of earlier ones. */
function viewsOfRows(text: string): number {
  const shown = flat(text);
  const [, news = ''] = /new\.heading(.*?)(?=earlier\.|unseen\.|trend\.|notes\.|report\.|$)/.exec(shown) ?? [];
  const [, earlier = ''] = /(earlier\.\w.*?)(?=report\.|trend\.|notes\.)/.exec(shown) ?? [];
  const seen = /row\.seen\(([\d,]+)\)|row\.seenOf\(count [\d,]+, seen ([\d,]+)\)/g;
  const later = /row\.later\((?:seenOf\(audience [\d,]+, seen )?([\d,]+)/g;
  const rows = [...news.matchAll(seen)].reduce((sum, [, one, other]) => sum + countOf(one ?? other), 0);
  const views = /count\.views\(([\d,]+)\)/g;
  const ofEarlier = /earlier\.sums\(count [\d,]+, sums count\.views\(([\d,]+)\)/g;
  return rows + sumIn(news, later) + sumIn(news, views) + sumIn(earlier, ofEarlier);
}

/** The cells of a workbook's sheet, row by row: texts and numbers. */
function cellsOf(workbook: Buffer, sheet: number): string[][] {
  const files = unzipSync(workbook);
  const read = (name: string): string => new TextDecoder().decode(files[name]);
  const shared = [...read('xl/sharedStrings.xml').matchAll(/<si>.*?<t[^>]*>(.*?)<\/t>.*?<\/si>/gs)].map(
    ([, text = '']) => text,
  );
  return [...read(`xl/worksheets/sheet${sheet}.xml`).matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells: string[] = [];
    for (const [, column = '', attributes = '', value = ''] of row.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*)>(?:<v>(.*?)<\/v>)?/g,
    )) {
      cells[column.charCodeAt(0) - 65] = attributes.includes('t="s"') ? (shared[Number(value)] ?? '') : value;
    }
    return cells;
  });
}

/** In what a workbook's deliveries differ from those of the digest. */
function faultsOfWorkbook({ files }: RenderedDigest, { broadcasts, totals }: Digest): string[] {
  if (files.length === 0) return [];
  const sheet = (number: number) => {
    const [head = [], ...rows] = cellsOf(files[0]?.content ?? Buffer.of(), number);
    const headings = head.map((heading) => readable(heading));
    return { rows, place: (key: string): number => headings.indexOf(`sheet.column.${key}`) };
  };
  const [{ rows, place }, items] = [sheet(2), sheet(3)];
  // No item asks: an item has its responses, and no rate of them.
  const contents = broadcasts.flatMap((broadcast) => broadcast.deliveries.flatMap((one) => one.contents ?? []));
  const deliveries = broadcasts.flatMap((broadcast) => broadcast.deliveries);
  const sum = rows.reduce((all, row) => all + Number(row[place('seenInPeriod')] ?? 0), 0);
  return [
    ...(totals.seen !== null && sum !== totals.seen ? [`the workbook has ${sum} views, not ${totals.seen}`] : []),
    ...contents.flatMap(({ id, responded }, nth) => {
      const row = items.rows[nth] ?? [];
      const found = [row[items.place('itemId')], row[items.place('responded')], row[items.place('rate')]].join();
      return found === [id, responded, null].join() ? [] : [`the workbook has ${found} of ${id}`];
    }),
    ...deliveries.flatMap(({ id, seen, audience }, nth) => {
      const row = rows[nth] ?? [];
      const found = [row[place('deliveryId')], row[place('seen')] ?? null, row[place('audience')] ?? null].join();
      const expected = [id, seen, audience === 0 ? null : audience].join();
      return found === expected ? [] : [`the workbook has ${found}, not ${expected}`];
    }),
  ];
}

/** Everything in which the outputs of a digest differ from each other, or from its totals. */
async function faultsOf(digest: Digest): Promise<string[]> {
  const sample = input(digest);
  const mail = await render(sample);
  const { subject, html, text } = mail;
  const [inHtml, inText] = [numbersIn(visibleText(html)), numbersIn(text)];
  // How many need somebody stands in subject and notification alone, and so may all responses.
  const responses = `count.responses(${digest.totals.responded?.toLocaleString('en')})`;
  const heads = [subject, preheader(html)].map((head) =>
    flat(head.replace(/[\d,.]*…$/, ''))
      .replace(/subject\.needs\(\d+\)/, '')
      .replace(responses, ''),
  );
  const cards = (['teams', 'slack'] as const).flatMap((kind) => {
    const { $schema: _, version: __, ...card }: Record<string, unknown> = { ...renderCard({ ...sample, kind }) };
    return textsOf(card)
      .filter((line) => line.includes('⟪'))
      .map((line) => flat(line).replaceAll(/subject\.needs\(\d+\)|needs\.more\.\w+\(\d+\)/g, ''));
  });
  const page = flat(visibleText(renderPage({ ...sample, files: null, earlier: [] })));
  // A row of the mail is the row of the page: its count, and what is known of its items.
  const rows = [...visibleText(html).matchAll(/⟪[^\n]*⟫/g)]
    .map(([line]) => flat(line))
    .filter((line) => /^row\.seen|item\./.test(line));
  const total = digest.totals.seen;
  return [
    ...(inHtml.join() === inText.join() ? [] : [`html has ${inHtml.join(' ')}, and text ${inText.join(' ')}`]),
    ...[...heads, ...cards]
      .flatMap(numbersIn)
      .filter((number) => !inText.includes(number))
      .map((number) => `${number} is not in the text`),
    ...rows.filter((row) => !page.includes(row)).map((row) => `the page lacks ${row}`),
    ...(total === null || viewsOfRows(text) === total
      ? []
      : [`rows have ${viewsOfRows(text)} views, not ${total}: ${flat(text)}`]),
    ...faultsOfWorkbook(mail, digest),
  ];
}

const delivered = fc.record({
  day: fc.integer({ min: 0, max: 19 }),
  hour: fc.integer({ min: 6, max: 20 }),
  audience: fc.oneof(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 40, max: 120 })),
  share: fc.constantFrom(0, 0.1, 0.5, 0.6, 0.97),
  answers: fc.constantFrom(0, 0.4, 1),
  hours: fc.constantFrom(2, 60, 400),
  broadcast: fc.integer({ min: 0, max: 6 }),
  ratings: fc.boolean(),
});

const worlds = fc.array(delivered, { minLength: 8, maxLength: 18, size: 'max' }).map((rows): Sent[] =>
  rows.map(({ day, hour, audience, share, answers, hours, broadcast, ratings }, place) => {
    const people = Math.floor(audience * share);
    const responded = Math.floor(people * answers);
    const rated = ratings && responded > 0 ? { ratings: { '3': responded } } : {};
    return sent(String(place), on(day, hour), audience, saw(people, on(day, hour), { hours, responded }), {
      broadcast: `b${broadcast}`,
      name: `Broadcast ${broadcast}`,
      items: [
        { id: `t${broadcast}`, type: 'text' },
        { id: `q${broadcast}`, type: 'rating', ...rated },
      ],
    });
  }),
);

test('each figure is the same in html, text, page, workbook and cards, and the rows of a mail add up to its totals', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worlds, fc.boolean(), async (world, namesEverybody) => {
      const service = { namesEverybody: () => namesEverybody };
      for (const digest of digestsOf(world, { weeks: 3, service })) {
        for (const row of digest.broadcasts) met.add(row.line?.reason ?? row.group);
        for (const need of digest.needs) met.add(need.timesNamed > 0 ? 'still' : need.reason);
        if (digest.since.length > 0) met.add('since');
        expect(await faultsOf(digest)).toEqual([]);
      }
    }),
    { numRuns: 30, seed: 14 },
  );
  // What is easily wrong is among them.
  const rows = ['new', 'earlier', 'unseen', 'still-counting', 'delivered-again', 'large'];
  expect([...rows, 'too-few', 'still', 'since'].filter((trait) => !met.has(trait))).toEqual([]);
}, 300_000);

const names = digestNames.filter((name) => !['every sort', 'a warning'].includes(name));
test.each(names)('the same holds of "%s"', async (name) => {
  expect(await faultsOf(digestNamed(name))).toEqual([]);
});
