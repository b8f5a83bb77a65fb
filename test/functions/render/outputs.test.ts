import { parse as readCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmptyDigest, type Digest, type DigestBroadcast } from '../../../functions/domain/digest.ts';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { csvFiles } from '../../../functions/render/csv.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer, type RenderedDigest } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { input } from '../../support/digests/pieces.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { digestOf, worldArbitrary, type World } from './outputs/arbitrary-world.ts';
import { keyLanguage, keyMessages, readable } from './outputs/key-locale.ts';
import { addFigures, knownOf, type Figures, type Known } from './outputs/known.ts';

// Digests of generated rows, in all outputs: html and text of the mail, page, both files, both cards and digest.json. Their messages
// are keys and values, so that they may be worded as one likes. The figures of broadcasts, items and deliveries are counted from the
// rows; every other figure of an output is one of another output, too.

const templates = { ...(await loadTemplates('templates')), locales: { en: keyMessages } };
const { figures: formats } = keyLanguage;
const [renderMail, renderCard] = [createRenderer(templates), createCardRenderer(templates)];
const { renderPage } = createPageRenderer(templates);

const linesOf = (shown: string): string[] =>
  readable(shown)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
const show = (figure: number | null = null): string => (figure === null ? 'figure.none' : formats.count(figure));
const showRate = (ratio: number | null = null): string =>
  ratio === null ? 'figure.none' : readable(formats.rate(ratio));
/** A message with values; those that are `null` it does not have. */
const message = (key: string, values: Readonly<Record<string, string | null>>): string => {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return `${key}(${entries.length === 1 ? entries[0]?.[1] : entries.map((entry) => entry.join(' ')).join(', ')})`;
};
const audienceOf = ({ seen, audience }: Figures): string =>
  audience == null ? show(seen) : message('seenOf', { audience: show(audience), seen: show(seen) });

/** What is said of a broadcast: how many saw it, and how many responded. */
function factsOf(figures: Figures): string {
  const { audience, seen, share = null, responded = null, answered = null, rate = null } = figures;
  const views =
    share === null
      ? message('facts.seen', { count: audienceOf(figures) })
      : message('facts.seenOf', { audience: show(audience), count: show(seen), rate: showRate(share) });
  const apart = {
    answered: answered === responded ? null : show(answered),
    count: show(responded),
    rate: showRate(rate),
  };
  const key =
    rate === null ? 'facts.responded' : answered === responded ? 'facts.respondedRate' : 'facts.respondedApart';
  if (responded === null) return views;
  return `${views} · ${message(key, rate === null ? { count: show(responded) } : apart)}`;
}

/** The cells of a row; those whom it is for have columns where they are known of one of its table's. */
const cellsOf = ({ seen, audience, share, responded }: Figures, hasAudience: boolean): string =>
  [show(seen), ...(hasAudience ? [show(audience), showRate(share)] : []), show(responded)].join(' ');

/** What came in the period, where that is not all. */
function inPeriodOf({ seen, responded, seenNow = null, respondedNow = null }: Figures): string[] {
  if (seenNow === null || (seen === seenNow && responded === respondedNow)) return [];
  const responses = respondedNow === null ? [] : [`count.responses(${show(respondedNow)})`];
  return [`(${[`count.views(${show(seenNow)})`, ...responses].join(' · ')})`];
}

function ratingsOf({ ratings = null, mean = null }: Figures): string[] {
  if (ratings === null) return [];
  if (mean === null) return [`ratings.count(${show(ratings)})`];
  return [message('ratings.mean', { count: show(ratings), mean: formats.mean(mean) })];
}

/** How a line begins, what is in it, and how it ends. */
type Expected = readonly [begin: string, parts: readonly string[], end: string];

const lacking = (output: string, lines: readonly string[], expected: readonly Expected[]): string[] =>
  expected
    .filter(
      ([begin, parts, end]) =>
        !lines.some(
          (line) => line.startsWith(begin) && line.endsWith(end) && parts.every((part) => line.includes(part)),
        ),
    )
    .map((line) => `${output} lacks ${JSON.stringify(line)}`);

