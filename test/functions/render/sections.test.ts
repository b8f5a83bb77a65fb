import { describe, expect, test } from 'vitest';
import type { AtAge, Digest, DigestBroadcast, DigestDelivery, Need } from '../../../functions/domain/digest.ts';
import { pageLimits, type SectionInput } from '../../../functions/render/input.ts';
import { viewDetails } from '../../../functions/render/sections/details.ts';
import { viewNeeds } from '../../../functions/render/sections/needs.ts';
import { viewNewBroadcasts } from '../../../functions/render/sections/new-broadcasts.ts';
import { sayBeside, sayNotes, sayPageNotes } from '../../../functions/render/sections/notes.ts';
import { sortForPage } from '../../../functions/render/sections/details.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { sayVerdict } from '../../../functions/render/sections/verdict.ts';
import { content, delivery, digest, engaged, need } from '../../support/digests/pieces.ts';
import { readable } from './outputs/key-locale.ts';
import { sectionOf } from './sections.ts';

// What every section says is approved (approved.test.ts), and its figures are read in all outputs of generated digests
// (outputs.test.ts). Here is what needs a digest of its own. Messages are their keys with their values.

/** A new delivery of a broadcast of its own that asks something. */
const asking = (id: string, over: Partial<DigestDelivery> = {}) =>
  delivery({ id, broadcast: { ...delivery().broadcast, id }, contents: [content({ type: 'poll' })], ...over });
const lost = { what: 'delivery', reason: 'failed' } as const;

/** The totals of a period in which everything asks. */
const period = (seen: number, responded: number): Digest['totals'] => ({
  ...digest().totals,
  seen,
  responded,
  asked: engaged(seen, responded),
});

