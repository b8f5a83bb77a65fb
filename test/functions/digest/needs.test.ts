import { expect, test } from 'vitest';
import { digestsOf } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times, type Sent } from '../../support/facts/world.ts';

test('ten dark stores of forty are named together, and stand in their row', () => {
  const stores = times(40, (store) =>
    sent(`s${store}`, on(1), 30, store < 10 ? [] : saw(20, on(1), { hours: 30 }), { broadcast: 'rota' }),
  );
  const [digest, ...others] = digestsOf(stores, { weeks: 5 });
  expect(digest?.needs).toMatchObject([
    { reason: 'unseen', deliveries: { length: 10 }, ofDeliveries: 40, seen: 0, audience: 300, toRemind: null },
  ]);
  expect(digest?.broadcasts).toMatchObject([{ id: 'rota', group: 'new', deliveries: { length: 40 } }]);
  expect(digest?.totals).toMatchObject({ broadcasts: 1, seen: 600 });
  // It is as it was: named three times more, and then no longer.
  expect(others.map(({ needs }) => needs.map(({ timesNamed, isLastMention }) => [timesNamed, isLastMention]))).toEqual([
    [[1, false]],
    [[2, false]],
    [[3, true]],
    [],
  ]);
});

test('what is named again has the date of its first sign, though it has no row any more', () => {
  const world = [...letters(3), sent('few', on(1), 60, saw(4, on(2)))];
  const [first, second] = digestsOf(world, { weeks: 2 });
  const few = { reason: 'too-few', broadcast: { id: 'b-few', date: '2026-11-04T09:00:00+00:00' } };
  expect(first?.needs).toMatchObject([few]);
  expect(second?.needs).toMatchObject([{ ...few, timesNamed: 1 }]);
  expect(second?.broadcasts.map(({ id }) => id)).not.toContain('b-few');
  // What the run before was the first to list was judged there.
  expect(digestsOf(world, { weeks: 2, observedFrom: null })[1]?.needs).toHaveLength(1);
});

test('of a letter to six stores the four that few saw are named, though most of its readers saw it', () => {
  const world = times(5, (week) =>
    times(6, (store) => {
      const [audience, seen] = store < 4 ? [18, week === 4 ? 1 : 14] : [200, 196];
      const people = saw(seen, on(7 * week + 1, 10), { hours: 20 });
      return sent(`${week}-${store}`, on(7 * week + 1), audience, people, {
        broadcast: `e${week}`,
        name: `Store letter week ${45 + week}`,
      });
    }),
  ).flat();
  const digests = digestsOf(world, { weeks: 5 });
  expect(digests.map(({ needs }) => needs.length)).toEqual([0, 0, 0, 0, 1]);
  const four = { deliveries: ['4-0', '4-1', '4-2', '4-3'], ofDeliveries: 6 };
  expect(digests[4]?.needs).toMatchObject([{ reason: 'too-few', ...four, seen: 4, audience: 72, usual: 14 / 18 }]);
});

test("Tuesday's rota is judged by itself: Monday's was well", () => {
  const workdays = times(35, (day) => day).filter((day) => day % 7 < 5);
  const world = workdays.map((day) => {
    const people = saw(day === 29 ? 5 : 34, on(day, 8), { hours: 20 });
    return sent(`r${day}`, on(day, 7), 40, people, { name: `Rota ${day} January` });
  });
  const digests = digestsOf(world, { weeks: 5 });
  const tuesday = { reason: 'too-few', deliveries: ['r29'], seen: 5, audience: 40, usual: 0.85, toRemind: 35 };
  expect(digests.map(({ needs }) => needs)).toMatchObject([[], [], [], [], [tuesday]]);
});

test('what was named and is not as it was is said once, with both counts, and the date that it had then', () => {
  const dark = sent('dark', on(1), 60, saw(36, on(10)));
  const lost = sent('lost', on(1), 60, [], { fault: { fromMs: on(8), untilMs: on(90), reason: 'forbidden' } });
  const [, second, third] = digestsOf([...letters(3), dark, lost], { weeks: 3 });
  const date = '2026-11-03T08:00:00+00:00';
  const now = { seen: 36, reached: 36, audience: 60 };
  expect(second?.since).toMatchObject([
    { broadcast: { id: 'b-dark', date }, before: { seen: 0, audience: 60 }, now },
    { broadcast: { id: 'b-lost', date }, before: { seen: 0 }, now: null },
  ]);
  expect([second?.needs, third?.needs, third?.since]).toEqual([[], [], []]);
});