/** What a page lacks of the broadcasts, their items and their deliveries. */
function faultsOfPage(page: string, { broadcasts }: Digest, known: Known): string[] {
  const [index = '', ...blocks] = visibleText(page.replaceAll('<details', '\u0001')).split('\u0001');
  const hasAudience = broadcasts.some((entry) => known.broadcast(entry)['audience'] != null);
  const order = [...page.matchAll(/<div id="broadcast-(\d+)"/g)].map(([, place]) => Number(place) - 1);
  return broadcasts.flatMap((entry, place) => {
    const figures = known.broadcast(entry);
    const name = entry.name ?? '';
    const rows = lacking('index', linesOf(index), [[`${name} `, [], ` ${cellsOf(figures, hasAudience)}`]]);
    if (figures['seen'] == null || (entry.seen === 0 && entry.responded === 0)) return rows;
    const items = (entry.contents ?? []).map((_, nth): Expected => {
      const item = known.item(entry, nth);
      return [`item.name(number ${nth + 1},`, [...inPeriodOf(item), ...ratingsOf(item)], ` ${cellsOf(item, false)}`];
    });
    const several = entry.deliveries.length > 1 ? entry.deliveries.map(known.delivery) : [];
    const isKnown = several.some(({ audience }) => audience != null);
    const deliveries = several.map((delivery, nth): Expected => {
      const begin = message('delivery.name', { count: show(several.length), number: show(nth + 1) });
      return [begin, inPeriodOf(delivery), ` ${cellsOf(delivery, isKnown)}`];
    });
    const facts: Expected = [factsOf(figures), [], factsOf(figures)];
    const inPeriod = inPeriodOf(figures).map((counts): Expected => ['inPeriod.line', [], counts]);
    const block = linesOf(blocks[order.indexOf(place)] ?? '');
    return [...rows, ...lacking(`page: ${name}`, block, [facts, ...inPeriod, ...items, ...deliveries])];
  });
}

/** So many new broadcasts and needs a mail shows, which has no page. */
const shownInMail = 8;

/** What a row of a new broadcast says of its items: who saw each, and then its mean or who responded. */
function itemsOf(entry: DigestBroadcast, known: Known): string[] {
  return (entry.contents ?? []).flatMap((_, nth) => {
    const item = known.item(entry, nth);
    if (item['seen'] == null && item['responded'] == null) return [];
    const responded = item['responded'] ? `count.responded(${show(item['responded'])})` : '';
    return [`item.seen(seen ${show(item['seen'])},`, ratingsOf(item)[0] ?? responded];
  });
}

/** What the html of a mail lacks of new broadcasts, of what needs somebody, and of the totals. */
function faultsOfHtml(lines: readonly string[], digest: Digest, known: Known): string[] {
  const fresh = digest.broadcasts
    .filter(({ kind }) => kind === 'new')
    .map((entry) => [entry, known.broadcast(entry)] as const);
  const hasAudience = fresh.some(([, { audience }]) => audience != null);
  const rows = fresh.filter(([entry, figures]) =>
    lines.some(
      (line, place) =>
        line === `${entry.name} ${cellsOf(figures, hasAudience)}` &&
        (figures['seen'] == null || itemsOf(entry, known).every((part) => lines[place + 1]?.includes(part))),
    ),
  );
  const needs = digest.needs.slice(0, shownInMail).flatMap(({ deliveries: [id = ''], listedDeliveries }) => {
    const name = digest.broadcasts.find(({ deliveries }) => deliveries.includes(id))?.name;
    const { untouched = null, ...figures } = known.delivery(id);
    const reminds = listedDeliveries === 1 && untouched !== null && figures['seen'] !== 0 ? `(${show(untouched)})` : '';
    const isThere = lines.some(
      (line, place) => line === name && lines[place + 1] === audienceOf(figures) && lines[place + 2]?.includes(reminds),
    );
    return isThere ? [] : [`html lacks ${audienceOf(figures)} ${reminds} of ${name}`];
  });
  const { seenNow = null, respondedNow = null } = addFigures(digest.deliveries.map(({ id }) => known.delivery(id)));
  const tiles = [
    ['tile.views', seenNow] as const,
    ['tile.responses', digest.broadcasts.every(({ asks }) => asks !== false) ? respondedNow : null] as const,
  ].filter(([label, count]) => count !== null && lines[lines.indexOf(label) + 1] !== show(count));
  return [
    ...(fresh.length <= shownInMail && rows.length < fresh.length
      ? [`html has rows of ${rows.length} of ${fresh.length} new broadcasts`]
      : []),
    ...(isEmptyDigest(digest) ? [] : tiles.map(([label, count]) => `html: ${label} is not ${count}`)),
    ...needs,
  ];
}

