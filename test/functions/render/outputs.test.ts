import { parse as readCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmptyDigest, type Digest } from '../../../functions/domain/digest.ts';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { csvFiles } from '../../../functions/render/csv.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { input } from '../../support/digests/pieces.ts';
import { preheader } from '../../support/visible-text.ts';
import { digestOf, worldArbitrary, type World } from './outputs/arbitrary-world.ts';
import { keyLanguage, keyMessages, readParts } from './outputs/key-locale.ts';
import { faultsOfDigest, knownOf, type Figures, type Known } from './outputs/known.ts';
import { countsThings, meanings } from './outputs/meanings.ts';
import { createReader, readHtml, textOf, textsOfCard, type Statement } from './outputs/read-outputs.ts';

// Digests of generated rows, in all outputs: html and text of the mail, page, both files, both cards and digest.json. Their messages
// are keys and values, so that they may say and order things as they like: only a new figure needs a line, among the meanings.

const templates = { ...(await loadTemplates('templates')), locales: { en: keyMessages } };
const { figures: formats } = keyLanguage;
const renderMail = createRenderer(templates);
const { renderPage } = createPageRenderer(templates);
const renderCard = createCardRenderer(templates);

/** The statements of each output that is read by people, and the files. */
function outputsOf({ digest, periods }: Known) {
  const { period, broadcasts, trend } = digest;
  const names = broadcasts.flatMap(({ name }) => name ?? []);
  const dates = [formats.period(period, 'long'), formats.period(period, 'short')];
  const sample = input(digest);
  const read = (fill: (reader: ReturnType<typeof createReader>) => void): Statement[] => {
    const reader = createReader({ names, periods, dates });
    fill(reader);
    return reader.statements;
  };
  const mail = renderMail(sample);
  const earlier = trend.slice(0, -1).map(({ start }) => ({ start, end: start, url: '/' }));
  const card = (kind: 'teams' | 'slack') => textsOfCard(renderCard({ ...sample, kind })).join('\n');
  return {
    mail,
    statements: {
      subject: read((reader) => reader.read(mail.subject)),
      preheader: read((reader) => reader.read(preheader(mail.html))),
      html: read((reader) => readHtml(mail.html, reader)),
      text: read((reader) => reader.read(mail.text)),
      page: read((reader) => readHtml(renderPage({ ...sample, files: 'rows/', earlier }), reader)),
      teams: read((reader) => reader.read(card('teams'))),
      slack: read((reader) => reader.read(card('slack'))),
    },
  };
}

/** Whether a figure is shown, as a count, a mean with one digit, or a whole percentage. */
function isShown(shown: string, figure: number | null): boolean {
  if (figure === null || shown === 'nothing') return figure === null && shown === 'nothing';
  const [, sign = '', digits = '', percent = ''] = /^([<>+\u2212-]?)([\d,.]+)(%?)$/.exec(shown) ?? [];
  const value = Number(digits.replaceAll(',', '')) * (sign === '\u2212' || sign === '-' ? -1 : 1);
  if (percent === '') return Math.abs(value - figure) <= (digits.includes('.') ? 0.05 : 0) + 1e-9;
  if (sign === '<') return figure > 0 && figure * 100 < value;
  return sign === '>' ? figure < 1 && figure * 100 > value : Math.abs(figure * 100 - value) <= 0.5 + 1e-6;
}

/** What the statements of an output say that is not known, or not so; what they say of each subject is added to `said`. */
function faultsOfStatements(statements: readonly Statement[], known: Known, said: Set<string>): string[] {
  return statements.flatMap((statement) => {
    const { at, subject, values } = statement;
    if (countsThings.test(at)) return [];
    const shown = values.map(([name, value]) => `${name} ${value}`).join(', ');
    const fault = `${at} of ${JSON.stringify(subject)} says ${shown}`;
    const meaning = meanings.find(([pattern]) => pattern.test(at));
    if (meaning === undefined) return [`${fault}, which has no meaning here (outputs/meanings.ts)`];
    const [pattern, scope, figures] = meaning;
    const meant = values.map(([name, value]) => ({
      value,
      names: figures[name]?.replace('$1', pattern.exec(at)?.[1] ?? ''),
    }));
    const candidates = scope(known, statement);
    const isRight = candidates.some((candidate) =>
      meant.every(
        ({ value, names }) =>
          names === undefined || names.split(/ (?!\d)/).some((name) => isShown(value, candidate[name] ?? null)),
      ),
    );
    for (const { names = '' } of meant) said.add(`${keyOf(subject)} ${names}`);
    const unmeant = values.filter(([name]) => figures[name] === undefined);
    if (unmeant.length > 0) return [`${fault}, of which ${unmeant.join()} has no meaning here (outputs/meanings.ts)`];
    const isAny = meant.every(({ names }) => names === undefined);
    const expected = candidates.map((each) => meant.map(({ names = '' }) => `${names} ${each[names]}`).join(', '));
    return isRight || isAny ? [] : [`${fault}, not ${expected.join(' or ')}`];
  });
}

