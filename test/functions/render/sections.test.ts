import { expect, test } from 'vitest';
import type { Digest, DigestContent, Need } from '../../../functions/digest/schema.ts';
import type { SectionInput } from '../../../functions/render/input.ts';
import { mailLimits } from '../../../functions/render/limits.ts';
import { viewDigest } from '../../../functions/render/render.ts';
import { sayPageNotes } from '../../../functions/render/sections/notes.ts';
import { broadcast, delivery, digestOf, earlierOne, item, need } from '../../support/digests/build.ts';
import { input } from '../../support/digests/corpus.ts';
import { keyLanguage, readable } from './outputs/key-locale.ts';

// Which sentence a section says, by its key.

const page = 'https://pages.example.com/a';
type Where = Partial<Pick<SectionInput, 'page' | 'files' | 'limits' | 'report' | 'mail'>>;
const common = { ...keyLanguage, page, files: 'none', limits: mailLimits } as const;
const inputOf = (digest: Digest, where: Where = {}): SectionInput => ({ ...input(digest), ...common, ...where });
const view = (digest: Digest, where?: Where) => readable(viewDigest(inputOf(digest, where)));

const seenBy = (seen: number | null, responded: number | null = 0) => broadcast('News', [delivery([seen, responded])]);
const weekOf = (seen: number, before?: number, over: Partial<Digest> = {}) =>
  digestOf([seenBy(seen)], over, before === undefined ? [] : [[before, 0]]);

const few = (nth: number, over: Partial<Need> = {}) =>
  need(broadcast(`Few ${nth}`, [delivery([4, 0], { audience: 60 })]), over);
const fews = (count: number, over?: Partial<Need>) => Array.from({ length: count }, (_, nth) => few(nth, over));
const withNeeds = (needs: Need[], over: Partial<Digest> = {}) => weekOf(100, 100, { needs, ...over });

test('without a page more than three needs are in the file, or nowhere', () => {
  const places = (['attached', 'none'] as const).map((files) => view(withNeeds(fews(4)), { page: null, files }));
  expect(places.map(({ needs }) => needs?.more)).toEqual(['needs.more.file(1)', 'needs.more.nowhere(1)']);
});

test.each<[over: Partial<Need>, advice: string[]]>([
  [{}, ['needs.share', 'needs.remind']],
  [{ usual: 0.8 }, ['needs.mark', 'needs.remind']],
  [{ fewest: 20 }, ['needs.fewest', 'needs.remind']],
  [{ reached: 6, toRemind: 54 }, ['needs.share', 'needs.remindSilent']],
  [{ toRemind: null, ofDeliveries: 3 }, ['needs.part', 'needs.share', 'needs.remindOthers']],
  [{ reason: 'unseen', seen: 0, reached: 0 }, ['needs.check']],
  [{ reason: 'unseen', seen: 0, reached: 0, ofDeliveries: 3 }, ['needs.checkPart']],
])('a need of %j is told with what is usual and what is to be done', (over, advice) => {
  const [box] = view(withNeeds([few(1, over)])).needs?.boxes ?? [];
  expect(box?.advice.match(/needs\.\w+/g)).toEqual(advice);
});

const withTotals = (digest: Digest, totals: Partial<Digest['totals']>): Digest => ({
  ...digest,
  totals: { ...digest.totals, ...totals },
});
/** A week against one that is now known to have had `now` views, and of which its own digest said other ones. */
function saidBefore(now: number, seen: number): Digest {
  const digest = weekOf(100, now);
  const { previous } = digest.totals;
  return withTotals(digest, { previous: previous && { ...previous, asSaid: { ...previous, seen } } });
}
/** A warning about what it named before, where views are not known, and neither is what came before. */
function warningAt(afterHours: number): Digest {
  const [start, end] = ['2026-11-11T08:00:00Z', '2026-11-12T08:00:00Z'];
  const period = { kind: 'day', start, end, timeZone: 'Europe/London' } as const;
  const known = { coveredSince: '2026-11-13T08:00:00Z', readAt: '2026-11-13T08:03:00Z' };
  const over = { period, ...known, needs: fews(4, { timesNamed: 1 }), warning: { report: 'weekly', afterHours } };
  return weeksTo([9, 9], [9, 9], over);
}
const weeksTo = (first: [number | null, number | null], second: [number, number], over: Partial<Digest> = {}) =>
  digestOf([seenBy(9), seenBy(over.warning ? null : 0)], over, [[8, 0], first, second]);
