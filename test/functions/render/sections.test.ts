import { describe, expect, test } from 'vitest';
import type { Digest, DigestDelivery } from '../../../functions/domain/digest.ts';
import { pageLimits } from '../../../functions/render/input.ts';
import { viewNewBroadcasts, viewStillRead } from '../../../functions/render/sections/broadcasts.ts';
import { viewDetails } from '../../../functions/render/sections/details.ts';
import { sayElsewhere } from '../../../functions/render/sections/more.ts';
import { sayFirstNeed, viewNeeds } from '../../../functions/render/sections/needs.ts';
import { sayLate, sayNotes, type FilesOfMail } from '../../../functions/render/sections/notes.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { viewTrend } from '../../../functions/render/sections/trend.ts';
import { sayVerdict } from '../../../functions/render/sections/verdict.ts';
import { content, delivery, digest, engaged } from '../../support/digests/pieces.ts';
import { plain, sectionOf } from './sections.ts';

// What every section says is approved (approved.test.ts), and its figures are read in the mails of generated accounts
// (accounts.test.ts). Here is what needs a digest of its own.

const totals = (over: Partial<Digest['totals']>): Digest['totals'] => ({ ...digest().totals, ...over });
const ofDeliveries = (deliveries: DigestDelivery[], over: Partial<Digest> = {}) =>
  sectionOf(digest({ deliveries, ...over }));

/** A new delivery of a broadcast of its own that asks something. */
const asking = (id: string, over: Partial<DigestDelivery> = {}) =>
  delivery({ id, broadcast: { ...delivery().broadcast, id }, contents: [content({ type: 'poll' })], ...over });
const nothing = { ...engaged(0, 0), inPeriod: engaged(0, 0) };
const unseen = (id: string) => asking(id, { kind: 'silent', ...nothing, firstSign: null, contents: [] });
const older = (id: string, seen: number, responded: number) =>
  asking(id, { kind: 'active', inPeriod: engaged(seen, responded) });
const lost = { what: 'delivery', reason: 'failed' } as const;

/** The totals of a period in which everything asks. */
const period = (seen: number, responded: number) => totals({ seen, responded, asked: { ...engaged(seen, responded) } });

/** Deliveries of as many broadcasts that ask nothing, with so many views in the period; and what is said of them beside 100. */
const informing = (...seen: number[]): DigestDelivery[] =>
  seen.map((each, id) => asking(String(id), { inPeriod: engaged(each, 0), contents: [content()] }));
const saidOfHundred = (deliveries: DigestDelivery[]) =>
  sayVerdict(ofDeliveries(deliveries, { totals: { ...period(100, 0), previous: period(100, 0) } })).slice(1);

const usual = (share: number | null, seen = 76) => ({ of: 3, editions: [], seen, responded: 1, share });

const ofTrend = { ...period(0, 50), start: '2026-11-09T00:00:00+00:00' };
const trend = (...views: Array<number | null>) =>
  views.map((seen) => Object.assign({}, ofTrend, { seen, complete: seen !== null }));