function keyOf({ name, item, delivery }: Statement['subject']): string {
  return [name, item, delivery].join('/');
}

const ofAll = ['seen', 'audience', 'share', 'responded'];
const ofPage = [...ofAll, 'rate', 'mean', 'seenNow', 'respondedNow', ...[1, 2, 3, 4, 5].map((mark) => `rated ${mark}`)];

/** What is known of the broadcasts that an output shows, and not said in it. A page says it of each item and delivery, too. */
function unsaidOf(output: 'html' | 'text' | 'page', known: Known, said: ReadonlySet<string>): string[] {
  const { broadcasts } = known.digest;
  const unsaid = (subject: Statement['subject'], names: readonly string[], figures: Figures): string[] => {
    const { seen, responded, seenNow, respondedNow } = figures;
    const isAllNow = seen === seenNow && responded === respondedNow;
    return names
      .filter((name) => figures[name] != null && !said.has(`${keyOf(subject)} ${name}`))
      .filter((name) => !(name.endsWith('Now') && isAllNow) && !(name.startsWith('rated') && figures[name] === 0))
      .map((name) => `${keyOf(subject)} lacks ${name}`);
  };
  return broadcasts.flatMap((entry) => {
    const name = entry.name ?? '';
    if (output !== 'page') {
      const { audience = null, ...figures } = known.broadcast(entry);
      // Of what has no views the page alone says how many it is for.
      const shown = { ...figures, audience: figures['seen'] == null ? null : audience };
      return entry.kind === 'new' ? unsaid({ name }, ofAll, shown) : [];
    }
    if (entry.seen === 0 && entry.responded === 0)
      return unsaid({ name }, ['seen', 'audience'], known.broadcast(entry));
    const several = entry.deliveries.length > 1 ? entry.deliveries : [];
    // The rating of the only item stands in its row.
    const ofItems = (entry.contents ?? []).flatMap((_, place) => {
      const { audience: _audience, share: _share, rate: _rate, ...figures } = known.item(entry, place);
      return unsaid({ name, item: place + 1 }, ofPage, figures);
    });
    const ofDeliveries = several.flatMap((id, place) => {
      const { rate: _rate, ...figures } = known.delivery(id);
      return unsaid({ name, delivery: place + 1 }, ofPage, figures);
    });
    const { mean: _mean, ...figures } = known.broadcast(entry);
    return unsaid({ name }, ofPage, figures).concat(ofItems, ofDeliveries);
  });
}

/** By a column's key, the figure that it has. */
const columns: Readonly<Record<string, string>> = {
  'csv.audience': 'audience',
  'csv.listed': 'listed',
  'csv.seen': 'seen',
  'csv.responded': 'responded',
  'csv.rate': 'rate',
  'csv.seenInPeriod': 'seenNow',
  'csv.respondedInPeriod': 'respondedNow',
  'csv.reach': 'share',
  'csv.ratings': 'ratings',
  'csv.mean': 'mean',
};

