import { describe, expect, test } from 'vitest';
import type { AtAge, Digest, DigestBroadcast, DigestDelivery, Need } from '../../../functions/domain/digest.ts';
import { fitsPage, pageLimits, type SectionInput } from '../../../functions/render/input.ts';
import { scaleOf } from '../../../functions/render/sections/figures.ts';
import { sayFirstNeed, viewNeeds } from '../../../functions/render/sections/needs.ts';
import { viewNewBroadcasts } from '../../../functions/render/sections/new-broadcasts.ts';
import { sayNotes, sayPageNotes } from '../../../functions/render/sections/notes.ts';
import { viewDetails } from '../../../functions/render/sections/details.ts';
import { sortForPage, viewIndex } from '../../../functions/render/sections/page-index.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { viewTrend } from '../../../functions/render/sections/trend.ts';
import { sayVerdict } from '../../../functions/render/sections/verdict.ts';
import { content, delivery, digest, engaged, need } from '../../support/digests/pieces.ts';
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

/** What an edition of 100 people had within two days, and what is usual then. */
const reached = (seen: number, share: number | null): AtAge => ({
  hours: 48,
  seen,
  responded: 0,
  firstSign: '2026-11-10T08:00:00+00:00',
  audience: 100,
  usual: share === null ? null : { share, editions: [] },
  earlier: null,
});
const earlierViews = (seen: number, fewest: number, most: number): AtAge => ({
  ...reached(seen, null),
  audience: null,
  earlier: { fewest, most, editions: Array.from({ length: 4 }, () => reached(0, null)) },
});

const ofTrend = { ...period(0, 50), start: '2026-11-09T00:00:00+00:00' };
const trend = (...views: Array<number | null>) =>
  views.map((seen) => Object.assign({}, ofTrend, { seen, complete: seen !== null }));

