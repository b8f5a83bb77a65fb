import { expect, test } from 'vitest';
import { startWalk, type Sent } from './walk.ts';

/** The first run names nothing: what it lists was sent nobody knows when. 2 November 2026 is a Monday. */
const firstRun = '2026-11-02';

/** Seen by some people of a hundred, first at an instant, and by more at a later one. */
function seenBy(id: string, first: string, count: number, later: Array<[string, number]> = []): Sent {
  const views: Array<[string, number]> = [[first, count], ...later];
  const untouched = 100 - views.reduce((sum, [, seen]) => sum + seen, 0);
  return { id, at: first, views, untouched };
}

test('what a weekend finds is judged again before it is mailed, with the figures of that moment', async () => {
  const walk = startWalk(
    [
      seenBy('recovers', '2026-11-04T08:00:00Z', 30, [['2026-11-08T20:00:00Z', 40]]),
      seenBy('stays', '2026-11-04T08:00:00Z', 30, [['2026-11-08T20:00:00Z', 5]]),
      seenBy('on-sunday', '2026-11-06T08:00:00Z', 10),
    ],
    { warning: { belowShare: 0.5, weekdays: true } },
  );
  await walk.warningOn(firstRun);
  // Friday's run was missed.
  expect(await walk.warningOn('2026-11-07')).toMatchObject({ names: ['recovers 30', 'stays 30'], waits: true });
  expect(await walk.warningOn('2026-11-08')).toMatchObject({
    names: ['on-sunday 10', 'recovers 30', 'stays 30'],
    waits: true,
  });
  const monday = await walk.warningOn('2026-11-09');
  expect(monday).toMatchObject({ names: ['on-sunday 10', 'stays 35'], waits: false });
  expect(monday.limits).toEqual({ recovers: 'not-met', stays: 'met', 'on-sunday': 'met' });
  expect((await walk.warningOn('2026-11-10')).limits).toEqual({});
});

test('what fell due on days without a run is judged by the next one for three days, and then said to be too late', async () => {
  const walk = startWalk(
    [
      seenBy('due-on-3rd', '2026-11-01T12:00:00Z', 10),
      seenBy('due-on-5th', '2026-11-03T12:00:00Z', 10),
      // Its first sign is not known before it is read.
      { id: 'seen-late', at: '2026-11-01T12:00:00Z', views: [['2026-11-02T12:00:00Z', 10]], untouched: 90 },
    ],
    { warning: { belowShare: 0.5 } },
  );
  await walk.warningOn(firstRun);
  const next = await walk.warningOn('2026-11-08');
  expect(next.limits).toEqual({ 'due-on-3rd': 'too-late', 'due-on-5th': 'met', 'seen-late': 'too-late' });
  expect(next.names).toEqual(['due-on-5th 10']);
  expect((await walk.warningOn('2026-11-09')).limits).toEqual({});
});

test.each<[what: string, since: string | null, limits: object]>([
  ['its first run was due on that day and missed', '2026-11-03T09:00:00Z', { after: 'met' }],
  ['it is its first run', '2026-11-04T09:00:00Z', {}],
  ['nobody has switched it on', null, {}],
])('a warning judges from the run on that was due first: %s', async (_what, since, limits) => {
  const sent = [seenBy('before', '2026-11-01T08:00:00Z', 10), seenBy('after', '2026-11-01T12:00:00Z', 10)];
  const walk = startWalk(sent, { warning: { belowShare: 0.5 }, since });
  expect((await walk.warningOn('2026-11-04')).limits).toEqual(limits);
});

test('nobody has seen what a run listed as delivered two days ago, and that was not the first of all', async () => {
  const untouched = 40;
  const walk = startWalk(
    [
      { id: 'seen', at: '2026-10-01T08:00:00Z', views: [['2026-10-01T09:00:00Z', 40]] },
      { id: 'old', at: '2026-10-01T08:00:00Z', untouched },
      { id: 'unseen', at: '2026-11-02T12:00:00Z', untouched },
      { id: 'scheduled', at: '2026-10-20T08:00:00Z', untouched, deliveredAt: '2026-11-04T08:00:00Z' },
      { id: 'for-nobody', at: '2026-11-02T12:00:00Z' },
      { id: 'few', at: '2026-11-02T12:00:00Z', untouched: 9 },
    ],
    { warning: { belowUsual: 0.5 } },
  );
  const days: Array<Awaited<ReturnType<typeof walk.warningOn>>> = [];
  for (const date of ['02', '03', '04', '05', '06', '07']) days.push(await walk.warningOn(`2026-11-${date}`));
  expect(days.map(({ names }) => names)).toEqual([[], [], [], ['unseen 0'], ['scheduled 0'], []]);
  expect(days[3]?.limits).toEqual({ unseen: 'met', 'for-nobody': 'small-group', few: 'small-group' });
  expect(days[3]?.needs).toMatchObject([{ reason: 'unseen', audience: 40, untouched: null }]);
});

/** Seen by so many, whose list says nothing of anybody else. */
function engagedOnly(id: string, count: number): Sent {
  return { id, at: '2026-11-03T08:00:00Z', views: [['2026-11-03T08:00:00Z', count]] };
}

test('where audiences are not known, only the operators’ limit of views is held against what was seen', async () => {
  const walk = startWalk(
    [
      engagedOnly('few', 49),
      engagedOnly('enough', 50),
      { id: 'unseen', at: '2026-11-03T08:00:00Z' },
      // A second delivery of one that was seen may be for one who is new.
      { id: 'again', broadcast: 'b-enough', at: '2026-11-03T08:00:00Z' },
    ],
    { warning: { belowShare: 0.5, belowViews: 50 }, lists: 'engaged' },
  );
  await walk.warningOn(firstRun);
  await walk.warningOn('2026-11-03');
  const { names, limits } = await walk.warningOn('2026-11-05');
  expect(names).toEqual(['few 49', 'unseen 0']);
  expect(limits).toEqual({
    few: 'no-audience,met',
    enough: 'no-audience,not-met',
    unseen: 'no-audience,met',
    again: 'no-audience,no-audience',
  });
});
