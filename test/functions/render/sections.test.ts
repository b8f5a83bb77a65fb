import { describe, expect, test } from 'vitest';
import type { AtAge, Digest, DigestBroadcast, DigestDelivery, Need } from '../../../functions/domain/digest.ts';
import { fitsPage, pageLimits, type SectionInput } from '../../../functions/render/input.ts';
import { viewDetails } from '../../../functions/render/sections/details.ts';
import { viewNeeds } from '../../../functions/render/sections/needs.ts';
import { viewNewBroadcasts } from '../../../functions/render/sections/new-broadcasts.ts';
import { sayNotes, sayPageNotes } from '../../../functions/render/sections/notes.ts';
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
const counts = (now: string, before: number) => `verdict.counts(before before.week, count ${before}, figure ${now})`;
const same = 'verdict.same(before.week)';

const informing = (...seen: number[]): DigestDelivery[] =>
  seen.map((views, id) => asking(`${id}`, { responded: 0, inPeriod: engaged(views, 0), contents: [content()] }));
const verdictOf = (deliveries: DigestDelivery[]) => {
  const totals = { ...period(100, 0), previous: period(100, 0) };
  return readable(sayVerdict(sectionOf(digest({ deliveries, totals })))).slice(1);
};
describe('the verdict', () => {
  test.each<[string, [number, number], [number, number], string]>([
    ['what moved by most of its former value', [372, 107], [292, 180], change('fewer', 73, 'count.responses(107)')],
    ['the views', [372, 100], [292, 95], change('more', 80, 'count.views(372)')],
    ['a tenth', [90, 50], [100, 50], change('fewer', 10, 'count.views(90)')],
    ['less than a tenth', [190, 50], [201, 50], same],
    ['a tenth and less than ten', [61, 50], [70, 50], counts('count.views(61)', 70)],
    ['less than a tenth of many beside ten that are one', [105, 1], [100, 10], counts('count.responses(1)', 10)],
    ['a large change before one of few', [350, 2], [292, 1], change('more', 58, 'count.views(350)')],
    ['none before', [40, 30], [35, 0], counts('count.responses(30)', 0)],
    ['none now', [40, 0], [35, 20], counts('count.responses(0)', 20)],
  ])('says %s', (_, now, before, sentence) => expect(changed(now, before)).toEqual([sentence]));

  test('says counts alone where there is nothing to compare with, and nothing while figures are missing', () => {
    const comparison = { basis: 'none', reason: 'first', lacking: { start: '', end: '' } } as const;
    const first = { ...period(372, 107), previous: null, comparison };
    expect(changed([0, 0], [0, 0], { totals: first })).toEqual([
      'verdict.now(count.views(372) · count.responses(107))',
    ]);
    expect(changed([50, 5], [50, 5], { missing: [lost] })).toEqual([]);
  });

  test('names the broadcast that half of the views were of, in one delivery or several, where there are three', () => {
    const named = ['verdict.informing(all 100, count 50, name name.quoted(Friday Five))'];
    expect(verdictOf(informing(50, 30, 20))).toEqual(named);
    expect([verdictOf(informing(49, 31, 20)), verdictOf(informing(60, 40))]).toEqual([[], []]);
    const again = informing(20).map((older) => Object.assign({}, older, { id: 'again', kind: 'active' as const }));
    expect(verdictOf([...informing(30, 30, 20), ...again])).toEqual(named);
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
  test("comes in the digest's order, and at most five are named", () => {
    const needs = [3, 1, 2, 6, 5, 4].map((place) => [place, { audience: place }] as const);
    const [alone, withPage] = [null, 'https://p'].map((page) => readable(viewNeeds(needing(needs, page))));
    const counts = ['3', '1', '2', '6', '5'].map((audience) => `seenOf(audience ${audience}, seen 0)`);
    expect(alone?.needs.map(({ count }) => count)).toEqual(counts);
    expect([alone?.more, withPage?.more]).toEqual(['needs.more(1)', 'needs.moreInReport(1)']);
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
  const { blocks = [], legend } = readable(viewNewBroadcasts(ofBroadcasts(broadcasts))) ?? {};
  return [blocks.map(({ bar }) => bar?.second ?? null), legend?.note];
};

describe('new broadcasts', () => {
  test('have their items where there are five at most; of very many some have a row each, and the rest a sum', () => {
    const contents = [content({ type: 'poll' }), content({ id: '2' })];
    const [few, many] = [5, 70].map((count) =>
      readable(viewNewBroadcasts(ofBroadcasts(Array.from({ length: count }, () => ({ ...saw(90, 100), contents }))))),
    );
    expect(few?.blocks.map(({ items }) => items?.rows.length)).toEqual([2, 2, 2, 2, 2]);
    expect(many?.blocks.every(({ items }) => items === null)).toBe(true);
    const sums = 'more.sum(broadcasts more.broadcasts(5), sums count.views(450) · count.responses(0))';
    expect([many?.others?.rows.length, many?.more]).toEqual([60, sums]);
  });

  test('have bars on one scale: their audiences, or where none is known the most seen one', () => {
    expect(barsOf(saw(60, 100), saw(220, null))).toEqual([[null, '60%'], 'legend.noBar']);
    expect(barsOf(saw(55, null), saw(220, null))).toEqual([['100%', '25%'], 'legend.scale(220)']);
  });
});

const notesOf = (over: Partial<Digest> = {}, section: Partial<SectionInput> = {}) =>
  readable(sayNotes(ofBroadcasts([saw(9, 9)], over, section)));

const last = (section: Partial<SectionInput>) => notesOf({}, section)[2];
const notesWhere = (isOld: boolean) => {
  const section = ofBroadcasts([saw(9, 9)], { left: { deliveries: 18, unjudged: 0, isOld } });
  return [sayNotes, sayPageNotes].map((say) => readable(say(section)).join().includes('notes.left(18)'));
};

describe('the notes', () => {
  test('end with where everything is', () => {
    const sections = [{ page: 'https://p' }, { files: 'attached' }, { files: 'too-large' }] as const;
    expect(sections.map(last)).toEqual(['notes.inReport', 'notes.attached', 'notes.tooLarge']);
    expect([last({ files: 'none' }), last({ page: '' })]).toEqual([undefined, undefined]);
  });

  test('name what nobody has seen yet and nothing says somebody should have: no part of what others may have seen', () => {
    const some = [silent(68), silent(68, { listedDeliveries: 2 }), silent(68, { name: 'Named' })];
    const names = 'name.quoted(Friday Five) (details.created(Nov 9))';
    const note = `notes.unseenNamed(count 1, instant Nov 16, 2026 · 8:00 AM, names ${names})`;
    expect(readable(sayNotes(ofBroadcasts(some, { needs: [need('3')] })))[0]).toContain(note);
  });

  test('say three times what left the list, and then only on the page', () => {
    expect([notesWhere(false), notesWhere(true)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('send nobody to a page that has not room for everything', () => {
    const many = digest({ deliveries: Array.from({ length: pageLimits.broadcasts + 1 }, (_, id) => asking(`${id}`)) });
    expect(fitsPage(many)).toBe(false);
    expect(readable(sayNotes(sectionOf(many, { page: 'https://p' }))[2])).toBe('notes.inItsFiles');
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
