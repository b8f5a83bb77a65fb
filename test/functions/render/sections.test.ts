import { describe, expect, test } from 'vitest';
import type { Digest, DigestBroadcast, DigestDelivery } from '../../../functions/domain/digest.ts';
import { fitsPage, pageLimits, type SectionInput } from '../../../functions/render/input.ts';
import { scaleOf } from '../../../functions/render/sections/figures.ts';
import { findNeeds, sayFirstNeed, viewNeeds } from '../../../functions/render/sections/needs.ts';
import { viewNewBroadcasts } from '../../../functions/render/sections/new-broadcasts.ts';
import { sayNotes } from '../../../functions/render/sections/notes.ts';
import { viewDetails } from '../../../functions/render/sections/details.ts';
import { sortForPage, viewIndex } from '../../../functions/render/sections/page-index.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { viewTrend } from '../../../functions/render/sections/trend.ts';
import { sayVerdict } from '../../../functions/render/sections/verdict.ts';
import { content, delivery, digest, engaged } from '../../support/digests/pieces.ts';
import { plain, sectionOf } from './sections.ts';

// What every section says is approved (approved.test.ts), and its figures are read in all outputs of generated digests
// (outputs.test.ts). Here is what needs a digest of its own.

const totals = (over: Partial<Digest['totals']>): Digest['totals'] => ({ ...digest().totals, ...over });
const ofDeliveries = (deliveries: DigestDelivery[], over: Partial<Digest> = {}) =>
  sectionOf(digest({ deliveries, ...over }));

/** A new delivery of a broadcast of its own that asks something. */
const asking = (id: string, over: Partial<DigestDelivery> = {}) =>
  delivery({ id, broadcast: { ...delivery().broadcast, id }, contents: [content({ type: 'poll' })], ...over });
const nothing = { ...engaged(0, 0), inPeriod: engaged(0, 0) };
const unseen = (id: string) => asking(id, { kind: 'silent', ...nothing, firstSign: null, contents: [] });
const lost = { what: 'delivery', reason: 'failed' } as const;

/** The totals of a period in which everything asks. */
const period = (seen: number, responded: number) => totals({ seen, responded, asked: { ...engaged(seen, responded) } });

/** Deliveries of as many broadcasts that ask nothing, with so many views in the period; and what is said of them beside 100. */
const informing = (...seen: number[]): DigestDelivery[] =>
  seen.map((views, id) => asking(String(id), { responded: 0, inPeriod: engaged(views, 0), contents: [content()] }));
const saidOfHundred = (deliveries: DigestDelivery[]) =>
  sayVerdict(ofDeliveries(deliveries, { totals: { ...period(100, 0), previous: period(100, 0) } })).slice(1);