const one = (seen: number | null, audience: number | null, over: object = {}, stillCounting = false) =>
  broadcast('One', [delivery([seen, 0], { audience, ...over })], { stillCounting });
const half = one(100, 200);
const eight = Array.from({ length: 8 }, () => half);
const unread = one(null, 9, { responded: 3, contents: [item('text', [null, null])] });
const withItems = (...contents: DigestContent[]) => digestOf([one(12, null, { responded: 5, contents })]);
const earlier = (over: object) => digestOf([{ ...half, group: 'earlier', ...over }]);
const unseen = (count: number) =>
  digestOf(Array.from({ length: count }, () => ({ ...one(0, 60), group: 'unseen' as const })));
const twice = broadcast('Two', [delivery([4, 0], { audience: 60 }), delivery([50, 0], { audience: 60 })]);
const low = need(twice, { timesNamed: 1, deliveries: [twice.deliveries[0]?.id ?? ''] });
const gapOf = (name: string) =>
  ({ what: 'delivery', broadcast: { id: name, name }, delivery: name, content: null, reason: 'failed' }) as const;
const then = { seen: 4, reached: 4, audience: 60 };
const lacking = (over: object = {}) =>
  digestOf([seenBy(9, null)], { unavailable: ['A', 'B', 'C'].map((name) => Object.assign(gapOf(name), over)) });
const undatable = { seen: null, unavailable: { reason: 'dates-unreadable' } } as const;
const since = (...nows: Array<Digest['since'][number]['now']>) =>
  weekOf(9, 9, { since: nows.map((now) => Object.assign(few(1, { ofDeliveries: 3 }), { before: then, now })) });
const keysOf = (createdAt: string) =>
  need(broadcast('Keys', [delivery([0, 0], { audience: 50 })], { createdAt }), { timesNamed: 1 });
const keys = weekOf(9, 9, {
  needs: [keysOf('2026-11-02T09:00:00Z'), keysOf('2026-10-28T09:00:00Z')],
  since: [{ ...keysOf('2026-10-26T09:00:00Z'), before: then, now: then }],
});
const known = { ...gapOf('Known'), isNamed: true as const };
const theList = { ...gapOf('A'), what: 'deliveries', broadcast: null } as const;
const reasons = ['failed', 'forbidden', 'gone', 'refused', 'unreadable', 'too-large'] as const;
const sixReasons = reasons.map((reason) => Object.assign(gapOf(reason), { reason }));
const lackingOf = (...names: string[]) => digestOf([seenBy(9, null)], { unavailable: names.map(gapOf) });
const answeredUnseen = broadcast('A', [delivery([0, 3], { audience: 60 }), delivery([5, 0], { audience: 60 })]);
const ratings = { count: 12, mean: 4, histogram: [0, 0, 0, 12, 0] };
const ratedOf = (over: object) => delivery([12, 12], { contents: [item('rating', [12, 12], over)] });
const rated = broadcast('A', [ratedOf({ ratings }), ratedOf({ ratings: null })]);
const seenText = (seen: number, over: object = {}) =>
  delivery([seen, 0], { contents: [{ ...item('text', [seen, 0]), id: 'text' }], ...over });