describe('the verdict', () => {
  const changed = (now: [number, number], before: [number, number], over: Partial<Digest> = {}) =>
    sayVerdict(ofDeliveries([asking('1')], { totals: { ...period(...now), previous: period(...before) }, ...over }));
  const views = (now: number, before: number) => changed([now, 50], [before, 50]);

  test.each([
    [
      'what moved by more of its former value',
      changed([372, 107], [292, 180]),
      '107 responses, 73 fewer than the week before.',
    ],
    ['the views', changed([372, 100], [292, 95]), '372 views, 80 more than the week before.'],
    ['a tenth', views(90, 100), '90 views, 10 fewer than the week before.'],
    ['less than a tenth', views(190, 201), 'Views and responses are about the same as the week before.'],
    ['a tenth and less than ten', views(61, 70), '61 views; 70 the week before.'],
    [
      'less than a tenth of many beside ten that are one',
      changed([105, 1], [100, 10]),
      '1 response; 10 the week before.',
    ],
    ['a large change before one of few', changed([350, 2], [292, 1]), '350 views, 58 more than the week before.'],
    ['no change', changed([50, 5], [50, 5]), 'Views and responses are about the same as the week before.'],
    ['few', changed([4, 1], [12, 1]), '4 views; 12 the week before.'],
    ['few responses', changed([60, 5], [40, 5]), '60 views, 20 more than the week before.'],
    ['none before', changed([40, 30], [35, 0]), '30 responses; 0 the week before.'],
    ['none now', changed([40, 0], [35, 20]), '0 responses; 20 the week before.'],
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
    ['a quarter below', [reached(45, 0.6)], '“Friday Five” reached 45 of 100 (45%) within 2 days; usually 60%.'],
    ['less', [reached(46, 0.6)], undefined],
    ['a quarter above', [reached(75, 0.6)], '“Friday Five” reached 75 of 100 (75%) within 2 days; usually 60%.'],
    ['no usual', [reached(1, null)], undefined],
    ['a small group', [{ ...reached(1, 0.6), audience: 9 }], undefined],
    [
      'the lowest of three, and not the highest',
      [reached(99, 0.1), reached(20, 0.4), reached(10, 0.4)],
      '“Friday Five” reached 10 of 100 (10%) within 2 days; usually 40%.',
    ],
    [
      'views of earlier editions',
      [reached(1, null), earlierViews(41, 92, 110)],
      '“Friday Five”: 41 views after 2 days; the last 4 had 92 to 110.',
    ],
    ['no views where one has a usual', [reached(60, 0.6), earlierViews(41, 92, 110)], undefined],
  ])('compares a new broadcast with its usual: %s', (_, ages, said) => {
    const [first] = digest({ deliveries: [asking('1')] }).broadcasts;
    const broadcasts = ages.map((atAge, id) => ({ ...first!, id: String(id), atAge }));
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
  as,
});
const silent = (audience: number | null, as: Partial<DigestBroadcast> = {}) => ({
  ...saw(0, audience, as),
  kind: 'silent' as const,
  firstSign: null,
});
/** Broadcasts with what some of them need, by their places from 1. */
const needing = (
  needs: ReadonlyArray<readonly [place: number, over: Partial<Need>]>,
  section: Partial<SectionInput> = {},
) =>
  ofBroadcasts(
    Array.from({ length: Math.max(...needs.map(([place]) => place)) }, () => silent(null)),
    { needs: needs.map(([place, over]) => need(String(place), over)) },
    section,
  );
const tooFew = (seen: number, audience: number, over: Partial<Need> = {}) =>
  ({ reason: 'too-few', seen, audience, untouched: audience - seen, ...over }) as const;

const linkWith = (page: string | null) => viewNeeds(needing([[1, {}]], { page }))?.needs[0]?.link;
const nothingNeeded = (judged: Digest['judged'], over: Partial<Digest> = {}) =>
  viewNeeds(ofBroadcasts([saw(90, 90)], { judged, ...over }));

describe('what needs somebody', () => {
  test.each([
    ['too few', tooFew(44, 89), '44 of 89: Remind the 45 who have not seen it.'],
    [
      'some who responded and did not see it',
      tooFew(44, 89, { untouched: 40 }),
      '44 of 89: Remind the 40 who neither saw it nor responded.',
    ],
    [
      'fewer than usual',
      tooFew(45, 90, { usual: { share: 2 / 3, hours: 48, editions: 3 } }),
      '45 of 90: Remind the 45 who have not seen it. Usually 67% within 2 days.',
    ],
    [
      'one of several deliveries',
      tooFew(9, 90, { untouched: null, listedDeliveries: 2 }),
      '9 of 90: Ask Priya Shah to send a reminder.',
    ],
    ['nobody', { audience: 68 }, '0 of 68: Ask Priya Shah whether it went out.'],
    [
      'nobody, again and of nobody knows how many',
      { timesNamed: 2 },
      '0: Ask Priya Shah whether it went out. 3rd week on this list.',
    ],
  ])('is said with what to do: %s', (_, over, expected) => {
    const [shown] = viewNeeds(needing([[1, over]]))?.needs ?? [];
    expect(`${shown?.count}: ${shown?.advice}`).toBe(expected);
  });

  test('is asked of nobody where nobody is known to have made it', () => {
    const by = { createdBy: null };
    const needs = [need('1'), need('2', tooFew(9, 90, { untouched: null }))];
    const advice = viewNeeds(ofBroadcasts([silent(68, by), silent(90, by)], { needs }))?.needs.map(
      (shown) => shown.advice,
    );
    expect(advice).toEqual(['Find out whether it went out.', 'Send a reminder.']);
  });

  test("comes in the digest's order, and at most five are named", () => {
    const section = needing([3, 1, 2, 6, 5, 4].map((place) => [place, { audience: place }]));
    expect(viewNeeds(section)?.needs.map(({ count }) => count)).toEqual(
      ['3', '1', '2', '6', '5'].map((of) => `0 of ${of}`),
    );
    expect([viewNeeds(section)?.more, viewNeeds({ ...section, page: 'https://p' })?.more]).toEqual([
      '1 more',
      '1 more in the full report',
    ]);
  });

  test('may be one of several deliveries, which is said with its own date', () => {
    const first = asking('1', { firstSign: '2026-11-09T08:00:00+00:00' });
    const other = asking('1', { id: '2', firstSign: '2026-11-11T08:00:00+00:00' });
    const section = ofDeliveries([first, other], { needs: [need('2', tooFew(12, 37, { listedDeliveries: 3 }))] });
    expect(plain(viewNeeds(section))?.needs).toMatchObject([
      { count: '12 of 37', part: '1 of 3 deliveries, first seen Nov 11' },
    ]);
  });

  test('leads to its place on the page, else to its own address', () => {
    expect([linkWith('https://p/x'), linkWith(''), linkWith(null)]).toEqual([
      'https://p/x#broadcast-1',
      '#broadcast-1',
      'https://reporting.example.com/broadcasts/1',
    ]);
  });

  test('may be nothing, which is said as far as it could be judged, and never where something is missing', () => {
    const none = { needs: [], column: null, more: null };
    expect(nothingNeeded({ of: 5, deliveries: 5 })).toEqual({ heading: 'Nothing needs you.', ...none });
    const some = 'Of 5 due, 4 could be judged: none needs you.';
    expect(nothingNeeded({ of: 5, deliveries: 4 })).toEqual({ heading: some, ...none });
    expect(nothingNeeded({ of: 5, deliveries: 0 })).toBeNull();
    expect(nothingNeeded({ of: 0, deliveries: 0 })).toBeNull();
    expect(nothingNeeded({ of: 5, deliveries: 5 }, { missing: [lost] })).toBeNull();
  });

  test.each([
    [{ audience: 68 }, '“Friday Five”: none of 68 has seen it.'],
    [{}, '“Friday Five”: nobody has seen it.'],
    [tooFew(36, 93), '“Friday Five”: 36 of 93 saw it.'],
    [tooFew(36, 93, { listedDeliveries: 2 }), '“Friday Five”: 36 of 93 saw it (1 of 2 deliveries).'],
  ])('is the first thing in the preheader', (over, sentence) => {
    expect(sayFirstNeed(needing([[1, over]]))).toEqual([sentence]);
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

  test('say the reach of what is new, where audiences are known', () => {
    const later = { ...saw(50, 93), inPeriod: engaged(36, 0) };
    expect(reachOf(later, saw(60, 127), silent(68), saw(220, null))).toEqual(['44%', '96 of 220 by Sunday']);
    expect(reachOf({ ...saw(90, 90), kind: 'active' }, silent(68))).toEqual(['4', null]);
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

  test('have the responses of an item whose list does not say who saw it, and say that it does not', () => {
    const contents = [
      content({ type: 'poll' }),
      content({ id: '2', type: 'poll', seen: null, responded: 12, inPeriod: null }),
    ];
    const [block] = viewNewBroadcasts(ofBroadcasts([{ ...saw(90, 100), contents }]))?.blocks ?? [];
    expect(block?.items?.rows.map(({ seen, responded }) => [seen, responded])).toEqual([
      ['80', '60'],
      ['–', '12'],
    ]);
    expect(block?.notes).toEqual(['Figures for 1 item are missing: the service gave no views.']);
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

  test('name what nobody has seen yet and nothing says somebody should have: no part of what others may have seen', () => {
    const some = [silent(68), silent(68, { listedDeliveries: 2 }), silent(68, { name: 'Named' })];
    const said = '1 broadcast was not seen yet by Nov 16, 2026, 8:00 AM: “Friday Five” (created Nov 9).';
    expect(plain(sayNotes(ofBroadcasts(some, { needs: [need('3')] })))[0]).toContain(said);
  });

  test('say three times what left the list, and then only on the page', () => {
    const said = '18 deliveries left the service’s list; what they still had is not counted.';
    const left = (isOld: boolean) => {
      const section = ofBroadcasts([saw(9, 9)], { left: { deliveries: 18, unjudged: 0, isOld } });
      return [sayNotes(section).join(' '), sayPageNotes(section).join(' ')].map((notes) => notes.includes(said));
    };
    expect([left(false), left(true)]).toEqual([
      [true, false],
      [false, true],
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
  const lacking = { seen: null, responded: null, inPeriod: null, contents: null, kind: null };

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
    const section = ofBroadcasts([
      saw(36, 93, { atAge: { ...reached(36, 0.57), audience: 93 } }),
      saw(60, 127),
      saw(1, null, { name: 'Other' }),
    ]);
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