test("a plan of Friday evening is not accused on Monday morning, and Thursday noon's is", () => {
  const world = [
    ...letters(2),
    sent('thursday', on(3, 11), 40, saw(2, on(3, 11))),
    sent('friday', on(4, 17), 40, [...saw(1, on(4, 18)), ...saw(33, on(7, 7))]),
  ];
  const [first, second] = digestsOf(world, { weeks: 2 });
  expect(first?.needs).toMatchObject([{ deliveries: ['thursday'], usual: null }]);
  expect(first?.broadcasts.filter(({ stillCounting }) => stillCounting)).toMatchObject([{ id: 'b-friday' }]);
  expect(second?.broadcasts).toMatchObject([
    { group: 'new' },
    { id: 'b-friday', group: 'earlier', line: { reason: 'still-counting', before: { seen: 1, audience: 40 } } },
  ]);
  // What came between the end and the reading accuses nobody either.
  const late = sent('late', on(3, 10), 40, [...saw(2, on(3, 11)), ...saw(30, on(7, 6))]);
  expect(digestsOf([late])[0]?.needs).toEqual([]);
});

test.each([
  ['saturday-sunday', 36, 3, 12],
  ['friday-saturday', 36, 3, 12],
  ['friday-saturday', 20, 6, 4],
  ['none', 36, 5, 12],
] as const)('hours of a weekend (%s) make nothing older: the last %i hours begin on day %i at %i', (...each) => {
  const [weekend, settleHours, day, last] = each;
  const named = [last, last + 1].map((hour) => {
    const letter = sent('letter', on(day, hour), 40, saw(2, on(day, hour)));
    return digestsOf([letter], { options: { weekend, settleHours } })[0]?.needs.length;
  });
  expect(named).toEqual([1, 0]);
});

test('in a quiet month one sentence stands for all that is low', () => {
  const world = times(10, (week) =>
    times(6, (place) => {
      const people = saw(week === 9 ? 30 : 62, on(7 * week + (place % 4), 10), { hours: 30 });
      return sent(`${week}-${place}`, on(7 * week + (place % 4)), 100, people, {
        name: `${'abcdef'[place]} week ${week}`,
      });
    }),
  ).flat();
  const [usual, quiet] = digestsOf([...world, sent('dark', on(65), 60)], { runs: [63, 70] });
  expect([usual?.needs, usual?.season]).toEqual([[], null]);
  expect(quiet?.needs).toMatchObject([{ deliveries: ['dark'] }]);
  expect(quiet?.season).toEqual({ deliveries: 6, judged: 6, reached: 180, audience: 600, usual: 0.62 });
});

test('what is delivered again to fewer is no matter, and what is new and alike to nothing is one below a fifth', () => {
  const again = sent('again', on(36), 30, saw(4, on(36, 10)), { broadcast: 'b-l4', name: 'Letter week 49' });
  const world = [
    ...letters(6),
    again,
    sent('few', on(36), 400, saw(79, on(36, 10))),
    sent('fifth', on(36), 400, saw(80, on(36, 10))),
  ];
  const digest = digestsOf(world, { runs: [35, 42] })[1];
  expect(digest?.broadcasts.find(({ id }) => id === 'b-l4')).toMatchObject({
    group: 'earlier',
    line: { reason: 'delivered-again' },
    deliveries: [{ id: 'again', isLater: true, seen: 4 }, { id: 'l4' }],
  });
  expect(digest?.needs).toMatchObject([{ deliveries: ['few'], usual: null, toRemind: 321 }]);
  const six = times(6, (place) => {
    const broadcast = { broadcast: `b${place}` };
    return [
      sent(`${place}`, on(1), 90, saw(50, on(1)), broadcast),
      sent(`a${place}`, on(8), 90, saw(9, on(8)), broadcast),
    ];
  }).flat();
  const lines = digestsOf(six, { weeks: 2 })[1]?.broadcasts.map(({ line }) => line?.reason);
  expect(lines).toEqual(times(6, () => 'delivered-again'));
});

