import { parse as readCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { writeCsv } from '../../../functions/render/csv.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import english from '../../../templates/locales/en.json' with { type: 'json' };
import { digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { content, delivery, digest } from '../../support/digests/pieces.ts';

const language = createLanguage('en', english, 'Europe/London');

/** The cells of each line. */
const cellsOf = (digest: Digest) => readCsv(writeCsv(digest, language), { bom: true });

test('has a line a delivery and a content item, numbers as numbers, and nothing where there is no figure', () => {
  const rated = content({
    type: 'rating',
    lackingFields: 7,
    ratings: { count: 3, mean: 13 / 3, histogram: { '4': 2, '5': 1 }, unreadable: 2 },
  });
  const gone = delivery({
    id: '502',
    kind: null,
    listed: null,
    seen: null,
    responded: null,
    responseRate: null,
    inPeriod: null,
    medianResponseSeconds: null,
    contents: null,
    unavailable: { reason: 'gone', status: 410 },
  });
  expect(writeCsv(digest({ deliveries: [delivery({ contents: [rated] }), gone] }), language)).toBe(
    [
      '\ufeffRow,Group,Delivery id,Broadcast id,Broadcast,Created at,Created by,Status,Asks for a response,Audience,Still counting,Content item,Content item id,Type,Listed,Seen to date,Responded to date,Response rate to date,Seen in the period,Responded in the period,Reach,Median seconds from seen to responded,Rows with unreadable dates,Rows without a date field,Ratings,Mean rating,Ratings that cannot be read,Rated 4,Rated 5,Not available',
      'delivery,New,501,71,Friday Five,2026-11-09 09:30:00,Priya Shah,delivered,yes,160,no,,,,96,96,72,0.75,90,70,,300,0,0,,,,,,',
      'content item,New,501,71,Friday Five,2026-11-09 09:30:00,Priya Shah,delivered,yes,,,1,1,rating,160,80,60,0.75,80,60,0.5,240,0,7,3,4.333333333333333,2,2,1,',
      'delivery,Not available,502,71,Friday Five,2026-11-09 09:30:00,Priya Shah,delivered,,,no,,,,,,,,,,,,0,,,,,,,this was removed from the service (status 410)',
      '',
    ].join('\r\n'),
  );
});

test('says of each line whether its broadcast asks for a response, and of a delivery how many people it is for', () => {
  const text = content({ type: 'text', listed: 40, reach: 1, seen: 40 });
  const unknown = delivery({
    id: '503',
    seen: 41,
    responded: 3,
    broadcast: { ...delivery().broadcast, id: '72' },
    contents: [text],
  });
  const rows = cellsOf(digest({ deliveries: [{ ...unknown, id: '502', seen: 40 }, unknown] }));
  expect(rows.map((row) => row.slice(8, 10))).toEqual([
    ['Asks for a response', 'Audience'],
    ['no', '40'],
    ['no', ''],
    // More people saw it than are on the list, so that is not its audience.
    ['no', ''],
    ['no', ''],
  ]);
});

test('has no figures of the period where too many dates cannot be read', () => {
  const unavailable = { reason: 'dates-unreadable' } as const;
  const contents = [content({ inPeriod: null }), content({ seen: 0, reach: null })];
  const unread = delivery({ reach: 0.6, inPeriod: null, unavailable, contents });
  const rows = cellsOf(digest({ deliveries: [unread] })).slice(1);
  expect(rows.map((row) => row.slice(15, 21).concat(row.slice(-1)))).toEqual([
    ['96', '72', '0.75', '', '', '0.6', 'too many dates could not be read'],
    ['80', '60', '0.75', '', '', '0.5', 'too many dates could not be read'],
    ['0', '60', '', '80', '60', '', ''],
  ]);
});

test('every cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\u202e=1', '＝1', '|calc', 'x;=1+1; @y;z', 'x;"=1', 'a=1'];
  const deliveries = formulas.map((name) => delivery({ broadcast: { ...delivery().broadcast, name } }));
  const names = cellsOf(digest({ deliveries }))
    .slice(1)
    .map((row) => row[4]);
  expect(names.join(' ')).toBe(`'=1+1 '+1 '-1 '@SUM(A1) '=1 '=1 '＝1 '|calc x;'=1+1; '@y;z x;"'=1 a=1`);
});

test('a text that no cell can hold is cut, so that the file of one long name still comes with the mail', () => {
  const name = `=long ${'name '.repeat(1024 * 1024)}`;
  const cell =
    cellsOf(digest({ deliveries: [delivery({ broadcast: { ...delivery().broadcast, name } })] }))[1]?.[4] ?? '';
  expect([cell.length, cell.slice(0, 6), cell.at(-1)]).toEqual([32_767, "'=long", '…']);
});

test('every line has as many cells as there are headings, whatever the texts hold', () => {
  const deliveries = hostileTexts.map((name) =>
    delivery({ id: name, status: name, broadcast: { id: name, name, createdAt: null, createdBy: name } }),
  );
  const rows = cellsOf(digest({ deliveries: [...digestNamed('an incomplete week').deliveries, ...deliveries] }));
  expect(rows.length).toBe(1 + 7 + 9 + hostileTexts.length);
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
});