const firstKnown = { reason: 'first-known' } as const;
const inPart = (seen: number | null) => delivery([20, 0], { inPeriod: { seen, responded: 0 } });
const nineLarge = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'].map((name) =>
  earlierOne(name, [9, 0], { line: { reason: 'large' } }),
);
const twenty = { seen: 50, answered: 20 };
/** A week against one in which so many had answered of so many. */
function answeredBefore(
  asked: typeof twenty | null,
  responseRate: number | null,
  over: Partial<Digest['totals']> = {},
) {
  const digest = weekOf(50, 50);
  const { previous } = digest.totals;
  return withTotals(digest, { previous: previous && { ...previous, asked, responseRate }, ...over });
}
const counting = { reason: 'still-counting', before: then } as const;
const later = { deliveries: [delivery([20, 0]), delivery([5, 0], { isLater: true })] };
const season = { deliveries: 4, judged: 5, reached: 40, audience: 100 };
const midweek = '2026-11-12T00:00:00Z';

test.each<[digest: Digest, says: string, not?: string]>([
  [weekOf(100, 100), 'verdict.equal'],
  [weekOf(104, 100), 'verdict.about'],
  [weekOf(109, 100), 'verdict.about'],
  [weekOf(50, 45), 'verdict.both'],
  [weekOf(110, 100), 'verdict.more'],
  [weekOf(90, 100), 'verdict.fewer'],
  [weekOf(0, 5), 'verdict.both'],
  [weekOf(0, 0), 'verdict.only'],
  [weekOf(100), 'verdict.of'],
  [weekOf(100, 50, { coveredSince: '2026-11-10T00:00:00+00:00' }), 'verdict.more'],
  [weekOf(100, 50, { coveredSince: '2026-11-10T00:00:01+00:00' }), 'verdict.atLeast'],
  [weekOf(0, 0, { coveredSince: '2026-11-16T00:00:00+00:00' }), 'verdict.nothing'],
  [digestOf([seenBy(null, 3), seenBy(7)]), 'verdict.atLeast'],
  [digestOf([seenBy(null, 3)]), 'verdict.responses(3)', 'figure.atLeast'],
  [digestOf([seenBy(null, 3)]), '"things":"sentence(missing.views)"', 'incomplete.more'],
  [digestOf([seenBy(null, 3), seenBy(7)], { unavailable: [gapOf('A'), known] }), '"incomplete":{"heading"'],
  [digestOf([seenBy(null, 3), seenBy(7)], { unavailable: [known] }), 'figures atLeast(count.views(7))'],
  [lackingOf('A', 'B', 'C', 'D'), 'missing.delivery(4)', 'missing.named'],
  [digestOf([seenBy(null)], { unavailable: [theList, gapOf('A')] }), 'missing.deliveries and missing.named.delivery'],
  [digestOf([seenBy(null)], { unavailable: sixReasons }), 'incomplete.more(1)', 'reason.too-large'],
  [weekOf(9, 9, { unavailable: sixReasons }), 'reason.unreadable', 'reason.too-large'],
  [withNeeds(fews(3)), 'needs.heading', 'needs.more'],
  [withNeeds(fews(4)), 'needs.more.page(1)'],
  [withNeeds([few(1, { timesNamed: 1 })]), '"needs":null'],
  [digestOf([twice], { needs: [...fews(3), few(4, { deliveries: low.deliveries })] }), 'row.few(count 2, part 1)'],
  [digestOf([twice], { needs: [few(1, { deliveries: low.deliveries })] }), '"name":"Two"', 'row.few'],
  [digestOf([twice], { needs: [{ ...low, reason: 'unseen' }] }), '"name":"Two"', 'row.few'],
  [weekOf(9, 9, { readAt: '2026-11-16T06:00:00Z' }), 'notes.end(Sunday, November 15)', 'notes.read'],
  [weekOf(9, 9, { coveredSince: midweek }), 'notes.covered(November 12)'],
  [weekOf(9, 9, { coveredSince: midweek }), 'figures atLeast(count.views(9))'],
  [withTotals(weekOf(9), { undated: { seen: 2, responded: 3 } }), 'notes.undated(5)'],
  [saidBefore(110, 100), 'notes.said(now 110, period before.week, said 100)'],
  [saidBefore(101, 112), 'notes.end', 'notes.said'],
  [warningAt(47), 'warning.lead(age age.hours(47), count 4)', 'notes.covered'],
  [warningAt(48), 'warning.lead(age age.days(2), count 4)', 'still.'],
  [warningAt(48), 'notes.until(day Thursday, November 12, time 08:00)', 'trend.'],
  [warningAt(48), 'needs.more.nowhere(1)', 'incomplete.'],
  [warningAt(48), '"good":null', 'answers.'],
  [digestOf([half], { warning: { report: 'weekly', afterHours: 24 } }), 'warning.lead', 'good.'],
  [digestOf([earlierOne('A', [9, 2])], { warning: { report: 'weekly', afterHours: 24 } }), '"earlier":null', 'alone'],
  [weekOf(9, 9, { coveredSince: '2026-11-16T00:00:00+00:00' }), 'verdict.atLeast(9)'],
  [answeredBefore(twenty, 0.4), 'answers.before(before seenOf.rate(audience 50, rate 40%, seen 20)'],
  [answeredBefore(twenty, 0.4, { responseRate: null }), 'answers.few(answered 0, seen 50)', 'seenOf.rate'],
  [answeredBefore(twenty, null), 'answers.only', 'seenOf.rate'],
  [answeredBefore(null, 0.4), 'answers.only', 'seenOf.rate'],
  [weekOf(10), 'answers.now(answered 0, rate 0%, seen 10)) verdict.alone'],
  [withTotals(weekOf(50, 50), { previous: null }), 'answers.now', 'verdict.alone'],
  [weekOf(9, 9), 'notes.end', 'answers.'],
  [weekOf(0, 5, { minimumGroup: 0 }), 'notes.end', 'answers.'],
  [withTotals(weekOf(50, 50), { change: { seen: 0, responded: 0, responseRate: -0.1 } }), 'answers.smaller'],
  [digestOf([half, earlierOne('Old', [5, 0])]), 'good.half(1)'],
  [digestOf([half, earlierOne('Old', [null, 0])]), 'notes.end', 'good.'],
  [digestOf([half], { unavailable: [gapOf('A')] }), 'notes.end', 'good.'],
  [digestOf([], { coveredSince: midweek }), 'verdict.only(count.noViews)', 'atLeast'],
  [digestOf([earlierOne('A', [9, 2]), earlierOne('B', [0, 1])]), 'broadcasts broadcasts.earlier(1)'],
  [digestOf([earlierOne('A', [9, 2]), earlierOne('B', [0, 1])]), 'figures count.views(9) · count.responses(3)'],
  [digestOf([{ ...seenBy(9), asks: false }, earlierOne('B', [9, 0])]), 'figures count.views(18),'],
  [digestOf([], { noMatch: { nearest: [] } }), 'figures subject.noMatch'],
  [digestOf([], { noMatch: { nearest: [] } }), '"verdict":"verdict.noMatch"'],
  [digestOf([seenBy(9), earlierOne('B', [9, 0])]), 'broadcasts.new(1) and broadcasts.earlierOnes(1)'],
  [digestOf([broadcast('A', [delivery([5, 0]), delivery([0, 0])])]), 'broadcasts.new(1)'],
  [weekOf(9), 'figures count.views(9) · count.responses(0)'],
  [withTotals(weekOf(9), { seen: 11 }), 'figures count.views(11)'],
  [weekOf(9, 8), '"trend":null'],
  [
    digestOf(
      [seenBy(9)],
      {},
      [null, 8, null].map((seen) => [seen, 0] as const),
    ),
    '"trend":null',
  ],
  [weeksTo([null, null], [7, 0]), '"first":"89%"', 'figure.atLeast'],
  [weekOf(9, 9, { season: { ...season, usual: 0.6 } }), 'needs.season(count 5, low 4, reached seenOf.rate('],
  [weekOf(9, 9, { season: { ...season, usual: null } }), 'needs.seasonFew(count 5'],
  [withNeeds([few(1, { reason: 'unseen' })]), '"count":"seenOf(audience 60, seen 4)","bar":null'],
  [withNeeds([few(1, { timesNamed: 1, ofDeliveries: 3 })]), 'still.count(seenOf(audience 60, seen 4)) inPart(count 3'],
  [since(null, { ...then, audience: 70 }), 'inPart(count 3, part 1), now seenOf(audience 70, seen 4))', 'since.more'],
  [since(null, null, null), 'since.more(1)', 'since.line'],
  [withNeeds(fews(3, { timesNamed: 1 })), 'still.too-few', 'still.more'],
  [withNeeds(fews(4, { timesNamed: 1 })), 'still.more(1)'],
  [keys, 'name.quoted(Keys) name.dated(October 26), now 4)'],
  [keys, '"rest":"name.dated(October 28) still.count(seenOf(audience 50, seen 0))"'],
  [lacking(), '"incomplete":{"heading"'],
  [lacking(), 'figures subject.incomplete'],
  [lacking(), 'incomplete.told'],
  [
    lacking({ isNamed: true }),
    'missing.named.delivery(name.quoted(A), name.quoted(B), and name.quoted(C))',
    'incomplete.told',
  ],
  [lacking({ isNamed: true }), '"incomplete":null', 'subject.incomplete'],
  [withTotals(weekOf(9), { broadcasts: null }), 'new.note.week(atLeast(1))'],
  [digestOf([seenBy(null, 3), broadcast('Zero', [delivery([0, 2])])]), '"rows":[{"name":"Zero"'],
  [digestOf([unread, half]), 'row.responded(3)'],
  [withNeeds([few(1, { audience: null, toRemind: null })]), 'count.seen(4)', 'needs.share'],
  [digestOf([unread, half]), '"line":"sentence(row.reason(reason.no-views))"', 'legend.noBar'],
  [digestOf([twice], { needs: [low] }), 'row.few(count 2, part 1)'],
  [digestOf([one(0, 60, { contents: [item('text', [0, 0])] })]), '"line":"sentence(row.created(November 9))"'],
  [withItems(item('form', [null, 5])), 'item.facts(facts count.responded(5), item type.form)'],
  [withItems(item('rating', [12, 3], { ratings: null })), 'item.noMean'],
  [withItems(item('rating', [12, 0], { ratings: null })), 'item.first(count 12, type type.rating)', 'item.noMean'],
  [digestOf([...eight, half]), 'more.sums(count 1', 'more.least'],
  [digestOf([...eight, seenBy(null, null)]), 'more.unknown(1)'],
  [digestOf([...eight, one(50, 200), one(5, null)]), 'more.least(count seenOf(audience 200, seen 50)'],
  [withItems(...Array.from({ length: 9 }, () => item('text', [9, 0]))), 'items.more(1)'],
  [digestOf([broadcast('A', [delivery([12, 0]), delivery([3, 0])])]), '"track":false', 'legend.noBarFew'],
  [digestOf([answeredUnseen]), '"name":"A"', 'row.unseen'],
  [digestOf([rated]), 'item.noMean'],
  [digestOf([broadcast('A', [seenText(20), seenText(5, { isLater: true })])]), 'item.first(count 20'],
  [digestOf([broadcast('A', [delivery([20, 0], { contents: null }), seenText(5)])]), 'item.first(count 5'],
  [digestOf([broadcast('A', [delivery([0, 0])], { createdAt: null })]), '"name":"A"', 'row.created'],
  [weekOf(9, 9, { coveredSince: '2026-11-09T09:30:00Z' }), '"name":"News"', 'row.created'],
  [digestOf([...eight, one(5, 200, {}, true), one(50, 200)]), 'more.least(count seenOf(audience 200, seen 50)'],
  [unseen(3), 'unseen.names'],
  [unseen(4), 'unseen.count(4)', 'unseen.names'],
  [weekOf(9), '"bar":null'],
  [digestOf([one(4, 8)]), '"bar":null'],
  [digestOf([one(1, 900)]), '"rest":"99%"'],
  [digestOf([one(899, 900)]), '"rest":"1%"'],
  [earlier({ deliveries: [delivery([null, null])] }), '"earlier":null'],
  [digestOf([half, earlierOne('Old', [null, null])]), 'earlier.unknown(1)'],
  [digestOf([half, earlierOne('Old', [null, 3])]), 'earlier.sums(count 1, sums count.responses(3))'],
  [digestOf([half, earlierOne('Old', [3, null])]), 'earlier.sums(count 1, sums count.views(3))'],
  [earlier({ line: { reason: 'delivered-again' }, deliveries: [delivery([null, 2])] }), 'views figure.none'],
  [earlier({ line: { reason: 'large' } }), 'earlier.answered(answered 0, seen 100)'],
  [earlier({ line: { reason: 'large' }, asks: false }), 'earlier.large', 'earlier.answered'],
  [earlier({ line: { reason: 'large' }, deliveries: [delivery([null, 2])] }), 'earlier.large', 'earlier.answered'],
  [earlier({ line: firstKnown, deliveries: [inPart(5)] }), 'inPeriod(count.views(5))'],
  [earlier({ line: firstKnown, deliveries: [inPart(20)] }), 'earlier.first-known', 'inPeriod('],
  [earlier({ line: firstKnown, deliveries: [inPart(null)] }), 'earlier.first-known', 'inPeriod('],
  [earlier({ line: firstKnown, deliveries: [inPart(5), delivery([null, 2])] }), 'earlier.first-known', 'inPeriod('],
  [digestOf(nineLarge), 'Eight', 'Nine'],
  [digestOf([{ ...twice, group: 'unseen' }], { needs: [low] }), '"earlier":null'],
  [digestOf([{ ...one(0, 60), group: 'unseen', createdAt: null }]), 'unseen.names(name.quoted(One))'],
  [earlier({ line: counting, ...later }), 'name name.quoted(One), now 25)'],
  [withTotals(weekOf(9), undatable), '"things":"sentence(missing.datesOfAll)"', 'incomplete.told'],
])('the mail of case %# says what is so, and nothing that is not', (digest, says, not = 'nothing of this') => {
  const said = JSON.stringify(view(digest));
  expect(said).toContain(says);
  expect(said).not.toContain(not);
});