const needsWithoutAudience = (weeks: number, seen: number, more: readonly Sent[] = []) => {
  const world = [...letters(weeks, (week) => ({ seen: week === weeks - 1 ? seen : 60 + week })), ...more];
  const runs = [7 * (weeks - 1), 7 * weeks];
  return digestsOf(world, { runs, service: { namesEverybody: () => false } })[1]?.needs;
};

/** A letter of the series to which twelve responded, who are all on its list, and none as somebody who saw it. */
const answeredOn = (day: number) => {
  const people = times(12, () => ({ seenAtMs: null, respondedAtMs: on(day, 10) }));
  return sent('answered', on(day), 100, people, { name: 'Letter week 1' });
};

test('where the list does not say how many it is for, a series is held against its fewest views', () => {
  const low = { reason: 'too-few', seen: 29, audience: null, usual: null, fewest: 60, toRemind: null };
  expect(needsWithoutAudience(6, 29)).toMatchObject([low]);
  expect([needsWithoutAudience(6, 30), needsWithoutAudience(5, 29)]).toEqual([[], []]);
  // A list of those who responded alone says nothing of views.
  expect(needsWithoutAudience(6, 29, [answeredOn(30)])).toMatchObject([low]);
  expect(needsWithoutAudience(6, 30, [answeredOn(37)])).toEqual([]);
});

test('of few people silence is said only where nobody saw any of it, and of nobody never', () => {
  const world = [
    ...letters(2),
    sent('few', on(8), 4),
    sent('nobody', on(8), 0),
    ...times(4, (store) => sent(`s${store}`, on(8), 9, store < 3 ? [] : saw(5, on(8, 10)), { broadcast: 'small' })),
  ];
  expect(digestsOf(world, { weeks: 2 })[1]?.needs).toMatchObject([{ deliveries: ['few'], seen: 0, audience: 4 }]);
});

test('what the first observation found unseen is judged only where it is new', () => {
  const world = [...letters(2), sent('old', on(-30), 60), sent('new', on(-3), 60)];
  const [digest] = digestsOf(world, { weeks: 2 });
  expect(digest?.needs).toMatchObject([{ deliveries: ['new'] }]);
  expect(digest).toMatchObject({ olderUnseen: 1, broadcasts: [{ id: 'b-l0' }, { id: 'b-new', group: 'unseen' }] });
  // What it found seen, and what came later, is judged whenever it was made; what somebody saw only then was found unseen.
  const made = { createdMs: on(-40) };
  const seen = sent('seen', on(-5), 60, saw(4, on(-5)), made);
  const later = [sent('late', on(1), 60, [], made), sent('quiet', on(-20), 60, saw(4, on(2)), made)];
  const needs = digestsOf([...world, seen, ...later])[0]?.needs;
  expect(needs?.flatMap(({ deliveries }) => deliveries)).toEqual(['late', 'new', 'seen']);
});

test('on a laptop that runs on Mondays what nobody saw is said a week later', () => {
  const stores = times(8, (store) =>
    sent(`s${store}`, on(8), 20, store < 3 ? [] : saw(12, on(8, 11)), { broadcast: 'stores' }),
  );
  const [, second, third] = digestsOf([...letters(3), ...stores], { weeks: 3, observedFrom: null });
  expect(second?.broadcasts[0]).toMatchObject({ id: 'stores', group: 'new', deliveries: { length: 8 } });
  expect(second?.broadcasts[0]?.deliveries.filter(({ isLater }) => isLater)).toEqual([]);
  expect([second?.needs, third?.needs]).toMatchObject([[], [{ deliveries: ['s0', 's1', 's2'], ofDeliveries: 8 }]]);
});

test('what could not be read when it was of age is judged once it can be', () => {
  const fault = { fromMs: on(0), untilMs: on(9), reason: 'forbidden' as const };
  const [first, second] = digestsOf([...letters(2), sent('dark', on(1), 60, [], { fault })], { weeks: 2 });
  expect(first).toMatchObject({
    needs: [],
    unjudged: ['dark'],
    totals: { seen: null, unavailable: { reason: 'incomplete' } },
    unavailable: [{ what: 'delivery', delivery: 'dark', reason: 'forbidden' }],
  });
  expect(second).toMatchObject({ needs: [{ deliveries: ['dark'] }], totals: { seen: 60 } });
  expect([second?.unjudged, second?.unavailable]).toEqual([[], []]);
});
