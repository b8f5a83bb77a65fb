import { Temporal } from 'temporal-polyfill';
import { beforeEach, expect, test } from 'vitest';
import { runName, type Period } from '../../../functions/domain/period.ts';
import {
  addMembers,
  readMembers,
  removeMembers,
  takeInstead,
  validMembers,
} from '../../../functions/ledger/persons/members.ts';
import { isUnsubscribed, recordLeft } from '../../../functions/ledger/persons/opt-outs.ts';
import { insertPageLink, readPageLink } from '../../../functions/ledger/page-links.ts';
import {
  pauseReport,
  readPresentName,
  readReport,
  recordReportSeen,
  resumeReport,
} from '../../../functions/ledger/reports.ts';
import { readActions, recordAction } from '../../../functions/ledger/runs/actions.ts';
import { putFigures, readOtherFigures } from '../../../functions/ledger/runs/digests.ts';
import { insertRun, readRun, recordOutcome, requireRun, type RunState } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { findNamedRun, requireReport } from '../../../functions/run/find-run.ts';
import { planRun } from '../../../functions/run/plan/plan.ts';
import { inspectLeftReports } from '../../../functions/watch/inspect.ts';
import { moveCommand, retireCommand } from '../../../infra/program/commands/move.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';
import { collected, compose, figuresOf, week } from '../../functions/run/compose/collected-samples.ts';
import { interruptedAt } from '../../support/interrupted.ts';
import { configured } from '../../functions/run/configured.ts';

const configuration = configured({ report: { name: 'news' } });
const [weekly, news] = [{ name: 'weekly' }, { name: 'news' }];
const cy = 'hash-of-cy';
const since = { by: 'grace', at: '2026-10-01T00:00:00Z' };
const expiresAt = 4_000_000_000;
const scheduledTime = '2026-11-16T08:00:00Z';
const figures = figuresOf(compose(collected()));
let ledger: Ledger;
let link = '';

beforeEach(async () => {
  ledger = await openLedger();
});

const targetOn = (table: Table, scan = ledger.scan) => ({ configuration, table, scan, operator: 'grace' });
const move = (from = 'weekly', to = 'news') => moveCommand(targetOn(ledger.table), from, to);

async function haveRun(report: string, state: RunState, over: Partial<Period> = {}): Promise<void> {
  const period = { ...week, ...over };
  const instants = { scheduledTime, plannedAt: '2026-11-16T08:00:01Z' };
  await insertRun(ledger.table, { run: runName(report, period), report, period, ...instants }, expiresAt);
  const run = await requireRun(ledger.table, report, period);
  await recordOutcome(ledger.table, run, { state, sentNow: 0, finishedAt: '2026-11-16T08:05:00Z' });
}

/** What the ledger has on a report that ran and was left, paused, looked at and shared. */
async function haveReport(): Promise<void> {
  const { table } = ledger;
  await resumeReport(table, weekly, '2026-01-05T00:00:00Z');
  await haveRun('weekly', 'done');
  await putFigures(table, 'weekly', [[week, figures]], expiresAt);
  await addMembers(table, 'weekly', [{ hash: 'b0', address: 'bo@example.com' }], since);
  await removeMembers(table, 'weekly', [{ hash: 'ada' }], since);
  await takeInstead(table, cy, { report: 'weekly', instead: 'monthly', at: '2026-11-01T00:00:00Z' });
  await takeInstead(table, cy, { report: 'daily', instead: 'weekly', at: '2026-11-01T00:00:00Z' });
  const ofLink = { days: 90, now: new Date('2026-11-16T08:00:00Z') };
  link = await insertPageLink(table, { report: 'weekly', run: 'weekly_2026-W46', digest: 'digest-1' }, ofLink);
  await recordAction(table, 'weekly', { what: 'run', by: 'grace', at: '2026-11-16T08:00:00Z' }, expiresAt);
  await pauseReport(table, weekly, { at: '2026-11-17T00:00:00Z', by: 'grace' });
  // What is no report's, or another one's.
  await recordLeft(table, cy, { name: 'weekly-2' }, { left: true, at: '2026-11-01T00:00:00Z' });
  await recordReportSeen(table, news, '2026-11-18T00:00:00Z');
}

/** What the rest of the product reads of a report. */
async function readAll(report: { name: string }): Promise<unknown> {
  const { table } = ledger;
  const readValid = async (name: string) => validMembers(table, { name }, await readMembers(table, { name }));
  return {
    known: await readReport(table, report),
    run: await readRun(table, report.name, week),
    figures: (await readOtherFigures(table, report, { start: '2026-11-16T00:00:00Z' })).earlier,
    subscribers: [...(await readValid(report.name)).values()].map((member) => `${member?.state}`).toSorted(),
    instead: (await readValid('monthly')).get(cy)?.insteadOf === report.name,
    left: await isUnsubscribed(table, cy, report),
    link: (await readPageLink(table, link))?.report === report.name,
    actions: (await readActions(table, report.name)).map(({ what, detail = '' }) => `${what} ${detail}`.trim()),
  };
}

