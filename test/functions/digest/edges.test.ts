import { expect, test } from 'vitest';
import { figuresOf, haveAllReachedHalf } from '../../../functions/digest/figures.ts';
import type { DigestOptions } from '../../../functions/digest/deliveries.ts';
import type { Digest, DigestBroadcast } from '../../../functions/digest/schema.ts';
import { broadcast, delivery, need } from '../../support/digests/build.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { digestsOf } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times, undated, type Sent } from '../../support/facts/world.ts';

// Limits, each just met and just missed.

const needsOf = (world: Sent[], options: Partial<DigestOptions> = {}) =>
  digestsOf(world, { options })[0]?.needs.map(({ reason, deliveries }) => `${reason} ${deliveries.join()}`);

const few = (id: string, audience: number, seen = 4, more: Partial<Sent> = {}) =>
  sent(id, on(1), audience, saw(seen, on(1)), more);

test('needs stand by the people who are missing, and silence apart from few', () => {
  expect(needsOf([few('b', 60), few('a', 60), few('most', 200), ...times(3, (n) => few(`well${n}`, 60, 50))])).toEqual(
    ['most', 'a', 'b'].map((id) => `too-few ${id}`),
  );
  const stores = { broadcast: 'stores' };
  const world = [few('dark', 60, 0, stores), few('dim', 60, 4, stores), few('well', 60, 50, stores)];
  expect(needsOf(world)).toEqual(['unseen dark', 'too-few dim']);
  expect(digestsOf(world)[0]?.needs.map(({ toRemind }) => toRemind)).toEqual([null, null]);
});

test('of as many people as the smallest group something is said, of fewer nothing', () => {
  const one = [sent('one', on(1), 11, saw(1, on(1)))];
  expect([11, 12].map((minimumGroup) => needsOf(one, { minimumGroup })?.length)).toEqual([1, 0]);
  const stores = times(3, (store) => sent(`s${store}`, on(1), 4, saw(store, on(1)), { broadcast: 'stores' }));
  expect([4, 5].map((minimumGroup) => needsOf([...letters(1), ...stores], { minimumGroup })?.length)).toEqual([1, 0]);
});

const stores = (all: number, silent: number) =>
  times(all, (store) => sent(`s${store}`, on(1), 20, saw(store < silent ? 0 : 9, on(1)), { broadcast: 's' }));
const named = (world: Sent[]) => digestsOf(world, { service: { namesEverybody: () => false } })[0]?.needs.length;

test('of unknown audiences three are silent, and a fifth of those that were delivered together, or all', () => {
  expect([stores(15, 3), stores(16, 3), stores(9, 2), stores(1, 1)].map(named)).toEqual([1, 0, 0, 1]);
  const later = sent('later', on(5), 20, saw(9, on(5)), { broadcast: 's' });
  expect(named([...stores(15, 3), later])).toBe(1);
});

const dark = (id: string, day: number, createdMs: number, more: Partial<Sent> = {}) =>
  sent(id, on(day), 60, [], { createdMs, ...more });
const groups = (world: Sent[], weeks: number) =>
  digestsOf([...letters(weeks), ...world], { weeks }).map(({ broadcasts, olderUnseen }) =>
    [...broadcasts.map(({ group }) => group), olderUnseen].join(' '),
  );

test('what nobody saw is shown for two weeks since it was seen to come, and else since it was made', () => {
  expect(groups([dark('came', 1, on(-90))], 3)).toEqual(['new unseen 0', 'new unseen 0', 'new 1']);
  expect(groups([dark('there', -40, on(-40))], 1)).toEqual(['new 1']);
  const half = [dark('a', 1, on(1), { broadcast: 'x' }), sent('b', on(1), 60, saw(40, on(1)), { broadcast: 'x' })];
  expect(groups(half, 1)).toEqual(['new new 0']);
  // It counts from the last of its deliveries, and says nothing where one of them could not be read.
  const lately = [dark('c', -40, on(-40), { broadcast: 'z' }), dark('d', 1, on(-90), { broadcast: 'z' })];
  expect(groups(lately, 1)).toEqual(['new unseen 0']);
  const fault = { fromMs: on(0), untilMs: on(90), reason: 'forbidden' as const };
  const unread = [dark('e', 1, on(1), { broadcast: 'w' }), dark('f', 1, on(1), { broadcast: 'w', fault })];
  expect(groups(unread, 1)).toEqual(['new 0']);
  const ofNobody = sent('none', on(1), 0, [], { broadcast: 'y' });
  expect(groups([ofNobody], 1)).toEqual(['new 0']);
  expect(groups([ofNobody, dark('some', 1, on(1), { broadcast: 'y' })], 1)).toEqual(['new unseen 0']);
  const stale = dark('g', 1, on(1), { fault: { ...fault, fromMs: on(3) } });
  const unclear = dark('h', 1, on(1), { people: [...undated(1, on(7, 4)), ...saw(3, on(7, 4))] });
  expect([groups([stale], 1), groups([unclear], 1)]).toEqual([['new 0'], ['new 0']]);
  const draft = { fromMs: on(-1), status: 'scheduled' };
  const delivered = dark('i', 1, on(-90), { listed: [draft, { fromMs: on(1), status: 'delivered' }] });
  expect(groups([delivered], 1)).toEqual(['new unseen 0']);
});

