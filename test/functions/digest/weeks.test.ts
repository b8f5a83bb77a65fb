import { expect, test } from 'vitest';
import { composeDigest } from '../../../functions/digest/compose.ts';
import type { AccountFacts } from '../../../functions/domain/facts.ts';
import { periodBefore } from '../../../functions/domain/period.ts';
import { changing, digestsOf, weekly } from '../../support/facts/digests.ts';
import { momentsOf } from '../../support/facts/moments.ts';
import { createObserver, letters, on, saw, sent, times, undated } from '../../support/facts/world.ts';

test('a Sunday letter is counted again in the week after, and then no longer', () => {
  const sunday = sent('sunday', on(6, 18), 100, [...saw(10, on(6, 19)), ...saw(75, on(7, 8), { hours: 60 })]);
  const before = { seen: 10, audience: 100 };
  const first = { group: 'new', stillCounting: true, deliveries: [{ seen: 10 }] };
  const again = { group: 'earlier', stillCounting: false, line: { reason: 'still-counting', before } };
  expect(digestsOf([sunday], { weeks: 3 })).toMatchObject([
    { broadcasts: [first], totals: { broadcasts: 1, seen: 10 } },
    {
      broadcasts: [{ ...again, deliveries: [{ seen: 85, inPeriod: { seen: 75 } }] }],
      totals: { broadcasts: 0, seen: 75 },
    },
    { broadcasts: [] },
  ]);
  // Nothing came after its end.
  const over = digestsOf([sent('sunday', on(6, 18), 100, saw(10, on(6, 19)))], { weeks: 2 });
  expect(over.map(({ broadcasts }) => broadcasts.map(({ line }) => line))).toEqual([[null], []]);
});

test('what a night shift saw, and was known after the run, is told once', () => {
  const night = sent('night', on(6, 18), 40, saw(30, on(6, 22), { knownMs: on(7, 12) }));
  const digests = digestsOf([...letters(3), night], { weeks: 3 });
  const rows = digests.map(({ broadcasts }) => broadcasts.find(({ id }) => id === 'b-night'));
  expect(rows[0]).toMatchObject({ group: 'unseen' });
  expect(rows[1]).toMatchObject({ group: 'earlier', line: { reason: 'first-known' }, deliveries: [{ seen: 30 }] });
  expect(rows[2]).toBeUndefined();
  // It is not first known where other deliveries of it were known before, nor where it began after the digest before.
  const known = sent('known', on(6, 18), 40, saw(20, on(5, 22)), { broadcast: 'b-night' });
  const [, both] = digestsOf([night, known], { weeks: 2 });
  expect(both?.broadcasts[0]?.line).toMatchObject({ reason: 'still-counting' });
  const between = sent('between', on(8), 100, [...saw(60, on(8, 10)), ...saw(5, on(15))]);
  const [, later] = digestsOf([...letters(3), between], { runs: [7, 21] });
  expect(later?.broadcasts.find(({ id }) => id === 'b-between')).toMatchObject({ group: 'earlier', line: null });
});

test('what is known late every week makes no week better or worse than the one before', () => {
  const world = letters(7).map((letter, week) => {
    const late = saw(12, on(7 * week + 4), { knownMs: on(7 * week + 9) });
    return Object.assign(letter, { people: [...letter.people, ...late] });
  });
  const digest = digestsOf(world, { weeks: 7 })[6];
  const previous = { seen: 72, asSaid: { seen: 60 } };
  expect(digest?.totals).toMatchObject({ seen: 60, previous, change: { seen: null } });
});

test('a change is said once facts cover the week before, and two before that', () => {
  const world = letters(6, (week) => ({ seen: 50 + week }));
  const digests = digestsOf(world, { weeks: 6, observedFrom: -2 });
  expect(digests.map(({ totals }) => totals.change.seen)).toEqual([null, null, null, 1, 1, 1]);
  const trend = digests[5]?.trend.map(({ start, seen }) => `${start.slice(0, 10)} ${seen}`);
  const days = ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30', '2026-12-07'];
  expect(trend).toEqual(days.map((day, week) => `${day} ${50 + week}`));
  // What two digests did not know, and facts do by now, is in the trend of the next.
  const fault = { fromMs: on(22), untilMs: on(36), reason: 'failed' as const };
  const lost = world.map((letter, week) => Object.assign({}, letter, week === 3 ? { fault } : {}));
  expect(digestsOf(lost, { weeks: 6, observedFrom: -2 })[5]?.trend.map(({ seen }) => seen)).toContain(53);
  const fifty = times(50, () => ({ seenAtMs: on(29, 10), respondedAtMs: null }));
  // Against what its own digest said the week is worse, and better than what is left of it.
  const fewer = changing('l4', ({ list }) => ({
    list: list && list.readMs > on(41) ? { ...list, moments: momentsOf(fifty, 60) } : list,
  }));
  const play = { weeks: 6, observedFrom: -2, ...fewer };
  const differ = digestsOf(
    letters(6, (week) => ({ seen: week === 5 ? 55 : 60 })),
    play,
  )[5];
  expect(differ?.totals).toMatchObject({ previous: { seen: 50, asSaid: { seen: 60 } }, change: { seen: null } });
});

