import { SESClient } from '@aws-sdk/client-ses';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import { putForgotten } from '../../../functions/ledger/addresses/forgotten.ts';
import { claimMessage } from '../../../functions/ledger/runs/claims.ts';
import { messageIdOf, readMessages } from '../../../functions/ledger/runs/messages.ts';
import { pauseReport, recordReportSeen } from '../../../functions/ledger/reports.ts';
import {
  keepDigest,
  readRun,
  recordOutcome,
  recordSending,
  type Run,
  requireRun,
} from '../../../functions/ledger/runs/runs.ts';
import { putLedgerSubscribers } from '../../../functions/ledger/addresses/subscribers.ts';
import { unsubscribe } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { dispatchMessages } from '../../../functions/run/send/dispatch.ts';
import { readNamedRun, readRunOf, refuseOther, requireReport } from '../../../functions/run/find-run.ts';
import { readReportPause } from '../../../functions/run/orders/pause.ts';
import { planRun, type Plan } from '../../../functions/run/plan/plan.ts';
import { releaseRun } from '../../../functions/run/orders/release.ts';
import { readOptOuts } from '../../../functions/run/send/opt-outs.ts';
import { replayExecution } from '../../support/replayed-execution.ts';
import { reportNamed } from '../../support/report-named.ts';
import { openLedger, readToEnd, type Ledger } from '../ledger/open-ledger.ts';
import { configured } from './configured.ts';
import { putKeptDigest } from './kept-digest.ts';
import { named } from '../../support/named.ts';

const scheduledTime = '2026-11-16T08:00:00Z';
const period = named('2026-W46');
const now = Temporal.Instant.from('2026-11-16T08:00:05Z');
const addresses = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
let ledger: Ledger;
let reports = 0;

beforeAll(async () => {
  ledger = await openLedger();
});

interface Renamed {
  oldName: string;
  newName: string;
  before: Configuration;
  after: Configuration;
}

/** A report that gets another name, which differs from the old one by case alone where it is to. */
function renamed(byCase = false): Renamed {
  reports += 1;
  const oldName = `Report-${reports}`;
  const newName = byCase ? oldName.toLowerCase() : `news-${reports}`;
  return {
    oldName,
    newName,
    before: configured({ report: { name: oldName } }),
    after: configured({ report: { name: newName, formerly: [oldName] } }),
  };
}

function plan(configuration: Configuration, report = configuration.reports[0]?.name ?? ''): Promise<Plan> {
  return planRun({ action: 'run', report, scheduledTime }, { configuration, table: ledger.table, now });
}

const ofPlan = ({ report, period }: Plan): Promise<Run> => requireRun(ledger.table, report, period);

async function plannedAddresses(run: string): Promise<string[]> {
  return (await readToEnd(readMessages(ledger.table, run))).map(({ to }) => to).toSorted();
}

/** Brings a planned run to a state, as its stages would. */
const stages = {
  planned: async () => undefined,
  failed: async (run: Run) => {
    await recordOutcome(ledger.table, run, { state: 'failed', sentNow: 0, finishedAt: scheduledTime });
  },
  kept: async (run: Run) => {
    await keepDigest(ledger.table, run, 'digest-1', { withheld: null });
  },
  held: async (run: Run) => {
    await keepDigest(ledger.table, run, 'digest-1', { withheld: 'held' });
  },
  sending: async (run: Run) => {
    await keepDigest(ledger.table, run, 'digest-1', { withheld: null });
    await recordSending(ledger.table, { ...run, digest: 'digest-1' });
  },
  done: async (run: Run) => {
    await keepDigest(ledger.table, run, 'digest-1', { withheld: null });
    await recordOutcome(ledger.table, run, { state: 'done', sentNow: 3, finishedAt: scheduledTime });
  },
};