describe('the verdict', () => {
  const changed = (now: [number, number], before: [number, number], over: Partial<Digest> = {}) =>
    sayVerdict(ofDeliveries([asking('1')], { totals: { ...period(...now), previous: period(...before) }, ...over }));
  const views = (now: number, before: number, ...more: Array<number | null>) =>
    changed([now, 50], [before, 50], { trend: trend(...more, before, now) });

  test.each([
    [
      'what moved by more of its former value',
      changed([372, 107], [292, 180]),
      '107 responses, 73 fewer than the week before.',
    ],
    ['the views', changed([372, 100], [292, 95]), '372 views, 80 more than the week before.'],
    ['a tenth', views(90, 100), '90 views, 10 fewer than the week before.'],
    ['less than a tenth', views(190, 201), 'Views and responses are about the same as the week before.'],
    ['less than ten', views(61, 70), 'Views and responses are about the same as the week before.'],
    ['no change', changed([50, 5], [50, 5]), 'Views and responses are about the same as the week before.'],
    ['few', changed([4, 1], [12, 1]), '4 views; 12 the week before.'],
    ['none before', changed([40, 30], [35, 0]), '30 responses; 0 the week before.'],
    ['none now', changed([40, 0], [35, 20]), '0 responses; 20 the week before.'],
    ['the fewest of four', views(80, 100, 90, 100), '80 views, 20 fewer than the week before, the fewest in 4 weeks.'],
    ['as few as once before', views(80, 100, 80, 100), '80 views, 20 fewer than the week before.'],
    ['the fewest of three', views(80, 100, 90), '80 views, 20 fewer than the week before.'],
    ['a gap in the trend', views(80, 100, 90, null), '80 views, 20 fewer than the week before.'],
    ['the most of five', views(180, 100, 90, 100, 70), '180 views, 80 more than the week before, the most in 5 weeks.'],
    [
      'nothing to compare with',
      changed([372, 107], [0, 0], {
        totals: {
          ...period(372, 107),
          previous: null,
          comparison: { basis: 'none', reason: 'first', lacking: { start: '', end: '' } },
        },
      }),
      '372 views, 107 responses.',
    ],
  ])('says %s', (_, said, sentence) => expect(said).toEqual([sentence]));

  test.each([
    ['and totals with them', { totals: totals({ seen: null }) }, 'Some figures are missing, so there are no totals.'],
    ['but not of the totals', {}, 'Some figures are missing from this digest.'],
  ])('says that figures are missing, %s', (_, over, said) => {
    expect(sayVerdict(ofDeliveries([asking('1'), unseen('2')], { missing: [lost], ...over }))).toEqual([said]);
  });

  test('names the broadcast that half of the views were of, where there are three', () => {
    expect(saidOfHundred(informing(50, 30, 20))).toEqual([
      '50 of the 100 views were of “Friday Five”, which asks nothing.',
    ]);
    expect([saidOfHundred(informing(49, 31, 20)), saidOfHundred(informing(60, 40))]).toEqual([[], []]);
    const [first, ...others] = informing(30, 30, 20);
    // The same broadcast, as an older delivery.
    const again = { ...informing(20)[0]!, id: 'again', kind: 'active' as const };
    expect(saidOfHundred([first!, ...others, again])).toEqual([
      '50 of the 100 views were of “Friday Five”, which asks nothing.',
    ]);
  });

  test.each([
    [
      'a quarter below',
      [{ seen: 45, usual: usual(0.6) }],
      '“Friday Five” reached 45 of 100 (45%) within 2 days; usually 60%.',
    ],
    ['less', [{ seen: 46, usual: usual(0.6) }], undefined],
    [
      'a quarter above',
      [{ seen: 75, usual: usual(0.6) }],
      '“Friday Five” reached 75 of 100 (75%) within 2 days; usually 60%.',
    ],
    ['few', [{ seen: 1, usual: usual(0.099) }], undefined],
    ['no usual', [{ seen: 1, usual: null }], undefined],
    ['counts', [{ seen: 30, usual: usual(null) }], '“Friday Five” had 30 views within 2 days; usually 76.'],
    [
      'the lowest of three, and not the highest',
      [
        { seen: 99, usual: usual(0.1) },
        { seen: 20, usual: usual(0.4) },
        { seen: 10, usual: usual(0.4) },
      ],
      '“Friday Five” reached 10 of 100 (10%) within 2 days; usually 40%.',
    ],
  ])('compares a new broadcast with its usual: %s', (_, ages, said) => {
    const [first] = digest({ deliveries: [asking('1')] }).broadcasts;
    const broadcasts = ages.map((age, id) => ({
      ...first!,
      id: String(id),
      audience: age.usual?.share === null ? null : 100,
      atAge: { hours: 48, responded: 0, ...age },
    }));
    const of = { ...digest({ deliveries: [asking('1')] }), broadcasts };
    expect(sayVerdict(sectionOf(of)).slice(1)).toEqual(said === undefined ? [] : [said]);
  });
});

describe('what needs somebody', () => {
  test('may be nothing, which is not said where something is missing, and the first is in the preheader', () => {
    const none = ofDeliveries([asking('1')]);
    expect([viewNeeds(none)?.heading, viewNeeds(none)?.needs]).toEqual(['Nothing needs you', []]);
    expect(sayFirstNeed(none)).toEqual(['Nothing needs you.']);
    expect(sayFirstNeed(ofDeliveries([unseen('1')]))).toEqual(['“Friday Five”: nobody has seen it.']);
    const part = ofDeliveries([asking('1')], { missing: [lost] });
    expect([viewNeeds(part), sayFirstNeed(part)]).toEqual([null, []]);
  });
});

