import { beforeAll, describe, expect, test } from 'vitest';
import { readActions, recordAction } from '../../../../functions/ledger/runs/actions.ts';
import { addressKey } from '../../../../functions/ledger/addresses/addresses.ts';
import { pauseReport, readReport, resumeReport, recordReportSeen } from '../../../../functions/ledger/reports.ts';
import {
  putLedgerSubscribers,
  readLedgerSubscribers,
  type LedgerSubscriber,
} from '../../../../functions/ledger/addresses/subscribers.ts';
import {
  isUnsubscribed,
  unsubscribe,
  readUnsubscribed,
  readUnsubscriptions,
  resubscribe,
} from '../../../../functions/ledger/addresses/unsubscriptions.ts';
import type { ReportNames } from '../../../../functions/domain/report-names.ts';
import { reportNamed } from '../../../support/report-named.ts';
import { openLedger, type Ledger } from '../open-ledger.ts';

let ledger: Ledger;
let reports = 0;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 4_000_000_000;
const by = 'grace';

/** A report under its old name, and as it is after it was renamed, by case alone. */
function renamed(): { before: ReportNames; after: ReportNames } {
  reports += 1;
  return {
    before: reportNamed(`Weekly-${reports}`),
    after: { name: `weekly-${reports}`, formerly: ['another', `Weekly-${reports}`] },
  };
}

describe('a subscriber who left or came back under one of the names', () => {
  const key = addressKey('ada@example.com');
  const states = async (report: ReportNames) => [
    await isUnsubscribed(ledger.table, key, report),
    (await readUnsubscribed(ledger.table, report, ['ADA@example.com', 'bo@example.com'])).has(key),
    (await readUnsubscriptions(ledger.table, key, [report])).includes(report.name),
  ];

  test('has left or come back by what was done last, whichever name it was done under', async () => {
    const { before, after } = renamed();
    await unsubscribe(ledger.table, key, before, '2026-11-01T00:00:00Z');
    expect(await states(after)).toEqual([true, true, true]);
    await resubscribe(ledger.table, key, after, '2026-11-02T00:00:00Z');
    expect(await states(after)).toEqual([false, false, false]);
    await unsubscribe(ledger.table, key, after, '2026-11-03T00:00:00Z');
    expect(await states(after)).toEqual([true, true, true]);
    // A link of the version before, which was under way.
    await resubscribe(ledger.table, key, { ...before, formerly: [after.name] }, '2026-11-04T00:00:00.5Z');
    expect(await states(after)).toEqual([false, false, false]);
    await unsubscribe(ledger.table, key, after, '2026-11-04T00:00:00.501Z');
    expect(await states(after)).toEqual([true, true, true]);
  });

  test('has left the report once, by its present name; and one that is not configured by its own', async () => {
    const { before, after } = renamed();
    const ofBo = addressKey('bo@example.com');
    await unsubscribe(ledger.table, ofBo, before, '2026-11-01T00:00:00Z');
    await unsubscribe(ledger.table, ofBo, reportNamed(after.name), '2026-11-02T00:00:00Z');
    await unsubscribe(ledger.table, ofBo, reportNamed('gone'), '2026-11-02T00:00:00Z');
    expect((await readUnsubscriptions(ledger.table, ofBo, [after])).toSorted()).toEqual(['gone', after.name]);
  });

  test('left when it was first said, however often it is said under other names', async () => {
    const { before, after } = renamed();
    const ofCy = addressKey('cy@example.com');
    await unsubscribe(ledger.table, ofCy, before, '2026-11-01T00:00:00Z');
    await unsubscribe(ledger.table, ofCy, after, '2026-11-02T00:00:00Z');
    expect(await ledger.items(`ADDRESS#${ofCy}`)).toMatchObject([{ report: before.name, at: '2026-11-01T00:00:00Z' }]);
  });
});

const added = (address: string, at: string): LedgerSubscriber => ({
  key: addressKey(address),
  state: 'added',
  address,
  by,
  at,
});

