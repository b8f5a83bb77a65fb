import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Digest } from '../functions/domain/digest.ts';
import type { Scenario } from './support/accounts/arbitrary-account.ts';
import { startCheck, type Check } from './support/accounts/check.ts';
import { inWeeks, row, times } from './support/accounts/simple-account.ts';

/** What digests say in successive weeks of ordinary accounts. */

let check: Check;

beforeAll(async () => {
  check = await startCheck();
});
afterAll(() => check.close());

const idle = row(null);
/** An instant so many days after Monday, 2 November 2026, at nine. */
const day = (days: number): string => new Date(Date.UTC(2026, 10, 2, 9) + days * 86_400_000).toISOString();
/** So many of so many who saw something on that day. */
const seenBy = (seen: number, audience: number, days: number): object[] => [
  ...times(seen, row(day(days))),
  ...times(Math.max(0, audience - seen), idle),
];
/** Others, by whose lists it is known that lists are audiences. */
const audiences = (week: number) => ({
  [`known ${week}`]: { rows: seenBy(90, 120, 7 * week + 1), name: `Known ${week}` },
});
/** All deliveries as those of one broadcast. */
const ofOne = (scenario: Scenario, ids: readonly string[]): Scenario =>
  scenario.map((account) => {
    const places = account.deliveries.flatMap(({ id }, place) => (ids.includes(id.text) ? [place] : []));
    const deliveries = account.deliveries.map((each, place) =>
      places.includes(place) ? { ...each, of: places[0] ?? 0 } : each,
    );
    return { ...account, deliveries };
  });

/** An edition of a series, which so many of so many saw in its week. */
const edition = (week: number, seen: number, of = 100) => ({
  [`e${week}`]: { rows: seenBy(seen, of, 7 * week + 1), name: 'Rota' },
});
/** What a list has in a week: deliveries that thirty people see in their own week, or in this one if that comes first. */
const listed = (week: number, ids: readonly number[]) =>
  Object.fromEntries(ids.map((id) => [`x${id}`, times(30, row(day(7 * Math.min(week, id) + 1)))]));
/** The newest ten deliveries, four of them of that week. */
const newest = (week: number) =>
  Object.fromEntries(Array.from({ length: 10 }, (_, place) => [`x${4 * week + place}`, [row(day(7 * week + 1))]]));

const needsIn = (digests: readonly Digest[]) =>
  digests.map(({ needs }) =>
    needs.map(({ reason, deliveries, seen, untouched }) => [reason, deliveries[0], seen, untouched]),
  );
const judgedIn = (digests: readonly Digest[]) =>
  digests.map(({ judged: { of, deliveries } }) => `${deliveries} of ${of}`);
const kindsIn = (digests: readonly Digest[], id: string) =>
  digests.map(({ deliveries }) => deliveries.find((each) => each.id === id)?.kind);

test('what this run is the first to list is not seen yet, and asks nobody for anything until the next', async () => {
  const digests = await check.digests(inWeeks({ x: [] }, { x: [] }, { x: [row(day(15))] }));
  expect(kindsIn(digests, 'x')).toEqual(['silent', 'silent', 'new']);
  expect(needsIn(digests)).toEqual([[], [['unseen', 'x', 0, null]], []]);
  expect(judgedIn(digests)).toEqual(['0 of 0', '1 of 1', '0 of 1']);
});

test('what was scheduled for weeks and is delivered now is not called unseen, nor is what left the wanted status', async () => {
  const statuses = ['scheduled', 'scheduled', 'delivered', 'archived'];
  const digests = await check.digests(inWeeks(...statuses.map((status) => ({ x: { rows: [], status } }))));
  expect(kindsIn(digests, 'x')).toEqual([undefined, undefined, 'silent', undefined]);
  expect(needsIn(digests)).toEqual([[], [], [], []]);
});

test('an empty list among audiences is for nobody, and one person who has not looked is no matter', async () => {
  const week = { ...audiences(0), x: [], y: [idle] };
  const digests = await check.digests(inWeeks(week, week));
  expect(needsIn(digests)).toEqual([[], []]);
  expect(judgedIn(digests)[1]).toBe('0 of 1');
});

test('an unseen delivery of a broadcast that others have seen is a fact where audiences are not known', async () => {
  const digests = await check.digests(
    ofOne(inWeeks({ x: [], y: times(20, row(day(1))) }, { x: [], y: times(20, row(day(1))) }), ['x', 'y']),
  );
  expect(needsIn(digests)).toEqual([[], []]);
  expect(digests[1]?.deliveries.find(({ id }) => id === 'x')?.judgedBy).toBe('nothing');
});