describe('the figures of the period', () => {
  const previous = {
    deliveries: 6,
    broadcasts: 3,
    seen: 292,
    responded: 120,
    asked: engaged(289, 179),
    responseRate: 179 / 289,
  };
  const now: Digest['totals'] = {
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
    plain(viewTiles(sectionOf(digest({ totals: { ...now, ...over } }))));
  const notes = (over: Partial<Digest['totals']>) => view(over)?.tiles.map((tile) => tile.notes);

  test('are left out where they are not known, and are smaller where one is a million', () => {
    const seen = [null, 999_999, 1_000_000].map((views) => view({ seen: views })?.long);
    expect(seen).toEqual([undefined, false, true]);
  });

  test('say where nothing has changed that is shown, and what was not counted before', () => {
    const alike = { ...now, responseRate: 0.713 };
    expect(notes({ previous: alike })).toEqual([
      ['as before (372)'],
      ['as before (71%)'],
      ['as before (4)', '8 deliveries'],
    ]);
    const uncounted = { previous: { ...previous, broadcasts: null, asked: null, responseRate: null } };
    expect(notes(uncounted)).toEqual([['+80 (was 292)'], [], ['8 deliveries']]);
    expect(view(uncounted)?.note).toMatch(/inform\. There is no earlier response rate to compare with\.$/);
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
  ] as const)('have no change without a comparison, for a reason: %s', (reason, sentence) => {
    const over = { comparison: { basis: 'none', reason, lacking } } as const;
    expect(notes(over)).toEqual([[], [], ['8 deliveries']]);
    expect(view(over)?.note.endsWith(`(59%) were of broadcasts that only inform. ${sentence}`)).toBe(true);
  });

  test.each([
    ['nothing was asked', engaged(0, 0), 'Nothing that was seen asked for a response.'],
    ['nothing that was asked was seen', engaged(0, 12), ''],
    ['it is not known what asks', null, ''],
  ])('have a dash for a rate: %s', (_, asked, note) => {
    const shown = view({ asked, responseRate: null });
    expect([shown?.tiles[1]?.value, shown?.note]).toEqual(['–', note]);
  });
});

describe('what is not shown', () => {
  test.each([
    [3, 3, { hasPage: false, hasFile: true }, 'They are in the files.'],
    [1, 0, { hasPage: false, hasFile: true }, 'It is in the files.'],
    [3, 3, { hasPage: true, hasFile: true }, 'They are under “See everything”.'],
    [3, 2, { hasPage: true, hasFile: true }, '2 of them are under “See everything”. The other is in the files.'],
    [3, 2, { hasPage: true, hasFile: false }, '2 of them are under “See everything”.'],
    [3, -1, { hasPage: true, hasFile: false }, ''],
  ])('of %d things, %d of them on the page, is said to be there or in the file: %j', (count, onPage, has, said) => {
    const section = sectionOf(digest(), has);
    expect(sayElsewhere('Some.', { count, onPage }, section)).toBe(`Some. ${said}`.trim());
  });

  test('of more new broadcasts than there is room for is a sentence with their sums, where all are known', () => {
    const many = Array.from({ length: 200 }, (_, index) => asking(`b${index}`));
    const shown = viewNewBroadcasts(ofDeliveries(many));
    expect([shown?.heading, shown?.broadcasts.length, shown?.more]).toEqual([
      'New this week · 200 broadcasts',
      10,
      '190 more broadcasts: 17,100 views and 13,300 responses together. They are in the files.',
    ]);
    const unknown = { ...ofDeliveries([...many, asking('x', { inPeriod: null })]), hasPage: true };
    expect(viewNewBroadcasts(unknown)?.more).toBe(
      '191 more broadcasts. 190 of them are under “See everything”. The other is in the files.',
    );
  });

  test('of the rows of a page is counted for each broadcast', () => {
    const contents = ['1', '2', '3'].map((id) => content({ id, type: 'poll' }));
    const three = ofDeliveries([delivery({ contents }), delivery({ id: '502', contents }), asking('9', { contents })]);
    const notesOf = (over: Partial<typeof pageLimits>) =>
      [...viewDetails({ ...three, limits: { ...pageLimits, ...over } }).values()].map(({ tables, notes }) => [
        tables.map(({ rows }) => rows.length),
        notes,
      ]);
    expect(notesOf({ rows: 4 })).toEqual([
      [[3, 1], ['1 more delivery. It is in the files.']],
      [[], ['3 items are not shown. They are in the files.']],
    ]);
    expect(notesOf({ items: 2 })[0]).toEqual([[2, 2], ['1 more item. It is in the files.']]);
  });

  test('of older broadcasts may be all of them, or nothing', () => {
    const shown = [[asking('1'), older('2', 0, 0)], [older('1', 1, 1)], [older('1', 2, 1)]].map((deliveries) =>
      viewStillRead(ofDeliveries(deliveries)),
    );
    const all = '1 older broadcast: 1 view and 1 response together. It is in the files.';
    expect(shown.map((section) => section?.more)).toEqual([undefined, all, null]);
  });
});

const periodOf = (seen: number | null): Digest['trend'][number] => {
  const unknown = { broadcasts: null, asked: null, responseRate: null };
  return { start: digest().period.start, seen, responded: seen, complete: true, ...unknown };
};

test.each([
  [[], undefined],
  [[372], undefined],
  [[null, 372], undefined],
  [[292, 372], 2],
])('a trend of fewer than two known periods is none: %j', (views, shown) => {
  expect(viewTrend(sectionOf(digest({ trend: views.map(periodOf) })))?.periods.length).toBe(shown);
});

test.each([
  ['attached', 'The two attached files have every delivery and every content item with all figures.'],
  ['too-large', 'The files with all rows are too large for a mail.'],
  ['none', 'Data as of Nov 16, 2026, 8:00 AM, Europe/London.'],
] satisfies Array<[FilesOfMail, string]>)('the notes begin with the files, where there are any: %s', (files, first) => {
  expect(plain(sayNotes(sectionOf(digest()), files))[0]).toContain(first);
});

test.each([
  [engaged(200, 0), '200 views from before Nov 9 came too late for the last digest.'],
  [engaged(0, 0), null],
  [null, null],
])('what came late is a sentence, if anything did: %j', (late, sentence) => {
  expect(plain(sayLate(sectionOf(digest({ late }))))).toBe(sentence);
});
