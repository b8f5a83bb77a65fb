import { expect, test } from 'vitest';
import { changeOfShare } from '../../../functions/digest/figures.ts';
import { changing, digestsOf, type Play } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times, type Sent } from '../../support/facts/world.ts';

/** What the last digest of some weeks names, with what is usual of it. */
function namedAfter(weeks: number, world: readonly Sent[], play: Play = { runs: [7 * (weeks - 1), 7 * weeks] }) {
  const digest = digestsOf(world, play).at(-1);
  return digest?.needs.map(({ deliveries, usual }) => [deliveries.join(), usual && Math.round(usual * 100)]);
}

/** Four letters that sixty of a hundred saw, and one that so many of so many did. */
const fifth = (seen: number, audience = 100, name = 'Letter week 49') => [
  ...letters(4),
  sent('x', on(29), audience, saw(seen, on(29, 10), { hours: 20 }), { name }),
];

const ofOne = { broadcast: 'x', name: 'Letter week 49' };
const stores = (count: number, seen: number) => [
  ...letters(4),
  ...times(count, (store) => sent(`x${store}`, on(29), 100, saw(store === 0 ? seen : 70, on(29, 10)), ofOne)),
];

test('three quarters of what is usual is not too few, and half of it where a broadcast has four deliveries', () => {
  expect([namedAfter(5, fifth(45)), namedAfter(5, fifth(44))]).toEqual([[], [['x', 60]]]);
  expect([namedAfter(5, stores(3, 44)), namedAfter(5, stores(3, 45))]).toEqual([[['x0', 60]], []]);
  expect([namedAfter(5, stores(4, 29)), namedAfter(5, stores(4, 30))]).toEqual([[['x0', 60]], []]);
  // One that comes days later is not one of them.
  const later = sent('x4', on(33), 100, saw(70, on(33, 10)), ofOne);
  expect(namedAfter(5, [...stores(3, 40), later])).toEqual([['x0', 60]]);
});

test('what is usual is that of audiences between half and twice as large', () => {
  expect([namedAfter(5, fifth(80, 200)), namedAfter(5, fifth(80, 201))]).toEqual([[['x', 60]], []]);
  expect([namedAfter(5, fifth(20, 50)), namedAfter(5, fifth(19, 49))]).toEqual([[['x', 60]], []]);
  // Everybody on its list did something: for how many it was is not known, of the others it is.
  const all = sent('all', on(36), 25, saw(25, on(36, 10)), { name: 'Letter week 50' });
  expect(namedAfter(6, [...letters(5), all])).toEqual([]);
});

const small = (seen: number) =>
  times(5, (week) =>
    sent(`s${week}`, on(7 * week + 1), 13, saw(week === 4 ? seen : 12, on(7 * week + 1, 10)), {
      name: `Team week ${week}`,
    }),
  );

const world = (seen: number) => [...letters(5), ...small(seen)];

test('ten people fewer than usual are too few, nine are not', () => {
  expect([namedAfter(5, world(2)), namedAfter(5, world(3))]).toEqual([[['s4', 92]], []]);
});

const young = (weeks: number) => letters(weeks, (week) => ({ seen: week === weeks - 1 ? 40 : 60 }));

test('what is usual of a series is that of its latest eight days, of three at least', () => {
  const world = letters(11, (week) => ({ seen: [90, 90, 60, 60, 60, 60, 50, 50, 50, 50, 41][week] ?? 0 }));
  expect(namedAfter(11, world)).toEqual([['l10', 55]]);
  expect(namedAfter(11, world, { runs: [77], observedFrom: null })).toEqual([['l10', 55]]);
  expect([namedAfter(4, young(4)), namedAfter(3, young(3))]).toEqual([[['l3', 60]], []]);
  // Two of one day are of one day, and those of its own day and of later ones are not earlier.
  const more = [8, 15, 17].map((day) =>
    sent(`on${day}`, on(day), 100, saw(60, on(day, 12)), { name: 'Letter week 1' }),
  );
  expect(namedAfter(3, [...young(3), ...more])).toEqual([]);
  // The days of its own broadcast are no earlier ones of its series.
  const days = times(7, (place) => {
    const seen = place < 3 ? 90 : place === 3 ? 14 : 30;
    return sent(`d${place}`, on(Math.min(place, 3)), 100, saw(seen, on(Math.min(place, 3), 10)), ofOne);
  });
  expect(namedAfter(1, days, {})).toEqual([['d3', 60]]);
});

