import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { viewTiles } from '../../../../functions/render/sections/tiles.ts';
import { digest, engaged } from '../../../support/digests/pieces.ts';
import { language, plain } from './entries.ts';

const previous = {
  deliveries: 6,
  broadcasts: 3,
  seen: 292,
  responded: 120,
  asked: engaged(289, 179),
  responseRate: 179 / 289,
};
const totals: Digest['totals'] = {
  ...digest().totals,
  deliveries: 8,
  broadcasts: 4,
  seen: 372,
  responded: 115,
  asked: { seen: 151, responded: 130, answered: 107 },
  responseRate: 107 / 151,
  previous,
};
const lacking = { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' };
const view = (over: Partial<Digest['totals']> = {}) =>
  plain(viewTiles(digest({ totals: { ...totals, ...over } }), language));

test('are views, response rate and new broadcasts, each with its change, and what the rate is of', () => {
  expect(view()).toEqual({
    tiles: [
      { label: 'Views', value: '372', notes: ['+80 (was 292)'] },
      { label: 'Response rate', value: '71%', notes: ['+9 pts (was 62%)'] },
      { label: 'New broadcasts', value: '4', notes: ['+1 (was 3)', '8 deliveries'] },
    ],
    long: false,
    lines: [
      'Views           372  +80 (was 292)',
      'Response rate   71%  +9 pts (was 62%)',
      'New broadcasts    4  +1 (was 3), 8 deliveries',
    ],
    note:
      'The response rate is of the broadcasts that ask something: 107 of 151 viewers responded. ' +
      'The other 221 views (59%; 1% before) were of broadcasts that only inform.',
  });
});

test('are not there where the totals are left out', () => {
  expect(view({ seen: null })).toBeNull();
});

test('are in smaller type where one of them is as long as a million', () => {
  expect([view({ seen: 999_999 })?.long, view({ seen: 1_000_000 })?.long]).toEqual([false, true]);
});

describe('a change', () => {
  test('of nothing says so', () => {
    expect(view({ previous: totals })?.tiles.map(({ notes }) => notes[0])).toEqual([
      'as before (372)',
      'as before (71%)',
      'as before (4)',
    ]);
  });

  test('is the difference of the two rates that are shown', () => {
    const rates = view({ responseRate: 0.704, previous: { ...previous, responseRate: 0.696 } });
    expect(rates?.tiles[1]).toEqual({ label: 'Response rate', value: '70%', notes: ['as before (70%)'] });
  });

  test.each([
    ['incomplete-now', 'There is no comparison, because figures of November 2 – 8, 2026 are missing.'],
    ['incomplete-before', 'There is no comparison, because figures of November 2 – 8, 2026 are missing.'],
    ['first', 'This is the first digest of this report: there is nothing to compare with yet.'],
    ['first-so-early', 'This is the first digest for so early a period: there is nothing to compare with.'],
    ['not-kept', 'There is no comparison: no digest was made for November 2 – 8, 2026.'],
    [
      'counted-otherwise',
      'There is no comparison: November 2 – 8, 2026 was counted under other filters or in another time zone.',
    ],
  ] as const)('is not there without a comparison, for a reason: %s', (reason, sentence) => {
    const shown = view({ previous: null, comparison: { basis: 'none', reason, lacking } });
    expect(shown?.tiles.map(({ notes }) => notes)).toEqual([[], [], ['8 deliveries']]);
    expect(shown?.note.endsWith(`(59%) were of broadcasts that only inform. ${sentence}`)).toBe(true);
  });

  test('is not there for what an earlier release did not count', () => {
    const shown = view({ previous: { ...previous, broadcasts: null, asked: null, responseRate: null } });
    expect(shown?.tiles.map(({ notes }) => notes)).toEqual([['+80 (was 292)'], [], ['8 deliveries']]);
    expect(shown?.note).toMatch(/inform\. There is no earlier response rate to compare with\.$/);
  });
});

describe('the response rate', () => {
  test('is a dash where nothing was asked', () => {
    const shown = view({ asked: engaged(0, 0), responseRate: null });
    expect(shown?.tiles[1]).toEqual({ label: 'Response rate', value: '–', notes: [] });
    expect(shown?.note).toBe('Nothing that was seen asked for a response.');
    expect(view({ asked: engaged(0, 12), responseRate: null })?.note).toBe('');
  });

  test('of views that all asked something leaves no other views', () => {
    const shown = view({ asked: engaged(372, 115), responseRate: 115 / 372 });
    expect(shown?.note).toBe(
      'The response rate is of the broadcasts that ask something: 115 of 372 viewers responded.',
    );
  });

  test('is a dash, and nothing is said of it, where it is not known what asks', () => {
    const shown = view({ asked: null, responseRate: null });
    expect([shown?.tiles[1]?.value, shown?.note]).toEqual(['–', '']);
  });
});
