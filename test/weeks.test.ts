import { expect, test } from 'vitest';
import { periodBefore } from '../functions/domain/period.ts';
import { OlderDigestError, readDigest } from '../functions/ledger/runs/digests.ts';
import { putDocument } from '../functions/ledger/runs/documents.ts';
import { insertRun, keepDigest, recordSending, requireRun } from '../functions/ledger/runs/runs.ts';
import type { Digest } from '../functions/digest/schema.ts';
import { usualForm, type Delivered, type Fault, type Form } from './support/accounts/account.ts';
import { playOf, type Outcome } from './support/accounts/play.ts';
import { letters, on, saw, sent, times, type Sent } from './support/facts/world.ts';

/** Weeks of ordinary accounts, from Monday, 2 November 2026 on, through collecting, observing and composing. */
function begin(world: readonly Sent[], form: Partial<Form> = {}, faults: Fault[] = [], settings: object = {}) {
  const account = { sent: world.map(deliveredOf), form: { ...usualForm, ...form }, faults };
  const play = playOf(account, settings);
  return {
    ...play,
    run: async (day: number, over: object = {}, today = day): Promise<Digest> =>
      digestOf(await play.run(on(day, 8), over, on(today, 8))),
    /** Which deliveries' own lists the last observation asked for, and how many requests there were so far. */
    lastRead: () => [...(play.log.at(-1)?.rows.keys() ?? [])].filter((at) => !at.includes('/')).toSorted(),
    requests: () => play.log.reduce((sum, { asked }) => sum + asked.size, 0),
  };
}

function deliveredOf({ items, people, fault: _fault, ...delivery }: Sent): Delivered {
  return { ...delivery, people, items: items ?? [{ id: `${delivery.id}-item`, type: 'text' }] };
}

function digestOf(outcome: Outcome): Digest {
  if ('failure' in outcome) throw new Error(`There is no digest: ${outcome.failure}`);
  return outcome.digest;
}

test('what has left a list of seven days is read by its id for 35 days, and what it had then is not lost', async () => {
  const old = sent('old', on(1), 100, [...saw(40, on(1, 10)), ...saw(7, on(20)), ...saw(5, on(33)), ...saw(3, on(38))]);
  const play = begin([...letters(7), old], { days: 7 });
  const digests: Digest[] = [];
  const read: boolean[] = [];
  for (const week of times(7, (place) => place + 1)) {
    digests.push(await play.run(7 * week));
    read.push(play.lastRead().includes('old'));
  }
  expect(read).toEqual([true, true, true, true, true, false, false]);
  const rows = digests.map(({ broadcasts }) => broadcasts.find(({ id }) => id === 'b-old'));
  expect(rows.map((row) => row?.deliveries[0]?.inPeriod.seen)).toEqual([
    40,
    undefined,
    7,
    undefined,
    5,
    undefined,
    undefined,
  ]);
  expect(rows[4]).toMatchObject({ group: 'earlier', deliveries: [{ seen: 52, audience: 100 }] });
  expect(digests.map(({ totals }) => totals.seen)).toEqual([100, 60, 67, 60, 65, 60, 60]);
  expect(digests.flatMap(({ unavailable }) => unavailable)).toEqual([]);
});

test('a backfill asks only for what was not read since its end, and says what was so then', async () => {
  const world = letters(4, (week) => ({ seen: 50 + week }));
  const play = begin(world, { days: 21 });
  await play.run(14);
  await play.run(28);
  const before = play.requests();
  const backfill = await play.run(21, {}, 30);
  expect(play.requests()).toBe(before);
  expect(backfill).toMatchObject({
    period: { start: '2026-11-16T00:00:00+00:00', end: '2026-11-23T00:00:00+00:00' },
    totals: { broadcasts: 1, seen: 52, previous: null },
    readAt: '2026-11-30T08:00:00+00:00',
    unavailable: [],
  });
  expect(backfill.broadcasts.map(({ id, group }) => [id, group])).toEqual([['b-l2', 'new']]);
});

test('two reports that are due together share one observation, and a daily one is of its own day', async () => {
  const play = begin(letters(2));
  const weekly = await play.run(7);
  const asked = play.requests();
  const daily = await play.run(7, {
    name: 'daily',
    schedule: { every: 'day', at: '08:00', timeZone: 'Europe/London' },
  });
  expect([play.requests(), play.log.length]).toEqual([asked, 1]);
  expect([weekly.totals.seen, daily.totals.seen]).toEqual([60, 0]);
  expect(daily.readAt).toBe(weekly.readAt);
});