const moved = {
  known: expect.objectContaining({ firstSeenAt: '2026-01-05T00:00:00Z', pausedBy: 'grace' }),
  run: expect.objectContaining({ run: 'weekly_2026-W46', report: 'news', state: 'done' }),
  figures: [figures],
  subscribers: ['added', 'added', 'removed'],
  instead: true,
  left: true,
  link: true,
  actions: ['run', 'move from weekly'],
};
const none = { known: null, run: null, figures: [], subscribers: [], actions: [] };
const nothing = { ...none, left: false, instead: false, link: false };

test('what the ledger has on a report is moved to its new name and back, and links, runs and triggers of the old name lead there', async () => {
  await haveReport();
  expect(await move()).toMatchObject({ json: { from: 'weekly', to: 'news' }, code: 0 });
  expect(await readAll(news)).toEqual(moved);
  expect(await readAll(weekly)).toEqual(nothing);
  expect(await readPresentName(ledger.table, 'weekly', configuration.reports)).toBe('news');
  const run = await findNamedRun(ledger.table, configuration.reports, 'weekly_2026-W46');
  expect(run).toMatchObject({ report: 'news' });
  // Who got the mail is in the rows of the run: it is the same one, under its old name (promise 1).
  const trigger = { action: 'run', report: requireReport(configuration, 'news'), scheduledTime } as const;
  const options = { configuration, table: ledger.table, execution: 'e', now: Temporal.Instant.from(scheduledTime) };
  expect(await planRun(trigger, options)).toMatchObject({ run: 'weekly_2026-W46', report: 'news' });
  expect(await isUnsubscribed(ledger.table, cy, { name: 'weekly-2' })).toBe(true);
  expect(await move()).toMatchObject({ json: { items: 0 }, code: 0 });

  const back = { ...targetOn(ledger.table), configuration: configured({ report: { name: 'weekly' } }) };
  await moveCommand(back, 'news', 'weekly');
  expect(await readRun(ledger.table, 'weekly', week)).toMatchObject({ run: 'weekly_2026-W46', report: 'weekly' });
  expect(await readPresentName(ledger.table, 'news', back.configuration.reports)).toBe('weekly');
});

test('a report is moved whole by a second call, wherever the first was interrupted', async () => {
  for (let writes = 1, isDone = false; !isDone; writes += 1) {
    ledger = await openLedger();
    await haveReport();
    const ended = moveCommand(targetOn(interruptedAt(ledger.table, writes)), 'weekly', 'news');
    isDone = await ended.then(() => true).catch(() => false);
    if (!isDone) expect(await move()).toMatchObject({ code: 0 });
    expect(await readAll(news)).toEqual({ ...moved, actions: expect.arrayContaining(moved.actions) });
    expect(await readAll(weekly)).toEqual(nothing);
  }
});

async function haveHeldRun(): Promise<void> {
  await ledger.table.remove({ pk: 'RUNS#weekly', sk: '2026-11-09#week' });
  await haveRun('weekly', 'held');
}
const ed = { hash: 'ed', address: 'ed@example.com' };
test.each<[why: string, have: () => Promise<unknown>, says: string]>([
  ['while a run is open', haveHeldRun, 'Run "weekly_2026-W46" is held'],
  ['from days to weeks', () => haveRun('weekly', 'done', { kind: 'day', startDate: '2026-11-16' }), 'covers every day'],
  ['where the new name has run', () => haveRun('news', 'done'), 'Report "news" has runs or subscribers of its own'],
  ['where people were added to it', () => addMembers(ledger.table, 'news', [ed], since), 'Report "news" has runs or'],
])('a move is refused %s, and nothing has changed', async (_why, have, says) => {
  await haveReport();
  await have();
  const before = await readAll(weekly);
  expect(await move()).toMatchObject({ lines: [expect.stringContaining(says)], code: 1 });
  expect(await readAll(weekly)).toEqual(before);
});

test('nothing more is said of a retired report, and all else of it stays; one that is configured is refused', async () => {
  await haveReport();
  const before = Object(await readAll(weekly));
  expect(await retireCommand(targetOn(ledger.table), 'weekly', { yes: true })).toMatchObject({ code: 0 });
  expect(await readAll(weekly)).toEqual({ ...before, known: null, actions: ['run', 'retire'] });
  expect(await inspectLeftReports(ledger.table, configuration.reports, Temporal.Instant.from(scheduledTime))).toEqual(
    [],
  );
  await expect(retireCommand(targetOn(ledger.table), 'news', { yes: true })).rejects.toThrow('still in cdk.json');
});