const seenOf = (open: number, dated: number) =>
  digestsOf([sent('a', on(1), 100, [...saw(dated, on(1)), ...undated(open)])])[0]?.totals.seen;

test('who saw it and responded, both without a readable date, is one whom it reached, and is in one digest', () => {
  const both = undated(3).map((person) => Object.assign(person, { respondedAtMs: '?' as const }));
  const late = sent('late', on(1), 100, [...saw(30, on(1)), ...undated(2, on(15))]);
  const digests = digestsOf([...letters(1), sent('u', on(1), 60, both), late], { weeks: 3 });
  expect(digests[0]?.needs).toMatchObject([{ deliveries: ['u'], reached: 3 }]);
  const counts = digests.map(({ totals }) => totals.undated);
  expect(counts).toMatchObject([
    { seen: 3, responded: 3 },
    { seen: 0, responded: 0 },
    { seen: 2, responded: 0 },
  ]);
  // A row without a date, or a response, makes an earlier one active.
  const answered = sent('c', on(1), 60, [{ seenAtMs: on(1), respondedAtMs: on(9) }]);
  const without = { seenAtMs: null, respondedAtMs: '?', knownMs: on(9) } as const;
  const responded = sent('d', on(1), 60, [...saw(1, on(1)), without]);
  const [, active] = digestsOf([answered, responded], { weeks: 2 });
  expect(active?.broadcasts.map(({ id }) => id)).toEqual(['b-c', 'b-d']);
});

test('deliveries stand by those who saw them, and one that is not of age yet is counted still', () => {
  const seen = Object.entries({ a: [on(1), 40], b: [on(1), 50], c: [on(4, 8), 45] } as const);
  const world = seen.map(([id, [atMs, people]]) => sent(id, atMs, 60, saw(people, atMs), { broadcast: 'x' }));
  const [digest] = digestsOf(world);
  expect(digest?.broadcasts).toMatchObject([
    { stillCounting: true, deliveries: [{ id: 'b' }, { id: 'c' }, { id: 'a' }] },
  ]);
});

test('what is on the list still and cannot be read is unavailable, however old it is', () => {
  const fault = { fromMs: on(40), untilMs: on(90), reason: 'failed' as const };
  const last = digestsOf([sent('old', on(0), 100, saw(50, on(0)), { fault })], { weeks: 7 }).at(-1);
  expect(last?.unavailable.map(({ delivery }) => delivery)).toEqual(['old']);
});

const groupsWhenSeen = (atMs: number) =>
  digestsOf([sent('x', on(-1), 60, saw(20, atMs))], { weeks: 2 }).map(({ broadcasts: [row], totals }) =>
    [row?.group, row?.line?.reason, totals.broadcasts].join(' '),
  );

test('what is first seen as a period begins is new in it, and as it ends in the next one', () => {
  expect(groupsWhenSeen(on(0, 0))).toEqual(['new  1', '  0']);
  expect(groupsWhenSeen(on(7, 0))).toEqual(['unseen  0', 'new  1']);
});

test('three rows without a date, and more than a tenth, leave the figures of the period open', () => {
  expect([seenOf(3, 27), seenOf(3, 26), seenOf(2, 1)]).toEqual([27, null, 1]);
  const people = [
    ...saw(26, on(1), { responded: 26 }),
    ...times(3, () => ({ seenAtMs: on(1), respondedAtMs: '?' as const })),
  ];
  expect(digestsOf([sent('a', on(1), 100, people)])[0]?.totals).toMatchObject({
    seen: null,
    undated: { seen: 0, responded: 3 },
    unavailable: { reason: 'dates-unreadable' },
  });
});

test('a trend has eight periods, and the period before is said as its own digest said it, where that was of it', () => {
  const digests = digestsOf(letters(10), { weeks: 10 });
  expect(digests.at(-1)?.trend).toHaveLength(8);
  expect(digests.at(-1)?.totals.previous?.asSaid).toMatchObject({ seen: 60 });
  expect(digestsOf(letters(6), { runs: [7, 28, 42] })[2]?.totals.previous?.asSaid).toBeNull();
});