describe('a run that was planned before its report was renamed', () => {
  test.each(['planned', 'failed', 'kept', 'held', 'sending', 'done'] as const)(
    'and is %s is the run of its period under the new name, too, and nobody is planned again',
    async (state) => {
      const { oldName, newName, before, after } = renamed();
      const old = await plan(before);
      await stages[state](await ofPlan(old));
      expect(await plan(after)).toEqual(old);
      expect(await readRun(ledger.table, oldName, period)).toMatchObject({ run: old.run, state, intended: 3 });
      expect(await readRun(ledger.table, newName, period)).toBeNull();
      expect(await plannedAddresses(`${newName}_${period.name}`)).toEqual([]);
    },
  );

  test('is found where the name was changed by case alone', async () => {
    const { before, after } = renamed(true);
    const old = await plan(before);
    expect(await plan(after)).toEqual(old);
  });

  test('takes further subscribers in under its old name', async () => {
    const { oldName, newName, before } = renamed();
    const old = await plan(before);
    const after = configured({
      report: { name: newName, formerly: ['another', oldName], subscribers: ['ada@example.com', 'edith@example.com'] },
    });
    expect(await plan(after)).toEqual({ ...old, intended: 4 });
    expect(await plannedAddresses(old.run)).toEqual([addresses[0], addresses[1], 'edith@example.com', addresses[2]]);
  });

  test('is planned once by two executions that run at the same time, one of each name, of which the old one was first', async () => {
    const { before, after, newName } = renamed();
    await plan(before);
    const plans = await Promise.all([plan(after), plan(before), plan(after)]);
    expect(new Set(plans.map(({ run }) => run)).size).toBe(1);
    expect(await readRun(ledger.table, newName, period)).toBeNull();
  });

  test('is meant by its old name and by the new one', async () => {
    const { oldName, newName, before, after } = renamed();
    const old = await plan(before);
    for (const name of [oldName, newName]) {
      expect(await readNamedRun(ledger.table, after.reports, `${name}_${period.name}`)).toMatchObject({ run: old.run });
    }
    await expect(readNamedRun(ledger.table, after.reports, `${newName}_2026-W47`)).rejects.toMatchObject({
      name: 'unknown-run',
    });
  });

  test('is released by either name, and compared with the subscribers that the report has now', async () => {
    const { newName, before, after } = renamed();
    const old = await plan(before);
    const digest = await putKeptDigest(ledger.table, old.run);
    await keepDigest(ledger.table, await ofPlan(old), digest, { withheld: 'held' });
    const options = { configuration: after, table: ledger.table, execution: 'execution-1', now };
    const trigger = { action: 'release', run: `${newName}_${period.name}` } as const;
    const released = await releaseRun(trigger, { ...options, fingerprint: () => 'hash' });
    expect(released).toEqual({ ...old, digest });
    expect(await ofPlan(old)).toMatchObject({
      state: 'kept',
      released: { changed: { subscribersAdded: 0, subscribersRemoved: 0 } },
    });
  });
});

test('a trigger of the old name, which was under way when the report was renamed, is one of the report', async () => {
  const { oldName, newName, after } = renamed();
  expect(await plan(after, oldName)).toMatchObject({ run: `${newName}_${period.name}`, report: newName, intended: 3 });
  expect(requireReport(after, oldName).name).toBe(newName);
});

/** What an execution of the old version leaves that planned just after one of the new version. */
async function both(): Promise<{ report: Configuration['reports'][number]; old: Plan; fresh: Plan } & Renamed> {
  const names = renamed();
  const fresh = await plan(configured({ report: { name: names.newName } }));
  const old = await plan(names.before);
  return { ...names, report: requireReport(names.after, names.newName), old, fresh };
}

const runOf = async (report: Configuration['reports'][number]) => (await readRunOf(ledger.table, report, period))?.run;

