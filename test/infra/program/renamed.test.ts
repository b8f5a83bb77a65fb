import { beforeAll, describe, expect, test } from 'vitest';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import { readForgotten } from '../../../functions/ledger/addresses/forgotten.ts';
import { recordAction } from '../../../functions/ledger/runs/actions.ts';
import { insertRun } from '../../../functions/ledger/runs/runs.ts';
import { isUnsubscribed, unsubscribe, resubscribe } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import { chooseReport } from '../../../infra/program/command-line/choices.ts';
import { forgetAddress, liftAddress, listAddresses } from '../../../infra/program/commands/addresses.ts';
import { pauseCommand, resumeCommand } from '../../../infra/program/commands/report.ts';
import { runsCommand } from '../../../infra/program/commands/runs.ts';
import { showCommand } from '../../../infra/program/commands/show.ts';
import { addSubscribers, listSubscribers, removeSubscribers } from '../../../infra/program/commands/subscribers.ts';
import type { LedgerTarget } from '../../../infra/program/targets/target.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';
import { configured } from '../../functions/run/configured.ts';
import { targetOf as ledgerTarget } from './target.ts';

const before = configured({ report: { name: 'weekly' } });
const after = configured({ report: { name: 'news', formerly: ['weekly'] } });
let ledger: Ledger;

beforeAll(async () => {
  ledger = await openLedger();
});

const targetOf = (configuration: Configuration): LedgerTarget => ledgerTarget(ledger, { configuration });

/** The report of a configuration. */
const only = ({ reports: [report] }: Configuration): ReportConfiguration => {
  if (report === undefined) throw new Error('There is no report.');
  return report;
};

async function plan(report: string, scheduledTime: string): Promise<string> {
  const period = periodBefore('week', 'Europe/London', scheduledTime);
  const run = runName(report, period);
  await insertRun(ledger.table, { run, report, period, scheduledTime, plannedAt: scheduledTime }, 2_000_000_000);
  return run;
}

const show = (name: string) => showCommand(targetOf(after), name, { messages: false, mail: null });

describe('of a report that was renamed', () => {
  test('the runs of both names are listed and shown, with what operators did', async () => {
    const old = await plan('weekly', '2026-11-16T08:00:00Z');
    const fresh = await plan('news', '2026-11-23T08:00:00Z');
    // Of two that are recorded in one millisecond nobody can say which came first.
    const done = { run: old, by: 'grace' };
    const [ran, released] = ['2026-11-16T08:01:00Z', '2026-11-16T08:02:00Z'];
    await recordAction(ledger.table, { report: 'weekly' }, { ...done, what: 'run', at: ran }, 2_000_000_000);
    await recordAction(ledger.table, { report: 'news' }, { ...done, what: 'release', at: released }, 2_000_000_000);
    const { json } = await runsCommand(targetOf(after), [only(after)]);
    expect(json).toMatchObject({ runs: [{ run: fresh }, { run: old, by: ['grace'] }] });
    for (const name of [old, 'news_2026-W46']) {
      const answer = await showCommand(targetOf(after), name, { messages: false, mail: null });
      expect(answer.json).toMatchObject({
        run: old,
        report: 'weekly',
        actions: [{ what: 'run' }, { what: 'release' }],
      });
    }
  });

  test('the old name is answered with the new one, and what is nearly a run of either with those that there are', async () => {
    expect(() => chooseReport(after, 'weekly')).toThrow('Report "weekly" is now called "news".');
    await expect(show('weekly_2026-W45')).rejects.toThrow('Known: weekly_2026-W46.');
    await expect(show('weekly')).rejects.toThrow(
      'There is no run "weekly". A run is called REPORT_PERIOD, such as weekly_2026-W46 or daily_2026-11-09.',
    );
  });

  test('subscribers of the old name are listed and can be removed', async () => {
    await addSubscribers(targetOf(before), only(before), ['bo@example.com']);
    await removeSubscribers(targetOf(before), only(before), ['ada@example.com']);
    const listed = (await listSubscribers(targetOf(after), only(after))).json;
    expect(listed).toMatchObject({
      subscribers: [{ address: 'alan@example.com' }, { address: 'bo@example.com' }, { address: 'grace@example.com' }],
      removed: ['ada@example.com'],
    });
    expect((await addSubscribers(targetOf(after), only(after), ['BO@example.com'])).json).toMatchObject({
      added: 0,
      known: 1,
    });
    expect((await removeSubscribers(targetOf(after), only(after), ['bo@example.com'])).json).toMatchObject({
      removed: 1,
    });
    expect(JSON.stringify((await listSubscribers(targetOf(after), only(after))).json)).not.toContain('bo@example.com');
  });

  test('a pause of the old name is reported and ended', async () => {
    await pauseCommand(targetOf(before), only(before));
    expect((await pauseCommand(targetOf(after), only(after))).json).toMatchObject({
      report: 'news',
      paused: { by: 'grace' },
    });
    expect((await resumeCommand(targetOf(after), only(after))).json).toMatchObject({ resumed: true });
    expect((await resumeCommand(targetOf(before), only(before))).json).toMatchObject({ resumed: false });
  });
});

describe('an address', () => {
  const key = addressKey('cy@example.com');
  const leave = (report: { name: string; formerly: string[] }, at: string) =>
    unsubscribe(ledger.table, key, report, at);
  const weekly = { name: 'weekly', formerly: [] };
  const news = { name: 'news', formerly: ['weekly'] };

  test('that left under the old name is listed under the new one, until it comes back under either', async () => {
    await leave(weekly, '2026-11-01T00:00:00Z');
    expect((await listAddresses(targetOf(after))).json).toMatchObject({
      addresses: [{ why: 'unsubscribed', report: 'news', since: '2026-11-01T00:00:00Z' }],
    });
    await resubscribe(ledger.table, key, news, '2026-11-02T00:00:00Z');
    expect((await listAddresses(targetOf(after))).json).toMatchObject({ addresses: [] });
  });

  test('is lifted from both names, and is not kept as one that left when it had come back', async () => {
    await leave(news, '2026-11-03T00:00:00Z');
    const lifted = await liftAddress(targetOf(after), 'cy@example.com', { yes: true });
    expect(lifted.lines[0]).toBe('cy@example.com gets mail again. It was unsubscribed from news.');
    expect(await isUnsubscribed(ledger.table, key, news)).toBe(false);
    await forgetAddress(targetOf(after), 'cy@example.com', { yes: true });
    expect(await readForgotten(ledger.table, ['cy@example.com'])).toEqual(new Map());
  });
});
