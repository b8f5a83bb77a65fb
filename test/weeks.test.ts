import { expect, test } from 'vitest';
import { periodBefore } from '../functions/domain/period.ts';
import { readDigest } from '../functions/ledger/runs/digests.ts';
import { putDocument } from '../functions/ledger/documents.ts';
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
  };
}

function deliveredOf({ items, people, fault: _fault, ...delivery }: Sent): Delivered {
  return { ...delivery, people, items: items ?? [{ id: `${delivery.id}-item`, type: 'text' }] };
}

function digestOf(outcome: Outcome): Digest {
  if ('failure' in outcome) throw new Error(`There is no digest: ${outcome.failure}`);
  return outcome.digest;
}

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
  await keepDigest(table, run, 'older', {});
  await recordSending(table, await requireRun(table, 'weekly', period));

  const digests = [await play.run(14), await play.run(21)];
  expect(digests.map(({ totals }) => [totals.seen, totals.previous?.asSaid])).toEqual([
    [60, undefined],
    [60, undefined],
  ]);
  expect(digests.map(({ unavailable, needs }) => [unavailable, needs])).toEqual(times(2, () => [[], []]));
  await expect(readDigest(table, run.run, 'older')).rejects.toMatchObject({ name: 'older-digest' });
});