const usual = (share: number | null, seen = 76) => ({ of: 3, seen, responded: 1, share, editions: [] });

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
    ['few responses', changed([60, 5], [40, 5]), '60 views, 20 more than the week before.'],
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

  test('says nothing while figures are missing', () => {
    expect(sayVerdict(ofDeliveries([asking('1'), unseen('2')], { missing: [lost] }))).toEqual([]);
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
    ['counts', [{ seen: 30, hours: 24, usual: usual(null) }], '“Friday Five” had 30 views within 1 day; usually 76.'],
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

/** A digest of broadcasts, each of one delivery, with what differs from it. */
const ofBroadcasts = (
  all: ReadonlyArray<Partial<DigestDelivery> & { as?: Partial<DigestBroadcast> }>,
  over: Partial<Digest> = {},
  section: Partial<SectionInput> = {},
) => {
  const deliveries = all.map((each, index) => asking(String(index + 1), each));
  const of = digest({ deliveries });
  const broadcasts = of.broadcasts.map((broadcast) => Object.assign({}, broadcast, all[Number(broadcast.id) - 1]?.as));
  return sectionOf({ ...of, broadcasts, ...over }, section);
};
/** Seen by so many, of an audience where one is given. */
const saw = (seen: number, audience: number | null, as: Partial<DigestBroadcast> = {}) => ({
  ...engaged(seen, 0),
  listed: audience ?? seen,
  reach: audience === null ? null : seen / audience,
  inPeriod: engaged(seen, 0),
  contents: [content({ type: 'poll', seen, responded: 0, reach: null })],
  judged: true,
  as,
});
const silent = (audience: number | null, as: Partial<DigestBroadcast> = {}) => ({
  ...saw(0, audience, as),
  kind: 'silent' as const,
  firstSign: null,
});
/** What a broadcast had within two days, and what is usual then: as a share, or as a count. */
const within = (seen: number, share: number | null, usual = 76) => ({
  atAge: { hours: 48, seen, responded: 0, usual: { of: 3, seen: usual, responded: 0, share, editions: [] } },
});

const adviceOf = (...all: Parameters<typeof ofBroadcasts>[0]) =>
  viewNeeds(ofBroadcasts(all))?.needs.map((need) => ('advice' in need ? `${need.count}: ${need.advice}` : ''));

const linkWith = (page: string | null) => viewNeeds(ofBroadcasts([saw(9, 90)], {}, { page }))?.needs[0]?.link;

/** The same of an older delivery, of 50. */
const part = (seen: number) => ({ ...saw(seen, 50), kind: 'active' as const });

describe('what needs somebody', () => {
  test.each([
    ['fewer than half', saw(44, 89), '44 of 89: Remind the 45 who have not seen it.'],
    ['half', saw(45, 90), null],
    ['ten who have not', saw(9, 19), '9 of 19: Remind the 10 who have not seen it.'],
    ['nine who have not', saw(8, 17), null],
    ['not judged now', { ...saw(4, 90), judged: false }, null],
    [
      'a quarter below its usual',
      saw(45, 90, within(45, 2 / 3)),
      '45 of 90: Remind the 45 who have not seen it. Usually 67% within 2 days.',
    ],
    ['less than a quarter below a low usual', saw(31, 100, within(31, 0.41)), null],
    ['a usual of fewer than ten', saw(1, 100, within(1, 0.099)), null],
    [
      'half of its usual count, of an unknown audience',
      saw(38, null, within(38, null)),
      '38: Ask Priya Shah to send a reminder. Usually 76 within 2 days.',
    ],
    ['more than half of its usual count', saw(39, null, within(39, null)), null],
    ['an unknown audience without a usual', saw(1, null), null],
    ['nobody', silent(68), '0 of 68: Ask Priya Shah whether it went out.'],
    [
      'nobody, again and of nobody knows how many',
      silent(null, { timesNamed: 2 }),
      '0: Ask Priya Shah whether it went out. 3rd week on this list.',
    ],
    ['nobody, and no author', silent(68, { createdBy: null }), '0 of 68: Find out whether it went out.'],
    ['nobody yet', { ...silent(68), judged: false }, null],
  ])('is said with what to do: %s', (_, broadcast, expected) => {
    expect(adviceOf(broadcast)).toEqual(expected === null ? [] : [expected]);
  });

  test('comes in the order of how many are not reached, unknown audiences last, and at most five are named', () => {
    const section = ofBroadcasts([silent(null), saw(40, 100), silent(59), silent(61), saw(10, 99), silent(12)]);
    const seen = viewNeeds(section)?.needs.map((need) => ('count' in need ? need.count : ''));
    expect(seen).toEqual(['10 of 99', '0 of 61', '40 of 100', '0 of 59', '0 of 12']);
    expect([viewNeeds(section)?.more, viewNeeds({ ...section, page: 'https://p' })?.more]).toEqual([
      '1 more',
      '1 more in the full report',
    ]);
    expect(findNeeds(section.digest).length).toBe(6);
  });

  test('may be a part of a broadcast, which is said', () => {
    const section = ofDeliveries([
      asking('1', { ...part(10), firstSign: '2026-11-11T08:00:00+00:00' }),
      asking('1', { ...part(20), id: '2' }),
      asking('1', { ...part(40), id: '3', judged: false }),
    ]);
    expect(plain(viewNeeds(section))?.needs).toMatchObject([
      { count: '30 of 100', part: '2 of 3 deliveries, first seen Nov 10' },
    ]);
  });

  test('leads to its place on the page, else to its own address', () => {
    expect([linkWith('https://p/x'), linkWith(''), linkWith(null)]).toEqual([
      'https://p/x#broadcast-1',
      '#broadcast-1',
      'https://reporting.example.com/broadcasts/1',
    ]);
  });

  test('may be nothing, which is not said where something is missing or of unknown date', () => {
    const none = { heading: 'Nothing needs you.', needs: [], column: null, more: null };
    expect(viewNeeds(ofBroadcasts([saw(90, 90)]))).toEqual(none);
    expect(viewNeeds(ofBroadcasts([saw(90, 90)], { missing: [lost] }))).toBeNull();
    expect(viewNeeds(ofBroadcasts([saw(90, 90)], { unknownDate: 1 }))).toBeNull();
  });

  test.each([
    [silent(68), '“Friday Five”: none of 68 has seen it.'],
    [silent(null), '“Friday Five”: nobody has seen it.'],
    [saw(36, 93), '“Friday Five”: 36 of 93 saw it.'],
  ])('is the first thing in the preheader', (broadcast, sentence) => {
    expect(sayFirstNeed(ofBroadcasts([broadcast]))).toEqual([sentence]);
  });
});

describe('the tiles', () => {
  const previous = { ...period(292, 180), broadcasts: 3 };
  const now = { ...period(372, 107), broadcasts: 4, previous };
  const tilesOf = (over: Partial<Digest['totals']>, all: Parameters<typeof ofBroadcasts>[0] = []) =>
    plain(viewTiles(ofBroadcasts(all, { totals: { ...now, ...over } })));
  const values = (...args: Parameters<typeof tilesOf>) => tilesOf(...args)?.tiles.map(({ value }) => value);

  const reachOf = (...all: Parameters<typeof ofBroadcasts>[0]) => {
    const { value, note } = tilesOf({}, all)?.tiles[2] ?? {};
    return [value, note];
  };

  test('are left out where they are not known, and are smaller where one is a million', () => {
    const seen = [null, 999_999, 1_000_000].map((views) => tilesOf({ seen: views })?.long);
    expect(seen).toEqual([undefined, false, true]);
  });

  test('say counts and their changes, in the text with what they were', () => {
    expect(tilesOf({})?.lines).toEqual([
      'Responses  107  73 fewer (was 180)',
      'Views      372  80 more (was 292)',
      'New          4  1 more (was 3)',
    ]);
    expect(tilesOf({ previous: { ...previous, seen: 372 } })?.tiles[1]?.note).toBe('as before');
    const lacking = { start: '2026-11-02T00:00:00Z', end: '2026-11-09T00:00:00Z' };
    const first = tilesOf({ comparison: { basis: 'none', reason: 'first', lacking } });
    expect(first?.tiles.map(({ change, note }) => change ?? note)).toEqual([null, null, null]);
    expect(values({ responded: null })).toEqual(['–', '372', '4']);
  });

  test('say the reach of what is new, and of what is named as unseen for the first time, where audiences are known', () => {
    const later = { ...saw(50, 93), inPeriod: engaged(36, 0) };
    expect(reachOf(later, saw(60, 127), silent(68), saw(220, null))).toEqual(['33%', '96 of 288 by Sunday']);
    expect(reachOf(later, silent(68, { timesNamed: 1 }), { ...silent(70), judged: false })).toEqual([
      '39%',
      '36 of 93 by Sunday',
    ]);
    expect(reachOf({ ...saw(90, 90), kind: 'active' })).toEqual(['4', null]);
  });
});

const barsOf = (...all: Parameters<typeof ofBroadcasts>[0]) => {
  const { blocks = [], legend } = viewNewBroadcasts(ofBroadcasts(all)) ?? {};
  return [blocks.map(({ bar }) => bar?.second ?? null), legend?.note];
};

describe('new broadcasts', () => {
  test('have their items where there are five at most; of very many some have a row each, and the rest a sum', () => {
    const contents = [content({ type: 'poll' }), content({ id: '2' })];
    const all = (count: number) => ofBroadcasts(Array.from({ length: count }, () => ({ ...saw(90, 100), contents })));
    const [few, many] = [5, 70].map((count) => viewNewBroadcasts(all(count)));
    expect(few?.blocks.map(({ items }) => items?.rows.length)).toEqual([2, 2, 2, 2, 2]);
    expect(many?.blocks.every(({ items }) => items === null)).toBe(true);
    expect([many?.others?.rows.length, many?.more]).toEqual([60, '5 more broadcasts: 450 views, 0 responses']);
  });

  test('have bars on one scale: their audiences, or where none is known the most seen one', () => {
    expect(barsOf(saw(60, 100), saw(220, null))).toEqual([
      [null, '60%'],
      'No bar: its audience is small or not known.',
    ]);
    expect(barsOf(saw(55, null), saw(220, null))).toEqual([
      ['100%', '25%'],
      'One scale for all bars: the full width is 220 views.',
    ]);
  });
});

test('a trend has bars in two shades, of what asks and of what informs, and a gap for what is not known', () => {
  const parts = { ...ofTrend, seen: 400, complete: true, asked: engaged(100, 50) };
  const { periods } = viewTrend(sectionOf(digest({ trend: [parts, ...trend(null, 200)] })));
  expect(periods.map(({ bar, missing }) => [bar?.first, bar?.second, missing])).toEqual([
    ['25%', '75%', null],
    [undefined, undefined, 'Figures are missing'],
    [null, '50%', null],
  ]);
});

const notesOf = (over: Partial<Digest> = {}, section: Partial<SectionInput> = {}) =>
  plain(sayNotes(ofBroadcasts([saw(9, 9)], over, section)));

describe('the notes', () => {
  test('are three lines, of which the last says where everything is', () => {
    const last = (section: Partial<SectionInput>) => notesOf({}, section)[2];
    expect(notesOf({}, { page: 'https://p' })).toEqual([
      'Whoever saw two deliveries counts twice.',
      'Period: Nov 9 – 15. New broadcasts: figures up to Nov 16, 2026, 8:00 AM, Europe/London.',
      'Every delivery and item is in the full report and its two files.',
    ]);
    expect([
      last({ files: 'attached' }),
      last({ files: 'too-large' }),
      last({ files: 'none' }),
      last({ page: '' }),
    ]).toEqual([
      'Every delivery and item is in the two attached files.',
      'The files with every delivery and item are too large for a mail.',
      undefined,
      undefined,
    ]);
  });

  test('send nobody to a page that has not room for everything', () => {
    const many = digest({ deliveries: Array.from({ length: pageLimits.broadcasts + 1 }, (_, id) => asking(`${id}`)) });
    expect(fitsPage(many)).toBe(false);
    expect(sayNotes(sectionOf(many, { page: 'https://p' }))[2]).toBe(
      'Every delivery and item is in the two files of the full report.',
    );
  });
});

describe('the page', () => {
  const lacking = { seen: null, responded: null, inPeriod: null, contents: null, kind: null, judged: false };

  test('begins with the lowest share of an audience; then, by views, what is for nobody knows how many', () => {
    const { digest: of } = ofBroadcasts([
      saw(220, null),
      saw(36, 93),
      lacking,
      saw(60, 127),
      silent(68),
      saw(10, null),
    ]);
    expect(sortForPage(of.broadcasts).map(({ seen }) => seen)).toEqual([0, 36, 60, 220, 10, null]);
  });

  test('has an index with what is usual, and a date where a name repeats', () => {
    const section = ofBroadcasts([saw(36, 93, within(36, 0.57)), saw(60, 127), saw(1, null, { name: 'Other' })]);
    const { broadcasts } = section.digest;
    const { rows, columns } = plain(viewIndex(sortForPage(broadcasts), scaleOf(broadcasts, section.digest), section));
    expect(columns.usual).toBe('Usual by then');
    expect(rows.map(({ name, share, usual, date, above }) => [name, share, usual, date, above])).toEqual([
      ['Friday Five', '39%', '57% in 2 days', 'first seen Nov 10', null],
      ['Friday Five', '47%', '', 'first seen Nov 10', null],
      ['Other', '–', '', null, 'Audience not known, most seen first'],
    ]);
  });

  test('counts for each broadcast what it has no room for', () => {
    const contents = ['1', '2', '3'].map((id) => content({ id, type: 'poll' }));
    const three = ofDeliveries([delivery({ contents }), delivery({ id: '502', contents }), asking('9', { contents })]);
    const notesOf = (over: Partial<typeof pageLimits>) => {
      const section = { ...three, page: '', limits: { ...pageLimits, ...over } };
      return viewDetails(section.digest.broadcasts, 'audience', section).map(({ tables, notes }) => [
        tables.map(({ rows }) => rows.length),
        notes,
      ]);
    };
    expect(notesOf({ rows: 4 })).toEqual([
      [[3, 1], ['1 more delivery.']],
      [[], ['3 more items.']],
    ]);
    expect(notesOf({ items: 2 })[0]).toEqual([[2, 2], ['1 more item.']]);
  });
});