test('a broadcast with too few is named once, with how many to remind', async () => {
  const x = seenBy(19, 60, 1);
  const digests = await check.digests(inWeeks({ ...audiences(0), x }, { ...audiences(0), ...audiences(1), x }));
  expect(needsIn(digests)).toEqual([[['too-few', 'x', 19, 41]], []]);
});

test('who responded without seeing is not to be reminded', async () => {
  const rows = [...times(10, row(day(1))), ...times(60, row(null, day(1))), ...times(10, idle)];
  const digests = await check.digests(inWeeks({ ...audiences(0), x: rows }));
  expect(digests[0]?.deliveries.find(({ id }) => id === 'x')).toMatchObject({ seen: 10, engaged: 70, untouched: 10 });
  expect(needsIn(digests)).toEqual([[]]);
});

test('a reminder to those who had not seen it is no reason for a number', async () => {
  const scenario = inWeeks({ ...audiences(0), first: seenBy(40, 200, 0), reminder: seenBy(60, 160, 3) });
  const [digest] = await check.digests(ofOne(scenario, ['first', 'reminder']));
  expect(digest?.needs).toMatchObject([
    { deliveries: ['first', 'reminder'], seen: 40, audience: 200, untouched: null },
  ]);
});

test('an edition is held against editions of its series of alike audiences', async () => {
  const lists = [60, 60, 60, 40].map((seen, week) => edition(week, seen));
  const digests = await check.digests(
    inWeeks(...lists.map((_, week) => Object.assign({}, ...lists.slice(0, week + 1)))),
  );
  expect(needsIn(digests)).toEqual([[], [], [], [['too-few', 'e3', 40, 60]]]);
  expect(digests[3]?.needs[0]?.usual).toEqual({ share: 0.6, hours: 48, editions: 3 });
  // Four new starters are no edition like the others.
  const starters = [...lists.slice(0, 3), edition(3, 4, 4)];
  const [, , , last] = await check.digests(
    inWeeks(...starters.map((_, week) => Object.assign({}, ...starters.slice(0, week + 1)))),
  );
  expect(last?.broadcasts.find(({ deliveries }) => deliveries.includes('e3'))?.atAge?.usual).toBeNull();
});

test('where lists hold those who engaged, nothing is too few, and earlier views are a fact', async () => {
  const lists = [92, 100, 110, 41].map((seen, week) => ({
    [`e${week}`]: { rows: seenBy(seen, 0, 7 * week + 1), name: 'Rota' },
  }));
  const digests = await check.digests(
    inWeeks(...lists.map((_, week) => Object.assign({}, ...lists.slice(0, week + 1)))),
  );
  expect(needsIn(digests)).toEqual([[], [], [], []]);
  expect(judgedIn(digests)).toEqual(['0 of 1', '0 of 1', '0 of 1', '0 of 1']);
  expect(digests[3]?.broadcasts[0]?.atAge?.earlier).toMatchObject({ fewest: 92, most: 110 });
});

test('who is on the lists is decided by a hundred rows, and kept until three runs in a row say otherwise', async () => {
  const few = { few: seenBy(10, 40, 1) };
  const decided = { ...few, many: seenBy(60, 120, 8) };
  const everybody = (week: number) => ({ [`all ${week}`]: seenBy(120, 120, 7 * week + 1) });
  const weeks = [few, decided, everybody(2), everybody(3), everybody(4)];
  const audiences = (await check.digests(inWeeks(...weeks))).map(({ deliveries }) =>
    deliveries.map(({ audience }) => audience),
  );
  expect(audiences).toEqual([[null], [120], [120], [120], [null]]);
});

test('no view beside ten responses or more is no 0', async () => {
  const digests = await check.digests(inWeeks({ x: times(40, row(null, day(1))) }, { x: times(9, row(null, day(1))) }));
  expect(digests[0]?.deliveries[0]).toMatchObject({
    kind: 'new',
    seen: null,
    responded: 40,
    inPeriod: null,
    unavailable: { reason: 'unreadable' },
  });
  expect(digests[0]?.totals.seen).toBeNull();
});

test('a list of an item that only holds who responded does not say who saw it', async () => {
  const answered = row(day(1), day(1));
  const [digest] = await check.digests(
    inWeeks({ x: { rows: [...times(40, row(day(1))), ...times(20, answered)], item: times(20, answered) } }),
  );
  expect(digest?.deliveries[0]?.contents?.[0]).toMatchObject({ seen: null, responded: 20 });
  expect(digest?.deliveries[0]?.contents?.[0]).not.toHaveProperty('unavailable');
});