test('a month knows what a list of three weeks has forgotten', () => {
  const world = times(70, (day) => sent(`l${day}`, on(day - 20), 100, saw(60, on(day - 20, 10), { hours: 30 })));
  const play = { every: 'month' as const, runs: [29, 60], service: { days: 21 } };
  const [whole, next] = digestsOf(world, { ...play, observedFrom: -20 });
  expect(whole?.totals).toMatchObject({ broadcasts: 30, seen: 1_800 });
  expect(next?.totals).toMatchObject({ previous: { seen: 1_800, asSaid: { seen: 1_800 } } });
  // Observed by its runs alone, it says from when on it knows.
  const [part] = digestsOf(world, { ...play, observedFrom: null });
  expect(part).toMatchObject({ coveredSince: '2026-11-12T10:00:00+00:00', totals: { previous: null } });
});

test('of a list of the newest twenty nothing is lost between two days', () => {
  const world = times(140, (place) => sent(`d${place}`, on(place / 5), 100, saw(40, on(place / 5), { hours: 80 })));
  const [, second] = digestsOf(world, { weeks: 2, service: { newest: 20 } });
  const [, all] = digestsOf(world, { weeks: 2 });
  expect(second?.totals).toEqual(all?.totals);
});

test('a survey of three weeks has a line as long as it is a fifth of the week, and its type is known to ask', () => {
  const people = [0, 8, 15].map((day) => saw(100, on(day, 10), { hours: 40, responded: 40 }));
  const survey = sent('survey', on(0), 400, people.flat(), { items: [{ id: 'q', type: 'survey' }] });
  const gallery = sent('gallery', on(8), 100, saw(60, on(8, 10)), { items: [{ id: 'g', type: 'gallery' }] });
  const poll = sent('poll', on(15), 100, saw(20, on(15, 10)), { items: [{ id: 'p', type: 'Survey' }] });
  const digests = digestsOf([survey, gallery, poll], { weeks: 3 });
  expect(digests.map(({ totals }) => [totals.asked, totals.responseRate])).toEqual([
    [{ seen: 100, answered: 40 }, 0.4],
    [{ seen: 0, answered: 0 }, null],
    [{ seen: 20, answered: 0 }, 0],
  ]);
  const line = { group: 'earlier', asks: true, line: { reason: 'large' } };
  expect(digests[1]?.broadcasts).toMatchObject([
    { id: 'b-gallery', group: 'new', asks: false },
    { id: 'b-survey', ...line, deliveries: [{ seen: 200, responded: 80 }] },
  ]);
});

const polls = (rates: number[]) =>
  rates.map((responded, week) => {
    const people = saw(60, on(7 * week + 1, 10), { responded });
    return sent(`p${week}`, on(7 * week + 1), 100, people, { items: [{ id: `i${week}`, type: 'poll' }] });
  });

const lastTotals = (...last: number[]) =>
  digestsOf(polls([20, 20, 20, ...last]), { weeks: 5, observedFrom: -2 })[4]?.totals;

test('a rate is no larger by chance, or by what is known late', () => {
  expect(lastTotals(20, 30)?.change.responseRate).toBeCloseTo(1 / 6);
  expect(lastTotals(20, 24)?.change.responseRate).toBeNull();
});

test('rows without a readable date are in no figure, are named beside it, and are seen in time', () => {
  const world = [...letters(3), sent('u', on(1), 100, [...saw(40, on(1, 10)), ...undated(2)])];
  const [first, second] = digestsOf(world, { weeks: 2 });
  expect(first).toMatchObject({ totals: { seen: 100, undated: { seen: 2 } }, undated: [{ delivery: 'u', seen: 2 }] });
  expect(second?.totals.undated).toEqual({ seen: 0, responded: 0 });
  const [none] = digestsOf([...letters(1), sent('u', on(1), 60, undated(60)), sent('dark', on(1), 60)]);
  expect(none?.needs).toMatchObject([{ deliveries: ['dark'] }]);
});