describe('a period that was planned under both names', () => {
  test('has the old run, which alone may be sent, while nobody was sent either', async () => {
    const { after, report, old, fresh } = await both();
    await stages.held(await ofPlan(fresh));
    expect(await runOf(report)).toBe(old.run);
    expect(await plan(after)).toMatchObject({ run: old.run });
    const release = (run: string) =>
      releaseRun(
        { action: 'release', run },
        { configuration: after, table: ledger.table, execution: 'e', now, fingerprint: () => 'hash' },
      );
    await expect(release(fresh.run)).rejects.toMatchObject({
      name: 'renamed',
      message:
        `Run "${fresh.run}" is not sent: the report had another name when run "${old.run}" was planned for the same ` +
        'period. Run the report to continue that one.',
    });
    await expect(refuseOther(ledger.table, report, await ofPlan(fresh))).rejects.toMatchObject({ name: 'renamed' });
  });

  test('is not begun to be sent by an execution whose run is not the one, though it was planned first', async () => {
    const { after, fresh } = await both();
    await stages.kept(await ofPlan(fresh));
    const dependencies = {
      configuration: after,
      table: ledger.table,
      ses: new SESClient({ region: 'eu-west-1' }),
      configurationSet: 'digest-events',
      clock: Date.now,
      render: () => ({ subject: 'News', html: '<p>News</p>', text: 'News', csv: null, logo: null }),
      unsubscribeLinks: () => Promise.resolve(() => Promise.resolve('https://unsubscribe.example.com/token')),
      pageLinks: () => Promise.resolve(null),
    };
    const sending = replayExecution((context) => dispatchMessages(context, fresh, dependencies));
    await expect(sending).rejects.toMatchObject({ name: 'renamed' });
    expect(await ofPlan(fresh)).toMatchObject({ state: 'kept' });
  });

  test('has the one that is being sent, or was, and the other is not sent', async () => {
    const { report, old, fresh } = await both();
    await claimMessage(ledger.table, fresh.run, messageIdOf(fresh.run, 'ada@example.com'), {
      claim: 'c',
      execution: 'e',
      claimedAt: 1,
    });
    expect(await runOf(report)).toBe(fresh.run);
    await expect(refuseOther(ledger.table, report, await ofPlan(old))).rejects.toMatchObject({ name: 'renamed' });
    await refuseOther(ledger.table, report, await ofPlan(fresh));
    await stages.sending(await ofPlan(old));
    expect(await runOf(report)).toBe(old.run);
  });
});

test('a report that was paused under its old name stays paused, whichever name its schedule uses', async () => {
  const { oldName, newName, after } = renamed();
  await pauseReport(ledger.table, reportNamed(oldName), { at: '2026-11-10T00:00:00Z', by: 'grace' });
  for (const report of [oldName, newName]) {
    const options = { configuration: after, table: ledger.table, now };
    expect(await readReportPause({ trigger: 'schedule', report }, options)).toEqual({
      report,
      paused: { at: '2026-11-10T00:00:00Z', by: 'grace' },
    });
  }
});

test('the age of what the ledger may have forgotten is counted from the first sight of the old name', async () => {
  const { oldName, after } = renamed();
  await recordReportSeen(ledger.table, reportNamed(oldName), '2020-01-01T00:00:00Z');
  const late = planRun(
    { action: 'run', report: oldName, scheduledTime },
    { configuration: after, table: ledger.table, now: Temporal.Instant.from('2029-02-16T00:00:00Z') },
  );
  await expect(late).rejects.toMatchObject({ name: 'sealed' });
});

test('subscribers who were added or removed under the old name are so under the new one', async () => {
  const { oldName, after } = renamed();
  const by = { by: 'grace', at: '2026-11-10T00:00:00Z' };
  await putLedgerSubscribers(ledger.table, oldName, [
    { key: addressKey('edith@example.com'), state: 'added', address: 'edith@example.com', ...by },
    { key: addressKey('ada@example.com'), state: 'removed', ...by },
  ]);
  const { run } = await plan(after);
  expect(await plannedAddresses(run)).toEqual(['alan@example.com', 'edith@example.com', 'grace@example.com']);
});

test('who left under the old name gets nothing under the new one, also where the address was forgotten', async () => {
  const { oldName, newName, after } = renamed();
  await unsubscribe(ledger.table, addressKey('ada@example.com'), reportNamed(oldName), '2026-11-10T00:00:00Z');
  await putForgotten(ledger.table, 'alan@example.com', { unsubscribed: [oldName] });
  const rows = addresses.map((to) => ({ id: to, to }));
  expect(await readOptOuts(ledger.table, requireReport(after, newName), rows)).toEqual(
    new Map([
      ['ada@example.com', 'unsubscribed'],
      ['alan@example.com', 'unsubscribed'],
    ]),
  );
});