test('neither reminders nor what was not read at that age make anything usual', () => {
  const reminders = times(4, (week) =>
    sent(`r${week}`, on(7 * week + 5), 60, saw(5, on(7 * week + 5, 10)), {
      broadcast: `b-l${week}`,
      name: `Letter week ${45 + week}`,
    }),
  );
  expect(namedAfter(5, [...fifth(44), ...reminders])).toEqual([['x', 60]]);
  const unread = letters(3).map((letter, week) =>
    Object.assign(letter, {
      people: saw(60, on(7 * week + 2, 12)),
      fault: { fromMs: on(7 * week + 2, 10), untilMs: on(90), reason: 'failed' },
    }),
  );
  const world = [...unread, sent('x', on(22), 100, saw(15, on(22, 10)), { name: 'Letter week 48' })];
  expect(namedAfter(4, world)).toEqual([['x', null]]);
});

const others = (count: number, ofBroadcasts: number, audience = 100) =>
  times(count, (place) =>
    sent(`o${place}`, on(place % 3), audience, saw(0.6 * audience, on(place % 3, 10)), {
      broadcast: `o${place % ofBroadcasts}`,
      name: `${'abcdefghij'[place % ofBroadcasts]}`,
    }),
  );

const beside = (count: number, audience = 100) => [
  sent('low', on(1), 100, saw(29, on(1, 10)), { broadcast: 'x' }),
  ...times(count, (store) => sent(`s${store}`, on(1), audience, saw(0.6 * audience, on(1, 10)), { broadcast: 'x' })),
];

test('without a series, others that began with it are like it, else ten earlier ones of five broadcasts', () => {
  const needs = [beside(3), beside(2), beside(3, 205)].map((world) => digestsOf(world)[0]?.needs);
  expect(needs).toMatchObject([[{ deliveries: ['low'], usual: 0.6 }], [], []]);
  const x = sent('x', on(8), 100, saw(40, on(8, 10)), { name: 'Something else' });
  const named = (...earlier: Parameters<typeof others>) => namedAfter(2, [...others(...earlier), x]);
  expect([named(10, 5), named(9, 5), named(10, 4), named(10, 5, 205)]).toEqual([[['x', 60]], [], [], []]);
  // Those of its own broadcast are not earlier ones, nor what began with it or later.
  const notEarlier = [on(8, 8), on(8, 10), on(9)].map((atMs, place) =>
    sent(`x${place}`, atMs, 100, saw(60, atMs), place === 0 ? { broadcast: 'b-x' } : {}),
  );
  expect(namedAfter(2, [...others(9, 5), x, ...notEarlier])).toEqual([]);
  // Of more than forty the latest count: the median of these is that of most of them.
  const sixty = times(60, (place) => {
    const [atMs, isWell] = [on(0, place / 2), place < 20 || (place >= 33 && place < 48)];
    return sent(`o${place}`, atMs, 100, saw(isWell ? 90 : 50, atMs), { broadcast: `o${place % 5}` });
  });
  expect(namedAfter(2, [...sixty, { ...x, people: saw(20, on(8, 10)) }])).toEqual([['x', 50]]);
});

const weekly = (nameOf: (week: number) => string) =>
  times(4, (week) =>
    sent(`n${week}`, on(7 * week + 1), 100, saw(week === 3 ? 40 : 60, on(7 * week + 1, 10)), { name: nameOf(week) }),
  );