const removed = (address: string, at: string): LedgerSubscriber => ({
  key: addressKey(address),
  state: 'removed',
  by,
  at,
});

test('of a subscriber who is known under both names what was done last counts', async () => {
  const { before, after } = renamed();
  await putLedgerSubscribers(ledger.table, before.name, [
    added('ada@example.com', '2026-11-01T00:00:00Z'),
    removed('bo@example.com', '2026-11-01T00:00:00Z'),
    added('cy@example.com', '2026-11-05T00:00:00Z'),
    added('di@example.com', '2026-11-05T00:00:00Z'),
  ]);
  await putLedgerSubscribers(ledger.table, after.name, [
    removed('ada@example.com', '2026-11-02T00:00:00Z'),
    added('bo@example.com', '2026-11-02T00:00:00Z'),
    removed('cy@example.com', '2026-11-02T00:00:00Z'),
  ]);
  const known = await readLedgerSubscribers(ledger.table, after);
  expect(Object.fromEntries([...known].map(([key, { state }]) => [key, state]))).toEqual({
    [addressKey('ada@example.com')]: 'removed',
    [addressKey('bo@example.com')]: 'added',
    [addressKey('cy@example.com')]: 'added',
    [addressKey('di@example.com')]: 'added',
  });
});

describe('a pause', () => {
  test('under the old name is one of the report, and ends under both, with the last pause that is reported', async () => {
    const { before, after } = renamed();
    await recordReportSeen(ledger.table, before, '2026-01-01T00:00:00Z');
    await pauseReport(ledger.table, before, { at: '2026-11-01T00:00:00Z', by });
    const paused = { firstSeenAt: '2026-01-01T00:00:00Z', pausedAt: '2026-11-01T00:00:00Z', pausedBy: by };
    expect(await recordReportSeen(ledger.table, after, '2026-11-02T00:00:00Z')).toEqual(paused);
    // Paused again under the new name, it is paused since the first time.
    await pauseReport(ledger.table, after, { at: '2026-11-03T00:00:00Z', by: 'another' });
    expect(await readReport(ledger.table, after)).toEqual(paused);
    await resumeReport(ledger.table, after, '2026-11-04T00:00:00Z');
    const lastPause = { from: '2026-11-01T00:00:00Z', until: '2026-11-04T00:00:00Z' };
    expect(await readReport(ledger.table, after)).toEqual({ firstSeenAt: '2026-01-01T00:00:00Z', lastPause });
    expect(await readReport(ledger.table, before)).toMatchObject({ lastPause });
    // Another one is of the present name alone.
    await pauseReport(ledger.table, after, { at: '2026-11-05T00:00:00Z', by });
    await resumeReport(ledger.table, after, '2026-11-06T00:00:00Z');
    expect((await readReport(ledger.table, after))?.lastPause).toEqual({
      from: '2026-11-05T00:00:00Z',
      until: '2026-11-06T00:00:00Z',
    });
    expect(await readReport(ledger.table, before)).toMatchObject({ lastPause });
  });

  test('of a report that is seen under its new name for the first time leaves the old one first seen', async () => {
    const { before, after } = renamed();
    await recordReportSeen(ledger.table, before, '2026-01-01T00:00:00Z');
    await recordReportSeen(ledger.table, after, '2026-11-02T00:00:00Z');
    expect(await ledger.items(`REPORT#${after.name}`)).toMatchObject([{ firstSeenAt: '2026-01-01T00:00:00Z' }]);
  });
});

const action = (at: string) => ({ what: 'run', by, at }) as const;

test('what operators did under both names is read in its order', async () => {
  const { before, after } = renamed();
  const [first, second, third] = ['2026-11-16T08:00:00Z', '2026-11-16T09:00:00.5Z', '2026-11-17T08:00:00Z'].map(action);
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three.');
  for (const [report, each] of [
    [after.name, third],
    [before.name, second],
    [after.name, first],
  ] as const)
    await recordAction(ledger.table, { report }, each, expiresAt);
  expect(await readActions(ledger.table, after)).toEqual([first, second, third]);
});