test('after a lost ledger the list says what it still has, no change is said, and what nobody saw is named again', async () => {
  const dark = sent('dark', on(15), 50);
  const play = begin([...letters(5), dark]);
  for (const week of [1, 2, 3]) await play.run(7 * week);
  play.lose();
  const fourth = await play.run(28);
  expect(fourth).toMatchObject({
    totals: { broadcasts: 1, seen: 60, previous: null, change: { seen: null } },
    coveredSince: '2026-11-30T08:00:00+00:00',
  });
  expect(fourth.broadcasts.map(({ id, group }) => [id, group])).toEqual([
    ['b-l3', 'new'],
    ['b-dark', 'unseen'],
  ]);
  const unseen = { reason: 'unseen', deliveries: ['dark'], audience: 50, toRemind: 50 };
  expect([fourth.needs, (await play.run(35)).needs]).toMatchObject([[], [{ ...unseen, timesNamed: 0 }]]);
});

test('a month is whole over a list of 21 days that is observed every day', async () => {
  const world = times(30, (day) => sent(`d${day}`, on(day - 1), 50, saw(20, on(day - 1, 10), { hours: 50 })));
  const settings = { report: { schedule: { every: 'month', on: 1, at: '08:00', timeZone: 'Europe/London' } } };
  const play = begin(world, { days: 21 }, [], settings);
  for (const day of times(30, (place) => place - 1)) await play.observe(on(day, 4));
  const november = await play.run(29);
  expect(november).toMatchObject({
    period: { kind: 'month', start: '2026-11-01T00:00:00+00:00', end: '2026-12-01T00:00:00+00:00' },
    totals: { broadcasts: 30 },
    unavailable: [],
  });
  const byEnd = world.flatMap(({ people }) => people).filter(({ seenAtMs }) => Number(seenAtMs) < on(29, 0)).length;
  expect(november.totals.seen).toBe(byEnd);
  expect(play.log.every(({ asked }) => [...asked.values()].every((times) => times === 1))).toBe(true);
});

test('what is refused for a week is named, leaves the totals open, and is told once it can be read', async () => {
  const refused: Fault = { fromMs: on(7, 0), untilMs: on(8, 0), at: 'l0', answer: 403 };
  const play = begin(letters(2), {}, [refused]);
  const [first, second] = [await play.run(7), await play.run(14)];
  expect(first).toMatchObject({
    totals: { seen: null, unavailable: { reason: 'incomplete' } },
    broadcasts: [],
    unavailable: [
      { what: 'delivery', broadcast: { name: 'Letter week 45' }, delivery: 'l0', reason: 'forbidden', status: 403 },
    ],
  });
  expect(second).toMatchObject({ totals: { seen: 60, previous: null }, unavailable: [] });
  expect(second.broadcasts.map(({ id, group, line }) => [id, group, line?.reason])).toEqual([
    ['b-l1', 'new', undefined],
    ['b-l0', 'earlier', 'first-known'],
  ]);
});

test('ratings behind a filter, lists in pages and dates in seconds are what rows in one piece are', async () => {
  const rated = saw(25, on(1, 10), { responded: 10 }).map((person, place) =>
    Object.assign(person, { rating: 1 + (place % 5) }),
  );
  const world = [sent('rated', on(1), 60, rated, { items: [{ id: 'stars', type: 'starRating' }] })];
  const inRows = await begin(world).run(7);
  const filtered = await begin(world, { ratings: 'filter', pageSize: 9, wrapper: 'data', dates: 'seconds' }).run(7);
  expect(inRows.broadcasts[0]?.deliveries[0]?.contents?.[0]).toMatchObject({
    seen: 25,
    responded: 10,
    ratings: { count: 10, mean: 3, histogram: { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2 } },
  });
  expect(filtered.broadcasts).toEqual(inRows.broadcasts);
});

test('a draft that stands on the list for weeks is nobody’s matter, and is judged from its delivery on', async () => {
  const listed = [
    { fromMs: on(-20), status: 'scheduled' },
    { fromMs: on(9), status: 'delivered' },
  ];
  const play = begin([...letters(4), sent('plan', on(9), 40, [], { listed, createdMs: on(-21) })]);
  const digests = [await play.run(7)];
  await play.observe(on(9, 12));
  digests.push(await play.run(14), await play.run(21));
  expect(digests.map(({ otherStatuses }) => otherStatuses)).toEqual([{ scheduled: 1 }, {}, {}]);
  expect(digests.map(({ needs }) => needs.map(({ deliveries }) => deliveries))).toEqual([[], [['plan']], [['plan']]]);
});