test('a mail without a page leads to each broadcast, and says that its file is too large', () => {
  const digest = digestOf([{ ...half, id: '71' }]);
  const { mail } = input(digest);
  const where = {
    page: null,
    files: 'too-large',
    mail: { ...mail, broadcastLink: 'https://a/{broadcastId}' },
  } as const;
  expect(view(digest, where)).toMatchObject({ fresh: { rows: [{ link: 'https://a/71' }] } });
  expect(view(digest, where).notes.join()).toContain('notes.tooLarge');
  expect(view(digest, { ...where, page, files: 'none' })).toMatchObject({ fresh: { rows: [{ link: null }] } });
});

test('a filter names an author only where authors are named, and what is a need is not named once more as unseen', () => {
  const { broadcasts } = unseen(1);
  const digest = digestOf(broadcasts, { needs: broadcasts.map((row) => need(row)), only: { createdBy: 'Bo' } });
  const said = (['named', 'unnamed'] as const).map(
    (authors) => view(digest, { report: { title: 'News', locale: 'en', authors } }).earlier,
  );
  expect(said).toEqual(['Bo', 'filter.oneAuthor'].map((author) => `filter.only(filter.createdBy(${author}))`));
});

test('of statuses that are not counted the page names those with most deliveries first, and sums the others', () => {
  const digest = weekOf(9, 9, { otherStatuses: { one: 1, three: 3, two: 2, first: 1 } });
  const notes = readable(sayPageNotes(inputOf(digest, { limits: { ...mailLimits, statuses: 2 } })));
  expect(notes.join()).not.toContain('count 1,');
  expect(notes.join()).toMatch(/\(notes.status\(count 3, .*?notes.status\(count 2, .*?notes.moreStatuses\(2\)\)$/);
});