/** In what the files differ from what is known, row by row. */
function faultsOfFiles(files: ReadonlyArray<{ name: string; content: string }>, known: Known): string[] {
  const { digest } = known;
  const expected = {
    deliveries: digest.deliveries.map(({ id }) => [id, known.delivery(id)] as const),
    items: digest.deliveries.flatMap(({ id, contents }) =>
      (contents ?? []).map((item, place) => [`${id} ${item.id}`, known.itemOf(id, place)] as const),
    ),
  };
  if (isEmptyDigest(digest)) return [];
  return csvFiles.flatMap((file) => {
    const content = files.find(({ name }) => name.endsWith(`-${file}.csv`))?.content ?? '';
    const [head = [], ...rows]: string[][] = readCsv(content, { bom: true });
    const names = head.map((heading) => {
      const [part] = readParts(heading);
      if (part === undefined || typeof part === 'string') return undefined;
      return part.key === 'csv.rating' ? `rated ${textOf(part.values['rating'])}` : columns[part.key];
    });
    if (rows.length !== expected[file].length) return [`${file}: ${rows.length} rows, not ${expected[file].length}`];
    return expected[file].flatMap(([of, figures], row) =>
      names.flatMap((name, column) => {
        const cell = rows[row]?.[column] ?? '';
        const figure = name === undefined ? null : (figures[name] ?? null);
        const isSame = figure === null ? cell === '' : cell !== '' && Math.abs(Number(cell) - figure) < 1e-9;
        const isNever = name?.startsWith('rated') && cell === '' && figure === 0;
        return name === undefined || isSame || isNever ? [] : [`${file}: ${name} of ${of} is "${cell}", not ${figure}`];
      }),
    );
  });
}

/** Everything in which the outputs of a digest differ from each other, from it, or from the rows. */
function faultsOf(world: World, digest: Digest): string[] {
  const periods = digest.trend.map(({ start }) => formats.beginning(start, 'week'));
  const known = knownOf(digest, periods);
  const { mail, statements } = outputsOf(known);
  const faults = Object.entries(statements).flatMap(([output, all]) => {
    const said = new Set<string>();
    const wrong = faultsOfStatements(all, known, said);
    const unsaid = output === 'html' || output === 'text' || output === 'page' ? unsaidOf(output, known, said) : [];
    return [...wrong, ...unsaid].map((fault) => `${output}: ${fault}`);
  });
  return [...faultsOfDigest(world, digest), ...faults, ...faultsOfFiles(mail.files, known)];
}

/** What is easily counted wrong, and has to be among the digests. */
const traits: Readonly<Record<string, (digest: Digest) => unknown>> = {
  'something unavailable': ({ deliveries }) => deliveries.some(({ unavailable }) => unavailable !== undefined),
  'several deliveries': ({ broadcasts }) => broadcasts.some(({ deliveries }) => deliveries.length > 1),
  'an audience of several': ({ broadcasts }) => broadcasts.some((each) => each.audience && each.deliveries.length > 1),
  'few who saw it': ({ broadcasts }) => broadcasts.some(({ seen }) => seen && seen < 10),
  'a small audience': ({ broadcasts }) => broadcasts.some(({ audience }) => audience && audience < 10),
  'responded and never saw': ({ deliveries }) =>
    deliveries.some(({ seen, responded, answered }) => seen && (responded ?? 0) > (answered ?? 0)),
  'views not said': ({ broadcasts }) => broadcasts.some(({ seen, responded }) => seen === null && responded !== null),
  'few ratings': ({ broadcasts }) => ratingsOf(broadcasts).some((count) => count < 10),
  ratings: ({ broadcasts }) => ratingsOf(broadcasts).some((count) => count >= 10),
  'a need with a usual': ({ needs }) => needs.some(({ usual }) => usual !== null),
  'people to remind': ({ needs }) => needs.some(({ untouched }) => untouched !== null),
  'views of earlier editions': ({ broadcasts }) => broadcasts.some(({ atAge }) => atAge?.earlier),
  'a comparison': ({ totals }) => totals.comparison.basis === 'kept',
  'a trend': ({ trend }) => trend.length > 2,
};
const ratingsOf = (broadcasts: Digest['broadcasts']) =>
  broadcasts.flatMap(({ contents }) => contents?.flatMap(({ ratings }) => ratings?.count ?? []) ?? []);

test('each figure is the same in html, text, page, files, cards, digest.json and the rows, and is in all that show it', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async (world) => {
      const digest = await digestOf(world);
      for (const [trait, has] of Object.entries(traits)) if (has(digest)) met.add(trait);
      expect(faultsOf(world, digest)).toEqual([]);
    }),
    { numRuns: 200, seed: 14 },
  );
  expect(Object.keys(traits).filter((trait) => !met.has(trait))).toEqual([]);
}, 300_000);