test('what was known late of a Sunday letter has its line, though nothing of it is of the week', () => {
  const late = sent('late', on(6, 18), 100, [...saw(10, on(6, 19)), ...saw(20, on(6, 20), { knownMs: on(8) })]);
  expect(digestsOf([late], { weeks: 2 })[1]?.broadcasts).toMatchObject([
    { line: { reason: 'still-counting', before: { seen: 10 } }, deliveries: [{ seen: 30, inPeriod: { seen: 0 } }] },
  ]);
});

const large = (views: number) => {
  const old = sent('old', on(1), 200, [...saw(50, on(1, 10)), ...saw(views, on(8))]);
  return digestsOf([old, sent('new', on(8), 200, saw(80, on(8)))], { weeks: 2 })[1]?.broadcasts[1]?.line;
};

test('five that were still counting have a line, and others from a fifth of the week on', () => {
  const sundays = times(6, (place) =>
    sent(`s${place}`, on(6, 18), 100, [...saw(10, on(6, 19)), ...saw(20 + place, on(7, 8))]),
  );
  const lines = digestsOf(sundays, { weeks: 2 })[1]?.broadcasts.map(({ id, line }) => [id, line?.reason]);
  expect(lines).toEqual([...[5, 4, 3, 2, 1].map((place) => [`b-s${place}`, 'still-counting']), ['b-s0', undefined]]);
  expect([large(20), large(19)]).toEqual([{ reason: 'large' }, null]);
});

test('a broadcast is delivered again in the week in which it is, and does not count on for it', () => {
  const again = sent('again', on(12, 18), 60, [...saw(2, on(12, 19)), ...saw(20, on(15))], {
    broadcast: 'b-l0',
    name: 'Letter week 45',
  });
  const rows = digestsOf([...letters(3), again], { weeks: 3 }).map(({ broadcasts }) =>
    broadcasts.find(({ id }) => id === 'b-l0'),
  );
  expect(rows[1]).toMatchObject({ line: { reason: 'delivered-again' }, stillCounting: false });
  expect(rows[2]).toMatchObject({ line: { reason: 'large' }, deliveries: [{ id: 'again', seen: 22 }, { id: 'l0' }] });
});

test('what was for nobody is no row, and what nobody saw for long is a number', () => {
  const [, , , digest] = digestsOf([...letters(4), sent('none', on(22), 0), sent('dark', on(1), 60)], { weeks: 4 });
  expect(digest).toMatchObject({ olderUnseen: 1, broadcasts: [{ id: 'b-l3' }] });
});

test('the trend has the week before as facts now have it, and earlier ones as they were told', () => {
  const world = letters(7).map((letter, week) =>
    Object.assign(letter, {
      people: [...letter.people, ...saw(12, on(7 * week + 4), { knownMs: on(7 * week + (week === 3 ? 16 : 9)) })],
    }),
  );
  const digests = digestsOf(world, { weeks: 7 });
  expect(digests[6]?.trend.map(({ seen }) => seen)).toEqual([60, 60, 60, 60, 72, 72, 60]);
});

const world = (people: number) =>
  letters(5, (week) => ({ seen: week === 4 ? 63 : 60 })).map((letter, week) =>
    week === 4 ? Object.assign(letter, { people: [...letter.people, ...undated(people, on(29))] }) : letter,
  );

const change = (people: number) => digestsOf(world(people), { weeks: 5, observedFrom: -2 })[4]?.totals.change.seen;

test('rows without a readable date could undo a change, and old ones are of no period', () => {
  expect([change(2), change(3)]).toEqual([3, null]);
  const old = sent('old', on(-20), 100, [...saw(20, on(-20)), ...undated(9)]);
  const [first] = digestsOf([...letters(1), old], { observedFrom: -20 });
  expect(first?.totals).toMatchObject({ seen: 60, undated: { seen: 0 } });
});

test('what has no readable date at all is a row, with no figures but those beside it', () => {
  const [digest] = digestsOf([...letters(1), sent('u', on(2), 100, undated(2))]);
  expect(digest?.broadcasts[1]).toMatchObject({ id: 'b-u', group: 'new', deliveries: [{ seen: 0, firstSign: null }] });
  expect(digest?.undated).toEqual([{ delivery: 'u', seen: 2, responded: 0 }]);
});