test('what is missing stands in one order, whatever that in which it was read', () => {
  const fault = { fromMs: on(0), untilMs: on(90), reason: 'forbidden' as const };
  const world = ['z', 'a', 'm'].map((id) => sent(id, on(1), 60, [], { fault }));
  expect(digestsOf(world)[0]?.unavailable.map(({ delivery: id }) => id)).toEqual(['a', 'm', 'z']);
});

const ratings = { count: 10, mean: 4, histogram: { '4': 10 }, unreadable: 0 };
const part = (more: object = {}) => ({ audience: 20, seen: 10, responded: 5, answered: 5, ...more });
const of = (parts: Array<ReturnType<typeof part> & { ratings?: typeof ratings | null }>, minimumGroup = 10) =>
  figuresOf(parts, { minimumGroup, asks: true });

test('figures together are those of all, and not known where one is not', () => {
  expect(of([part({ ratings }), part()]).ratings).toEqual({ count: 10, mean: 4, hasHistogram: true });
  expect([of([part({ ratings }), part({ ratings: null })]).ratings, of([part()]).ratings]).toEqual([null, null]);
  // The same ten people may be in both.
  const both = { seen: 20, share: 0.5, rate: null, ratings: { count: 20, mean: null, hasHistogram: false } };
  expect(of([part({ ratings }), part({ ratings })], 11)).toMatchObject(both);
  // Beside a group that is large enough a smaller one counts.
  const small = part({ audience: 4, seen: 2, ratings: { ...ratings, count: 2 } });
  expect(of([part({ ratings }), small])).toMatchObject({ share: 0.5, rate: 10 / 12, ratings: { hasHistogram: true } });
  expect(of([part({ ratings: { ...ratings, mean: null } })]).ratings?.mean).toBeNull();
  expect(of([part({ audience: 0 })]).audience).toBeNull();
  // What asks for nothing has no rate, and none of nobody's responses.
  const inPeriod = { seen: 3, responded: 0 };
  const asking = (responded: number, asks: boolean | null) =>
    figuresOf([{ ...part({ responded, inPeriod }) }], { minimumGroup: 0, asks });
  expect([asking(0, false), asking(0, null), asking(2, false)]).toMatchObject([
    { responded: null, rate: null, audience: 20, inPeriod: { seen: 3, responded: null } },
    { responded: 0, rate: null, inPeriod: { responded: 0 } },
    { responded: 2, rate: null },
  ]);
  expect([of([part()], 10).rate, of([part()], 20).share, of([part(), part()], 21).share]).toEqual([0.5, 0.5, null]);
  const unknown = [{ seen: null }, { audience: null }, { seen: 0 }].map((more) => of([part(more)], 0));
  expect(unknown.flatMap(({ share, rate }) => [share, rate])).toEqual([null, null, null, 0.5, 0, null]);
});

const row = (seen: number, audience: number | null, group: 'new' | 'earlier' = 'new') =>
  broadcast('b', [delivery([seen, 0], { audience })], { group });
const said = (broadcasts: DigestBroadcast[], more: Partial<Digest> = {}) =>
  haveAllReachedHalf({ ...digestNamed('a quiet week'), needs: [], season: null, broadcasts, ...more });

test('all new ones have reached half where each is known to have, nothing is named, and it is no quiet month', () => {
  const half = row(50, 100);
  expect([said([half]), said([half, row(3, 100, 'earlier')])]).toEqual([true, true]);
  expect([said([half, row(49, 100)]), said([row(50, null)]), said([])]).toEqual([false, false, false]);
  const { season } = digestNamed('a season');
  expect([said([half], { needs: [need(half)] }), said([half], { season })]).toEqual([false, false]);
});

test('what is delivered after the end of a period is of the next, and what is no longer read and was seen as a draft is named', () => {
  const draft = { fromMs: on(5), status: 'scheduled' };
  const listed = [draft, { fromMs: on(7, 4), status: 'delivered' }];
  const later = sent('later', on(7, 4), 40, saw(30, on(7, 5)), { listed, createdMs: on(4) });
  const shown = digestsOf([later], { weeks: 2 }).map(({ broadcasts }) => broadcasts.map(({ id }) => id));
  expect(shown).toEqual([[], ['b-later']]);
  const fault = { fromMs: on(6), untilMs: on(90), reason: 'forbidden' as const };
  const [digest] = digestsOf([sent('draft', on(5), 40, saw(5, on(5)), { listed: [draft], fault })]);
  expect(digest?.unavailable).toMatchObject([{ delivery: 'draft', reason: 'forbidden' }]);
});