/** Numbers, save zeros: that nobody did something may be a word. What was before stands in the text alone. */
const numbersIn = (shown: string): string[] =>
  (
    readable(shown)
      .replaceAll(/https:\S+|, previous [\d,]+|legend\.\S+/g, '')
      .match(/\d+(?:[,.]\d+)*%?/g) ?? []
  )
    .filter((number) => number !== '0')
    .toSorted();

/** Every text of the blocks of a card. */
function textsOf(card: unknown): string[] {
  if (typeof card === 'string') return card.split('\n');
  return typeof card === 'object' && card !== null ? Object.values(card).flatMap(textsOf) : [];
}

/** In what the parts of a mail and the cards differ from each other: each number of one is one of the other. */
function faultsBetween({ subject, html, text }: RenderedDigest, cards: readonly object[]): string[] {
  const [inHtml, inText] = [numbersIn(visibleText(html)), numbersIn(text)];
  const flat = linesOf(text).join(' ');
  // How many need somebody is not said below.
  const heads = [readable(subject).replace(/subject\.needs\(\d+\)/, ''), preheader(html)].flatMap(numbersIn);
  const lines = cards.flatMap(textsOf).map((line) => readable(line).replaceAll(/\s+/g, ' ').trim());
  return [
    ...(inHtml.join() === inText.join() ? [] : [`html has ${inHtml.join(' ')}, and text ${inText.join(' ')}`]),
    ...heads.filter((number) => !inText.includes(number)).map((number) => `only subject or preheader has ${number}`),
    ...lines.filter(
      (line) => /^[\w.]+\(.*\d|^[\d,]+%?$/.test(line) && !/^needs\.more|^page\./.test(line) && !flat.includes(line),
    ),
  ];
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

/** In what the files differ from the rows of lists, row by row. */
function faultsOfFiles({ files }: RenderedDigest, { deliveries }: Digest, known: Known): string[] {
  const expected = {
    deliveries: deliveries.map(({ id }) => [id, known.delivery(id)] as const),
    items: deliveries.flatMap(({ id, contents }) =>
      (contents ?? []).map((item, place) => [`${id} ${item.id}`, known.itemOf(id, place)] as const),
    ),
  };
  return csvFiles.flatMap((file) => {
    const [head = [], ...rows]: string[][] = readCsv(
      files.find(({ name }) => name.endsWith(`-${file}.csv`))?.content ?? '',
      { bom: true },
    );
    const names = readable(head).map((heading) => columns[heading] ?? /^csv\.rating\((\d)\)$/.exec(heading)?.[1]);
    if (rows.length !== expected[file].length) return [`${file}: ${rows.length} rows, not ${expected[file].length}`];
    return expected[file].flatMap(([id, figures], row) =>
      names.flatMap((name, column) => {
        if (name === undefined) return [];
        const cell = rows[row]?.[column] ?? '';
        const figure = figures[name.length > 1 ? name : `rated ${name}`] ?? null;
        const isSame = figure === null ? cell === '' : cell !== '' && Math.abs(Number(cell) - figure) < 1e-9;
        const isNever = name.length === 1 && cell === '' && figure === 0;
        return isSame || isNever ? [] : [`${file}: ${name} of ${id} is "${cell}", not ${figure}`];
      }),
    );
  });
}

/** What the verdict says of series, and since the last digest, that is not so: each is of the digest's kept figures or of the rows. */
function faultsOfSentences({ html }: RenderedDigest, digest: Digest, known: Known): string[] {
  const shown = linesOf(visibleText(html)).join(' ');
  const { series, previous } = digest.totals;
  const why = [...shown.matchAll(/verdict\.series\(before ([\d,]+), name name\.quoted\((.*?)\), now ([\d,]+)\)/g)];
  const wrong = why.filter(([, before, name, now]) => {
    const [then, since] = [previous?.series, series].map((all) => all?.find((one) => one.name === name));
    return !(['seen', 'responded'] as const).some(
      (figure) => show(then?.[figure] ?? 0) === before && show(since?.[figure] ?? 0) === now,
    );
  });
  const lines = digest.since.slice(0, 2).map(({ delivery, ...then }) => {
    const name = digest.deliveries.find(({ id }) => id === delivery)?.broadcast.name;
    const values = {
      before: audienceOf(then),
      name: `name.quoted(${name})`,
      now: audienceOf(known.delivery(delivery)),
    };
    return message('since.line', values);
  });
  return [...wrong.map(([line]) => `html has ${line}`), ...lines.filter((line) => !shown.includes(line))];
}

/** Everything in which the outputs of a digest differ from each other, or from the rows. */
function faultsOf(world: World, digest: Digest): string[] {
  const known = knownOf(world, digest);
  const sample = input(digest);
  const mail = renderMail(sample);
  const cards = [renderCard({ ...sample, kind: 'teams' }), renderCard({ ...sample, kind: 'slack' })];
  return [
    ...faultsBetween(mail, cards),
    ...faultsOfSentences(mail, digest, known),
    ...faultsOfHtml(linesOf(visibleText(mail.html)), digest, known),
    ...faultsOfPage(renderPage({ ...sample, files: 'rows/', earlier: [] }), digest, known),
    ...(isEmptyDigest(digest) ? [] : faultsOfFiles(mail, digest, known)),
  ];
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
  'few ratings': (digest) => countsOfRatings(digest).some((count) => count < 10),
  ratings: (digest) => countsOfRatings(digest).some((count) => count >= 10),
  'people to remind': ({ needs }) => needs.some(({ untouched }) => untouched !== null),
  'a comparison': ({ totals }) => totals.comparison.basis === 'kept',
  'a reason for a change': ({ totals }) => totals.series?.some(({ seen }) => seen) && totals.previous?.series?.length,
  'what has moved': ({ since }) => since.length > 0,
  'a trend': ({ trend }) => trend.length > 2,
};
const countsOfRatings = ({ broadcasts }: Digest) =>
  broadcasts.flatMap(({ contents }) => contents?.flatMap(({ ratings }) => ratings?.count ?? []) ?? []);

test('each figure is the same in html, text, page, files, cards, digest.json and the rows, and is in all that show it', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async (world) => {
      const composed = await digestOf(world);
      const moved = composed.deliveries.filter(({ seen }) => seen).slice(0, 2);
      const since = moved.map(({ id: delivery, seen, audience }) => ({ delivery, seen: (seen ?? 1) - 1, audience }));
      const digest = { ...composed, since };
      for (const [trait, has] of Object.entries(traits)) if (has(digest)) met.add(trait);
      expect(faultsOf(world, digest)).toEqual([]);
    }),
    { numRuns: 100, seed: 14 },
  );
  expect(Object.keys(traits).filter((trait) => !met.has(trait))).toEqual([]);
}, 300_000);
