import { expect, test } from 'vitest';
import { saysNothing } from '../../../functions/digest/compose.ts';
import { digestsOf } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times } from '../../support/facts/world.ts';

const warningOf = { report: 'weekly', every: 'week', afterHours: 24 } as const;
const warnings = (world: Parameters<typeof digestsOf>[0], runs: number[], limits: object) =>
  digestsOf(world, { runs, observedFrom: -1, options: { warningOf: { ...warningOf, ...limits } } });

test('a letter that was first seen in the evening is held against its usual on the morning after next', () => {
  const evening = sent('evening', on(29, 18), 100, saw(20, on(29, 22)), { name: 'Letter week 49' });
  const [first, second, third] = warnings([...letters(4), evening], [30, 31, 32], { belowUsual: 0.5 });
  expect([first?.needs, third && saysNothing(third)]).toEqual([[], true]);
  // It is compared with nothing.
  expect(third).toMatchObject({ totals: { previous: null }, trend: [{ seen: expect.any(Number) }] });
  expect(second?.needs).toMatchObject([{ deliveries: ['evening'], seen: 20, usual: 0.6, toRemind: 80 }]);
});

test('the first warning of all warns, and one that says it again is no reason for a mail', () => {
  const [first, second] = warnings([...letters(1), sent('dark', on(1), 60)], [3, 4], { belowShare: 0.4 });
  expect(first?.needs).toMatchObject([{ reason: 'unseen', deliveries: ['dark'], timesNamed: 0 }]);
  expect(second?.needs).toMatchObject([{ deliveries: ['dark'], timesNamed: 1 }]);
  expect([first, second].map((digest) => digest && saysNothing(digest))).toEqual([false, true]);
  const both = [sent('dark', on(1), 60), sent('other', on(2), 60)];
  expect(warnings(both, [3, 4], { belowShare: 0.4 }).map(saysNothing)).toEqual([false, false]);
  // A quiet month is no reason to say less in time.
  const low = times(3, (place) => sent(`${place}`, on(1), 60, saw(5, on(1))));
  expect(warnings(low, [3], { belowShare: 0.4 })[0]?.needs).toHaveLength(3);
});

test('a digest says nothing where it has no row, no need, nothing that became of one, no gap, no season and no row without a date', () => {
  const nothing = digestsOf([])[0];
  const season = { deliveries: 3, judged: 3, reached: 9, audience: 90, usual: null };
  const undated = [
    { seen: 1, responded: 1 },
    { seen: 0, responded: 1 },
  ];
  const more = [
    ...[['broadcasts', 'needs'], ['broadcasts', 'since'], ['broadcasts', 'unavailable'], ['needs'], ['since']].map(
      (names) => Object.fromEntries(names.map((name) => [name, [{}]])),
    ),
    { season },
    ...undated.map((rows) => ({ totals: { ...nothing?.totals, undated: rows } })),
  ];
  const said = [{}, ...more].map((one) => saysNothing(Object.assign({}, nothing, one)));
  expect(said).toEqual([true, ...more.map(() => false)]);
});

test("Monday's warning has what was of age since Friday's", () => {
  const friday = sent('friday', on(3, 12), 60, saw(5, on(3, 12)));
  const runs = [2, 3, 4, 7];
  expect(warnings([friday], runs, { belowShare: 0.2 }).map(({ needs }) => needs.length)).toEqual([0, 0, 0, 1]);
});

test('at a limit is not below it, and views alone judge an unknown audience', () => {
  const world = times(2, (place) => sent(`s${place}`, on(1), 100, saw(55 - place, on(1, 10))));
  expect(warnings(world, [3], { belowShare: 0.55 })[0]?.needs).toMatchObject([{ deliveries: ['s1'] }]);
  const engaged = { deliveryRecipients: 'engaged', contentRecipients: 'engaged' } as const;
  const options = { ...engaged, warningOf: { ...warningOf, belowViews: 55 } };
  const [views] = digestsOf(world, { runs: [3], options });
  expect(views?.needs).toMatchObject([{ deliveries: ['s1'], seen: 54, audience: null, toRemind: null }]);
  // Without a number of views it is not judged, whatever is usual.
  const few = letters(6, (week) => ({ seen: week === 5 ? 5 : 60 }));
  const byShare = { ...engaged, warningOf: { ...warningOf, belowShare: 0.4 } };
  expect(digestsOf(few, { runs: [38], options: byShare })[0]?.needs).toEqual([]);
});

test('where it is known what is usual, a share of the audience is no limit', () => {
  const world = letters(6, (week) => ({ seen: week === 5 ? 16 : 18 }));
  const [both] = warnings(world, [38], { belowUsual: 0.5, belowShare: 0.2 });
  expect(both?.needs).toEqual([]);
  const [share] = warnings(world, [38], { belowShare: 0.2 });
  expect(share?.needs).toMatchObject([{ deliveries: ['l5'] }]);
});