/** A digest of broadcasts, each of one delivery, with what differs from it. */
const ofBroadcasts = (
  broadcasts: ReadonlyArray<Partial<DigestDelivery> & { as?: Partial<DigestBroadcast> }>,
  over: Partial<Digest> = {},
  section: Partial<SectionInput> = {},
) => {
  const plain = digest({ deliveries: broadcasts.map((broadcast, index) => asking(String(index + 1), broadcast)) });
  const changed = plain.broadcasts.map((entry) => Object.assign({}, entry, broadcasts[Number(entry.id) - 1]?.as));
  return sectionOf({ ...plain, broadcasts: changed, ...over }, section);
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

const changed = (now: [number, number], before: [number, number], over: Partial<Digest> = {}) =>
  readable(sayVerdict(ofBroadcasts([{}], { totals: { ...period(...now), previous: period(...before) }, ...over })));
const change = (direction: 'fewer' | 'more', count: number, figure: string) =>
  `verdict.sentence(verdict.${direction}(before before.week, count ${count}, figure ${figure}))`;
const counts = (now: string, before: number, other: string, otherBefore: number) =>
  `verdict.sentence(verdict.counts(before before.week, count ${before}, figure ${now})` +
  ` · verdict.both(count ${otherBefore}, figure ${other}))`;
const same = 'verdict.same(before.week)';

/** What the verdict says of a change of responses from 100 by series, each with what it had and has. */
const whyOf = (
  series: ReadonlyArray<readonly [name: string, before: number, now: number]>,
  over: Partial<Digest> = {},
) => {
  const of = (pick: 1 | 2) =>
    series
      .map((one) => ({ key: one[0], name: one[0], seen: 0, responded: one[pick] }))
      .filter(({ responded }) => responded > 0);
  const now = series.reduce((sum, one) => sum + one[2], 0);
  const totals = { ...period(500, now), series: of(2), previous: { ...period(500, 100), series: of(1) } };
  return readable(sayVerdict(ofBroadcasts([{ as: { asks: true } }], { totals, ...over }))).slice(1);
};
const had = (name: string, before: number, now: number) =>
  `verdict.series(before ${before}, name name.quoted(${name}), now ${now})`;
describe('the verdict', () => {
  test.each<[string, [number, number], [number, number], string]>([
    ['what moved by most of its former value', [372, 107], [292, 180], change('fewer', 73, 'count.responses(107)')],
    ['the views', [372, 100], [292, 95], change('more', 80, 'count.views(372)')],
    ['a tenth', [90, 50], [100, 50], change('fewer', 10, 'count.views(90)')],
    ['less than a tenth', [190, 50], [201, 50], same],
    ['a tenth and less than ten', [61, 50], [70, 50], counts('count.views(61)', 70, 'count.responses(50)', 50)],
    [
      'less than a tenth of many beside ten that are one',
      [105, 1],
      [100, 10],
      counts('count.responses(1)', 10, 'count.views(105)', 100),
    ],
    ['a large change before one of few', [350, 2], [292, 1], change('more', 58, 'count.views(350)')],
    ['none before', [40, 30], [35, 0], counts('count.responses(30)', 0, 'count.views(40)', 35)],
    ['none now', [40, 0], [35, 20], counts('count.responses(0)', 20, 'count.views(40)', 35)],
  ])('says %s', (_, now, before, sentence) => expect(changed(now, before)).toEqual([sentence]));

  test('says counts alone where there is nothing to compare with, and nothing while figures are missing', () => {
    const comparison = { basis: 'none', reason: 'first', lacking: { start: '', end: '' } } as const;
    const first = { ...period(372, 107), previous: null, comparison };
    expect(changed([0, 0], [0, 0], { totals: first })).toEqual([
      'verdict.now(count.views(372) · count.responses(107))',
    ]);
    expect(changed([50, 5], [50, 5], { missing: [lost] })).toEqual([]);
  });

  test.each<[string, Parameters<typeof whyOf>[0], string[]]>([
    [
      'one series',
      [
        ['A', 60, 2],
        ['B', 40, 38],
      ],
      [`verdict.why(count 58, series ${had('A', 60, 2)})`],
    ],
    [
      'one that is gone',
      [
        ['A', 60, 0],
        ['B', 40, 40],
      ],
      [`verdict.why(count 60, series ${had('A', 60, 0)})`],
    ],
    [
      'two',
      [
        ['A', 30, 10],
        ['B', 30, 10],
        ['C', 40, 20],
      ],
      [`verdict.why(count 40, series ${had('A', 30, 10)} · ${had('B', 30, 10)})`],
    ],
    [
      'none of many',
      [
        ['A', 25, 15],
        ['B', 25, 15],
        ['C', 25, 15],
        ['D', 25, 15],
        ['E', 0, 0],
      ],
      [`verdict.why(count 20, series ${had('A', 25, 15)} · ${had('B', 25, 15)})`],
    ],
    [
      'none that is more than all',
      [
        ['A', 80, 10],
        ['B', 20, 60],
      ],
      [],
    ],
  ])('says why: %s', (_, series, sentences) => expect(whyOf(series)).toEqual(sentences));

  test('says that nothing asked where that is why there are fewer responses, and nothing of a series that is not kept', () => {
    const informing = digest({ deliveries: [asking('1', { contents: [content()] })] }).broadcasts;
    expect(whyOf([['A', 100, 20]], { broadcasts: informing })).toEqual(['verdict.nothingAsked']);
    const many = Array.from({ length: 30 }, (_, index) => [`S${index}`, 1, 1] as const);
    expect(whyOf([...many, ['A', 70, 0]])).toEqual([]);
  });

  const name = 'name name.quoted(Friday Five)';
  const reach = (count: number, usual: number) =>
    `verdict.reached(age age.days(2), audience 100, count ${count}, ${name}, rate ${count}%, usual ${usual}%)`;
  const views = (seen: number) => {
    const values = `age age.days(2), count 4, fewest 92, most 110, views count.views(${seen})`;
    return `verdict.earlier(${name}, views earlier.views(${values}))`;
  };
  const alike = `verdict.earlier(${name}, views earlier.same(age age.days(2), count 4, most 95, views count.views(9)))`;
  test.each([
    ['a quarter below', [reached(45, 0.6)], reach(45, 60)],
    ['less', [reached(46, 0.6)], undefined],
    ['a quarter above', [reached(75, 0.6)], reach(75, 60)],
    ['no usual', [reached(1, null)], undefined],
    ['a small group', [{ ...reached(1, 0.6), audience: 9 }], undefined],
    ['the lowest of three, not the highest', [reached(99, 0.1), reached(20, 0.4), reached(10, 0.4)], reach(10, 40)],
    ['views of earlier editions', [reached(1, null), earlierViews(41, 92, 110)], views(41)],
    ['the views farthest below, and not what has most', [204, 80, 9].map((n) => earlierViews(n, 92, 110)), views(9)],
    ['views above those of earlier editions', [100, 138].map((n) => earlierViews(n, 92, 110)), views(138)],
    ['views that earlier editions had alike', [earlierViews(9, 95, 95)], alike],
    ['views within or next to them', [earlierViews(104, 100, 103), earlierViews(92, 92, 110)], undefined],
    ['no views where one has a usual', [reached(60, 0.6), earlierViews(41, 92, 110)], undefined],
  ])('compares a new broadcast with its usual: %s', (_, ages, sentence) => {
    const sentences = sayVerdict(ofBroadcasts(ages.map((atAge) => ({ as: { atAge } }))));
    // The first two are about the period.
    expect(readable(sentences).filter((each) => /reached|earlier/.test(each))).toEqual(
      sentence === undefined ? [] : [sentence],
    );
  });
});

/** Broadcasts with what some of them need, by their places from 1. */
const needing = (needs: ReadonlyArray<readonly [place: number, over: Partial<Need>]>, page: string | null = null) =>
  ofBroadcasts(
    Array.from({ length: Math.max(...needs.map(([place]) => place)) }, () => silent(null)),
    { needs: needs.map(([place, over]) => need(String(place), over)) },
    { page },
  );
describe('what needs somebody', () => {
  test("comes in the digest's order, at most so many are named, and where the others are", () => {
    const needs = [3, 1, 2, 6, 5, 4].map((place) => [place, { audience: place }] as const);
    const [alone, withPage] = [null, 'https://p'].map((page) => readable(viewNeeds(needing(needs, page))));
    const counts = ['3', '1', '2'].map((audience) => `seenOf(audience ${audience}, seen 0)`);
    expect(alone?.needs.map(({ count }) => count)).toEqual(counts);
    expect([alone?.more, withPage?.more]).toEqual(['needs.more.file(3)', 'needs.more.page(3)']);
  });

  test('leads to its place on the page, else to its own address', () => {
    const links = ['https://p/x', '', null].map((page) => viewNeeds(needing([[1, {}]], page))?.needs[0]?.link);
    expect(links).toEqual(['https://p/x#broadcast-1', '#broadcast-1', 'https://reporting.example.com/broadcasts/1']);
  });
});

test('tiles are left out where they are not known, and are smaller where one is a million', () => {
  const sizes = [null, 999_999, 1_000_000].map((seen) => {
    return viewTiles(sectionOf(digest({ totals: { ...period(1, 1), seen } })))?.long;
  });
  expect(sizes).toEqual([undefined, false, true]);
});

const barsOf = (...broadcasts: Parameters<typeof ofBroadcasts>[0]) => {
  const { rows = [], legend } = readable(viewNewBroadcasts(ofBroadcasts(broadcasts))) ?? {};
  return [rows.map(({ bar }) => bar?.second ?? null), legend?.note];
};

describe('new broadcasts', () => {
  test('have a row each with their items in a line, at most eight of each; of more there is a sum', () => {
    const contents = Array.from({ length: 9 }, (_, id) =>
      content({ id: `${id}`, type: 'poll', seen: 9, responded: id }),
    );
    const many = Array.from({ length: 10 }, () => ({ ...saw(90, 100), contents }));
    const view = readable(viewNewBroadcasts(ofBroadcasts(many)));
    const items = view?.rows[0]?.items.split(' · ') ?? [];
    expect([view?.rows.length, items.at(0), items.at(-1)]).toEqual([
      8,
      'item.seen(seen 9, type type.poll)',
      'items.more(1)',
    ]);
    expect(items.join()).toContain('count.responded(7)');
    expect(view?.more).toBe('more.sum(broadcasts more.broadcasts(2), sums count.views(180) · count.responses(0))');
  });

  test('have bars on one scale: their audiences, or where none is known the most seen one', () => {
    expect(barsOf(saw(60, 100), saw(220, null))).toEqual([[null, '60%'], 'legend.noBar']);
    expect(barsOf(saw(55, null), saw(220, null))).toEqual([['100%', '25%'], 'legend.scale(220)']);
  });
});

const notesOf = (over: Partial<Digest> = {}, section: Partial<SectionInput> = {}) =>
  readable(sayNotes(ofBroadcasts([saw(9, 9)], over, section)));

const notesWhere = (isOld: boolean) => {
  const section = ofBroadcasts([saw(9, 9)], { left: { deliveries: 18, unjudged: 0, isOld } });
  return [sayNotes, sayPageNotes].map((say) => readable(say(section)).join().includes('notes.left(18)'));
};

describe('the notes', () => {
  test('are two lines at most, and say where files are too large', () => {
    expect(notesOf()).toHaveLength(1);
    expect(notesOf({ late: { seen: 1, responded: 1 } }, { files: 'too-large' })[1]).toMatch(
      /^notes\.late.*notes\.tooLarge$/,
    );
  });

  test('name what nobody has seen yet and nothing says somebody should have: no part of what others may have seen', () => {
    const some = [silent(68), silent(68, { listedDeliveries: 2 }), silent(68, { name: 'Named' })];
    const names = 'name.quoted(Friday Five) (details.created(Nov 9))';
    const note = `notes.unseenNamed(instant Nov 16, 2026 · 8:00 AM, names ${names})`;
    expect(readable(sayBeside(ofBroadcasts(some, { needs: [need('3')] })))).toBe(note);
  });

  test('say three times what left the list, and then only on the page', () => {
    expect([notesWhere(false), notesWhere(true)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('the page', () => {
  test('begins with the lowest share of an audience; then, by views, what is for nobody knows how many', () => {
    const lacking = { seen: null, responded: null, inPeriod: null, contents: null, kind: null };
    const some = [saw(220, null), saw(36, 93), lacking, saw(60, 127), silent(68), saw(10, null)];
    expect(sortForPage(ofBroadcasts(some).digest.broadcasts).map(({ seen }) => seen)).toEqual([
      0,
      36,
      60,
      220,
      10,
      null,
    ]);
  });

  test('counts for each broadcast what it has no room for', () => {
    const contents = ['1', '2', '3'].map((id) => content({ id, type: 'poll' }));
    const deliveries = [delivery({ contents }), delivery({ id: '502', contents }), asking('9', { contents })];
    const notesOf = (over: Partial<typeof pageLimits>) => {
      const section = sectionOf(digest({ deliveries }), { page: '', limits: { ...pageLimits, ...over } });
      return readable(viewDetails(section.digest.broadcasts, 'audience', section)).map(({ tables, notes }) => [
        tables.map(({ rows }) => rows.length),
        notes,
      ]);
    };
    expect(notesOf({ rows: 4 })).toEqual([
      [[3, 1], ['deliveries.more(1)']],
      [[], ['items.more(3)']],
    ]);
    expect(notesOf({ items: 2 })[0]).toEqual([[2, 2], ['items.more(1)']]);
  });
});
