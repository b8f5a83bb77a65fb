import { expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { mailLimits } from '../../../../functions/render/limits.ts';
import { sayLate, sayNotes } from '../../../../functions/render/sections/notes.ts';
import { delivery, digest } from '../../../support/digests/pieces.ts';
import { entry, language, plain, sectionOf } from './entries.ts';

const { report } = sectionOf(digest());
const notes = (over: Partial<Digest> = {}, file: Parameters<typeof sayNotes>[0]['file'] = 'none') =>
  plain(sayNotes({ digest: digest(over), report, limits: mailLimits, file }, language));
const asOf = 'Data as of Nov 16, 2026, 8:00 AM, Europe/London.';

test('the notes of nothing say when the data was read', () => {
  expect(notes()).toEqual([asOf]);
});

test('the notes say what is in the file, or that it is too large', () => {
  expect(notes({}, { name: 'a.csv' })[0]).toBe(
    'The attached file a.csv has every delivery and content item with all figures.',
  );
  expect(notes({}, 'too-large')[0]).toMatch(/^The file with all rows is too large for a mail/);
});

test('the notes say what else bears on the figures', () => {
  const broadcasts = [entry({ stillCounting: true })];
  const deliveries = [delivery({ listed: 100, lackingFields: 11 }), delivery({ listed: 100, lackingFields: 10 })];
  const totals = { ...digest().totals, undated: 3 };
  expect(
    notes({
      broadcasts,
      deliveries,
      totals,
      unseenNotNamed: 2,
      unknownDate: 3,
      otherStatuses: { scheduled: 1, in_progress: 3 },
    }),
  ).toEqual([
    'Views and responses are counted by delivery: somebody who saw two counts twice.',
    '“Still counting”: the first sign is less than 48 hours old at the end of the period, so the figures will grow.',
    '2 older deliveries that nobody has seen are no longer named here.',
    '3 more deliveries that nobody has seen are of unknown date; they are not named.',
    'In 1 recipient list, more than a tenth of the rows do not say whether the content was seen or answered. They count as not seen and not answered, so the figures may be too low.',
    '3 rows have dates that cannot be read. They count to date, not in the period.',
    'Not counted here: 3 in progress, 1 scheduled.',
    asOf,
  ]);
});

test.each([
  [{ seen: 200, responded: 0 }, '200 views from before Nov 9 came too late for the last digest.'],
  [{ seen: 1, responded: 3 }, '1 view and 3 responses from before Nov 9 came too late for the last digest.'],
  [{ seen: 0, responded: 0 }, null],
  [null, null],
])('what came late has a line: %j', (late, sentence) => {
  expect(plain(sayLate(digest({ late }), language))).toBe(sentence);
});

test('figures to date are said to be so where those of the period are not known', () => {
  expect(notes({ broadcasts: [entry({ inPeriod: null })] })[0]).toMatch(/^The figures of new broadcasts are to date/);
});

test('the notes name six other statuses and count the rest', () => {
  const otherStatuses = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`s${index}`, 8 - index]));
  expect(notes({ otherStatuses })[0]).toBe(
    'Not counted here: 8 s0, 7 s1, 6 s2, 5 s3, 4 s4, 3 s5, 3 with further statuses.',
  );
});