test('an empty list of a delivery whose items people saw cannot be read', async () => {
  const [digest] = await check.digests(inWeeks({ x: { rows: [], item: times(60, row(day(1))) } }));
  expect(digest?.deliveries[0]).toMatchObject({ kind: null, seen: null, unavailable: { reason: 'unreadable' } });
  expect(digest?.needs).toEqual([]);
});

test('a change is not said where more is known of the week before than was counted then', async () => {
  const late = [...times(20, row(day(1))), ...times(3, row(day(2)))];
  const digests = await check.digests(inWeeks({ x: times(20, row(day(1))) }, { x: late, y: times(5, row(day(8))) }));
  expect(digests[1]?.totals).toMatchObject({
    seen: 5,
    previous: null,
    comparison: { basis: 'none', reason: 'recounted' },
  });
  expect(digests[1]?.late).toEqual({ seen: 3, responded: 0 });
});

test('what was not listed then, or could not be read, did not come too late', async () => {
  const digests = await check.digests(
    inWeeks({ x: times(20, row(day(1))) }, { x: times(20, row(day(1))), y: times(5, row(day(2))) }),
  );
  expect(digests[1]?.late).toEqual({ seen: 0, responded: 0 });
  expect(kindsIn(digests, 'y')).toEqual([undefined, 'active']);
});

test('a change that rows without a date could undo is not said', async () => {
  const undated = row('10/11/2026 10:00');
  const digests = await check.digests(
    inWeeks({ x: times(40, row(day(1))) }, { x: times(40, row(day(1))), y: [...times(41, row(day(8))), undated] }),
  );
  expect(digests[1]?.totals).toMatchObject({
    seen: 41,
    previous: { seen: null, responded: 0 },
    comparison: { basis: 'kept' },
  });
});

test('where too much leaves the list no change is said, and that it left is said in three digests', async () => {
  const digests = await check.digests(inWeeks(listed(0, [0]), listed(1, [0, 1]), listed(2, [2])));
  expect(digests.map(({ left }) => left.deliveries)).toEqual([0, 0, 1]);
  expect(digests[2]?.totals.comparison).toMatchObject({ basis: 'none', reason: 'left-list' });
});

test('a list that is always as long, and a third of it new, may hold only the newest', async () => {
  const digests = await check.digests(inWeeks(...[0, 1, 2].map(newest)));
  expect(digests.map(({ onlyNewest }) => onlyNewest)).toEqual([false, false, true]);
});

test('what is archived after it was delivered counts as before', async () => {
  const before = times(20, row(day(1)));
  const archived = { rows: [...before, ...times(5, row(day(8)))], status: 'archived' };
  const digests = await check.digests(inWeeks({ x: before }, { x: archived }));
  expect(digests[1]).toMatchObject({ totals: { seen: 5, previous: { seen: 20 } }, otherStatuses: {} });
});

test('what an earlier filter of statuses wanted no longer counts once the filter wants it no more', async () => {
  const archived = { rows: times(20, row(day(1))), status: 'archived' };
  const [first, second] = inWeeks({ x: archived }, { x: { ...archived, rows: times(20, row(day(8))) } });
  if (first === undefined || second === undefined) throw new TypeError('There are two weeks.');
  const digests = await check.digests([{ ...first, statuses: ['archived'] }, second]);
  expect(digests.map(({ totals }) => totals.seen)).toEqual([20, 0]);
});

test('what could not be read before is shown once it can be, whenever it was seen', async () => {
  const fault = { status: 403 };
  const digests = await check.digests(inWeeks({ x: { fault } }, { x: { fault } }, { x: seenBy(20, 20, 1) }));
  expect(kindsIn(digests, 'x')).toEqual([null, null, 'active']);
});

test('what people responded to keeps asking, also after a week in which nobody listed it', async () => {
  const text = { rows: times(20, row(day(1), day(1))), type: 'text' };
  const viewed = { rows: times(20, row(day(15))), type: 'text' };
  const digests = await check.digests(inWeeks({ x: text }, {}, { x: viewed }));
  expect(digests.map(({ broadcasts }) => broadcasts[0]?.asks)).toEqual([true, undefined, true]);
});

test('a row with neither date says of nobody that they have not looked', async () => {
  const week = { ...audiences(0), x: [...times(30, idle), {}] };
  const digests = await check.digests(inWeeks(week, week));
  expect(needsIn(digests)).toEqual([[], []]);
});