test('what was delivered between two observations and is refused since is named, and leaves the totals open', async () => {
  const listed = [
    { fromMs: on(-1), status: 'scheduled' },
    { fromMs: on(2), status: 'delivered' },
  ];
  const refused: Fault = { fromMs: on(3), untilMs: on(8), at: 'plan', answer: 403 };
  const play = begin([...letters(2), sent('plan', on(2), 40, saw(30, on(2, 10)), { listed })], {}, [refused]);
  await play.observe(on(0));
  const [first, second] = [await play.run(7), await play.run(14)];
  expect(first).toMatchObject({ totals: { seen: null }, unavailable: [{ delivery: 'plan', reason: 'forbidden' }] });
  expect(second.broadcasts).toMatchObject([{ id: 'b-l1' }, { id: 'b-plan', line: { reason: 'first-known' } }]);
});

test('silence whose audience is known a week later is said again with that audience', async () => {
  const play = begin([sent('dark', on(1), 9), ...letters(2).slice(1)]);
  for (const day of [0, 2]) await play.observe(on(day));
  const needs = [(await play.run(7)).needs, (await play.run(14)).needs];
  expect(needs).toMatchObject([
    [{ deliveries: ['dark'], audience: null, toRemind: null }],
    [{ deliveries: ['dark'], audience: 9, toRemind: 9, timesNamed: 1 }],
  ]);
});

test('a poll whose viewers nobody gave leaves views open in its own week, and in no later one', async () => {
  const votes = times(12, () => ({ seenAtMs: null, respondedAtMs: on(1, 12) }));
  const play = begin([...letters(2), sent('kiosk', on(1), 40, votes)]);
  const digests = [await play.run(7), await play.run(14)];
  expect(digests.map(({ totals }) => [totals.seen, totals.responded])).toEqual([
    [null, 12],
    [60, 0],
  ]);
});

const people = (day: number, responded: number) => saw(20, on(day, 10), { responded });

test('what a service left out because it is null is known of a month, when all that was read with it has been read again', async () => {
  const october = [sent('plain', on(-25), 40, people(-25, 0)), sent('poll', on(-20), 40, people(-20, 5))];
  const november = [sent('other', on(3), 40, people(3, 5)), sent('last', on(20), 40, people(20, 5))];
  const settings = { report: { schedule: { every: 'month', on: 1, at: '08:00', timeZone: 'Europe/London' } } };
  const play = begin([...october, ...november], { areSparse: true, days: 30 }, [], settings);
  for (const day of [-30, -24, -15, 5, 12]) await play.observe(on(day));
  const [first, second] = [await play.run(-1, {}, 13), await play.run(29)];
  expect(first.totals.seen).toBe(40);
  expect(second.totals).toMatchObject({ seen: 40 });
  expect(second.trend.map(({ seen }) => seen)).toEqual([40, 40]);
});

test('a ledger of the release before goes on: its digests are older, and the first observation begins the facts', async () => {
  const play = begin(letters(3));
  const table = play.table();
  const period = periodBefore('week', 'Europe/London', '2026-11-09T08:00:00Z');
  const run = { run: 'weekly_2026-W45', report: 'weekly', period };
  await insertRun(table, { ...run, scheduledTime: '2026-11-09T08:00:00Z', plannedAt: '2026-11-09T08:00:00Z' }, 0);
  await putDocument(table, { pk: `DIGEST#${run.run}`, sk: 'older' }, { digest: { schemaVersion: 4, run: run.run } }, 0);
  await keepDigest(table, run, 'older', { withheld: null });
  await recordSending(table, await requireRun(table, 'weekly', period));

  const digests = [await play.run(14), await play.run(21)];
  expect(digests.map(({ totals }) => [totals.seen, totals.previous?.asSaid])).toEqual([
    [60, undefined],
    [60, undefined],
  ]);
  expect(digests.map(({ unavailable, needs }) => [unavailable, needs])).toEqual(times(2, () => [[], []]));
  await expect(readDigest(table, run.run, 'older')).rejects.toThrow(OlderDigestError);
});