test('one of three numbers dates a name, unless two of them began on one day, and a name of a date alone is no series', () => {
  const [three, two] = [1, 2].map((from) => weekly((week) => `Newsletter ${41 + Math.max(0, week - from)}`));
  const dates = weekly((week) => `${3 + 7 * week} November 2026`);
  const stores = times(12, (place) => {
    const [week, store] = [Math.floor(place / 3), place % 3];
    const seen = store !== 1 ? 80 : week === 3 ? 22 : 26;
    const name = `Store ${104 + store} rota`;
    return sent(`s${place}`, on(7 * week + 1), 100, saw(seen, on(7 * week + 1, 10)), { name });
  });
  const named = [three, two, dates, stores].map((world = []) => namedAfter(4, world));
  expect(named).toEqual([[['n3', 60]], [], [], []]);
  // What is still to come began on no day.
  const listed = [{ fromMs: on(21), status: 'scheduled' }];
  const drafts = [50, 51].map((number) => sent(`${number}`, on(23), 100, [], { name: `Newsletter ${number}`, listed }));
  const again = sent('again', on(23), 100, [], { name: 'Newsletter 42', broadcast: 'b-n2', listed });
  expect(namedAfter(4, [...(three ?? []), ...drafts, again])).toEqual([['n3', 60]]);
});

const quiet = (judged: number, low: number) =>
  times(4, (week) =>
    times(judged, (place) =>
      sent(`${week}-${place}`, on(7 * week + 1), 100, saw(week === 3 && place < low ? 30 : 60, on(7 * week + 1, 10)), {
        name: `${'abcdefgh'[place]} week ${week}`,
      }),
    ),
  ).flat();

const said = (judged: number, low: number) => {
  const digest = digestsOf(quiet(judged, low), { runs: [21, 28] })[1];
  return [digest?.season?.deliveries ?? null, digest?.needs.length];
};

test('a season is more than half of what is judged, and three broadcasts', () => {
  expect([said(8, 4), said(7, 4)].flat()).toEqual([null, 4, 4, 0]);
  expect([said(4, 3), said(3, 2)].flat()).toEqual([3, 0, null, 2]);
});

test('what the service lists late is judged when it is known, and what was only tried out is as old as its delivery', () => {
  const late = sent('late', on(1), 100, saw(5, on(1, 10)), { listed: [{ fromMs: on(8), status: 'delivered' }] });
  expect(namedAfter(2, [...letters(1), late])).toEqual([['late', null]]);
  const listed = [
    { fromMs: on(0), status: 'scheduled' },
    { fromMs: on(4, 8), status: 'delivered' },
  ];
  expect(digestsOf([...letters(1), sent('tried', on(4), 100, saw(1, on(0, 10)), { listed })])[0]?.needs).toEqual([]);
});

test('silence is not said where a row does not say what somebody did, nor again where somebody came before it is said', () => {
  const dark = sent('dark', on(1), 60);
  const lacking = { seenAt: 1, respondedAt: 1, neither: 1 };
  const unclear = changing('dark', ({ list }) => ({ list: list && { ...list, lacking } }));
  expect(digestsOf([...letters(1), dark], unclear)[0]?.needs).toEqual([]);
  const [first, second] = digestsOf([...letters(2), { ...dark, people: saw(20, on(14, 2)) }], { weeks: 2 });
  expect([first?.needs.length, second?.needs, second?.since]).toEqual([1, [], []]);
  // Somebody answered without opening it.
  const answered = [{ seenAtMs: null, respondedAtMs: on(9) }];
  const [, changed] = digestsOf([...letters(2), { ...dark, people: answered }], { weeks: 2 });
  expect(changed?.since).toMatchObject([{ before: { seen: 0, reached: 0 }, now: { seen: 0, reached: 1 } }]);
  // Or opened it after they had.
  const few = sent('few', on(1), 60, [{ seenAtMs: on(9), respondedAtMs: on(2) }]);
  const [, later] = digestsOf([...letters(2), few], { weeks: 2 });
  expect(later?.since).toMatchObject([{ before: { seen: 0, reached: 1 }, now: { seen: 1, reached: 1 } }]);
});

const change = (part: number, of: number, before: number, ofBefore = of) =>
  changeOfShare({ answered: part, seen: of }, { answered: before, seen: ofBefore });

test('a share is no larger by less than five points, by less than five people, or of fewer than thirty', () => {
  expect(change(20, 30, 10)).toBeCloseTo(1 / 3);
  expect([change(20, 29, 10, 30), change(20, 30, 10, 29)]).toEqual([null, null]);
  expect([change(5, 100, 0), change(540, 1_000, 500), change(0, 100, 5)]).toEqual([0.05, null, -0.05]);
  expect([change(20, 40, 15), change(20, 40, 16)]).toEqual([expect.closeTo(0.125), null]);
});