test('a month and a quarter judge all that was of age in them', () => {
  const world = times(90, (day) => {
    const people = saw(day === 2 ? 5 : 34, on(day - 30, 8), { hours: 20 });
    return sent(`r${day}`, on(day - 30, 7), 40, people, { name: `Rota ${day}` });
  });
  // The fifth of October.
  const [october] = digestsOf(world, { every: 'month', runs: [-1], observedFrom: -30 });
  expect(october?.needs).toMatchObject([{ deliveries: ['r2'], seen: 5, audience: 40 }]);
  const [quarter] = digestsOf(world, { every: 'quarter', runs: [61], observedFrom: -30 });
  expect(quarter?.needs).toMatchObject([{ deliveries: ['r2'] }]);
  // Six saw the last one after New Year.
  expect(quarter?.totals).toMatchObject({ broadcasts: 90, seen: 89 * 34 + 5 - 6 });
});

test('a backfill has the figures of then, and accuses nobody of what is done by now', () => {
  const world = [...letters(4), sent('dark', on(1), 60, saw(50, on(10)))];
  const observer = createObserver(world);
  for (let day = 0; day < 7; day += 1) observer.observe(on(day, 4));
  const period = periodBefore('week', 'Europe/London', '2026-11-09T08:00:00Z');
  const compose = (facts: AccountFacts) => composeDigest(facts, { ...weekly, run: 'weekly_2026-W45', period }, null);
  const then = compose(observer.observe(on(7, 8)));
  const later = compose(observer.observe(on(28, 8)));
  expect(then.needs).toHaveLength(1);
  expect({ ...later, readAt: then.readAt, needs: then.needs }).toEqual(then);
  expect(later.needs).toEqual([]);
});

test('what a digest could not tell is told by the next one, and is compared with as facts now have it', () => {
  const fault = { fromMs: on(27), untilMs: on(29), reason: 'failed' as const };
  const world = letters(5, (week) => ({ seen: 60 + week })).map((letter, week) =>
    week === 3 ? Object.assign(letter, { fault }) : letter,
  );
  const digests = digestsOf(world, { weeks: 5, observedFrom: -2 });
  const trends = digests.map(({ trend }) => trend.map(({ seen }) => seen).join());
  expect(trends.slice(3)).toEqual(['60,61,62,', '60,61,62,63,64']);
  const after = { seen: 64, previous: { seen: 63, asSaid: null }, change: { seen: 1 } };
  expect(digests.slice(3).map(({ totals }) => totals)).toMatchObject([{ seen: null }, after]);
});

const reminded = (people: number, atMs: number) => [
  ...letters(3),
  sent('first', on(1), 100, saw(60, on(1, 10)), { name: 'Pensions' }),
  sent('again', atMs, people, saw(20, atMs), { broadcast: 'b-first', name: 'Pensions' }),
];

const laterOf = (people: number, atMs: number) =>
  digestsOf(reminded(people, atMs))[0]
    ?.broadcasts.find(({ id }) => id === 'b-first')
    ?.deliveries.flatMap(({ id, isLater }) => (isLater ? [id] : []));

test('a reminder to those whom one delivery left untouched is a later delivery, another shop is not', () => {
  expect([laterOf(40, on(3, 10)), laterOf(41, on(3, 10))]).toEqual([['again'], []]);
  // At the same hour of the next day somebody is a little quicker.
  expect([laterOf(40, on(2, 9)), laterOf(40, on(1, 16))]).toEqual([['again'], []]);
});

test('what is forbidden for good leaves totals open until both periods lack it, and is named for as long as it is followed', () => {
  const fault = { fromMs: on(1), untilMs: on(90), reason: 'forbidden' as const };
  const digests = digestsOf([...letters(5), sent('board', on(1), 60, [], { fault })], { weeks: 5 });
  expect(digests.map(({ totals }) => totals.seen)).toEqual([null, null, 60, 60, 60]);
  const named = digests.flatMap(({ unavailable }) => unavailable.map(({ isNamed }) => isNamed));
  expect(named).toEqual([undefined, true, true, true, true]);
});

test('where a list reaches back five weeks, and the service forgets what has left it, no week lacks totals', () => {
  const world = letters(12);
  const runs = times(6, (week) => 7 * (6 + week));
  const digests = digestsOf(world, { runs, observedFrom: null, service: { days: 35, forgets: true } });
  expect(digests.map(({ totals, unavailable }) => [totals.seen, unavailable.length])).toEqual(times(6, () => [60, 0]));
});
