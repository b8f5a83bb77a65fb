import { afterAll, expect, test } from 'vitest';
import { resumeReport } from '../../functions/ledger/reports.ts';
import { readActions } from '../../functions/ledger/runs/actions.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { functionName } from '../../infra/local/system.ts';
import { startOutboxView } from '../../infra/local/viewer/outbox-view.ts';
import { startScriptedSes } from '../support/aws/scripted-ses.ts';
import { configurationWith } from '../support/configuration.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { namesIn } from '../support/start-folders.ts';
import { startSystemOf } from '../support/system.ts';
import { named } from '../support/named.ts';
import { english } from '../support/words.ts';

// An execution that fails raises an alarm and leaves its trigger in the dead-letter queue: what the ledger or the operator
// knows already must not.

const scheduledTime = '2026-11-16T08:00:00Z';
const service = await startService({ answers: { deliveries: () => 403 } });
const ses = await startScriptedSes();
const channels = [
  { name: 'managers', kind: 'teams', link: true },
  { name: 'desk', kind: 'slack' },
];
const [weekly, daily] = configurationWith().reports;
const system = await startSystemOf(service, {
  settings: { reports: [{ ...weekly, channels }, daily] },
  environment: { AWS_ENDPOINT_URL_SES: ses.url },
});
const { execute } = system;

afterAll(() => Promise.all([system, ses, service].map((part) => part.close())));

test('a scheduled run is none while its report is off, and one that failed ends its execution normally, with the failure that is in the ledger', async () => {
  const trigger = { report: 'weekly', trigger: 'schedule', scheduledTime };
  expect((await execute(trigger)).result).toEqual({ report: 'weekly', off: 'never switched on' });
  await resumeReport(system.table, { name: 'weekly' }, scheduledTime);
  const { status, result } = await execute(trigger);
  const run = await readRun(system.table, 'weekly', named('2026-W46'));
  expect(run).toMatchObject({ state: 'failed', error: { code: 'service-unavailable' } });
  expect({ status, result }).toEqual({
    status: 'SUCCEEDED',
    result: {
      run: 'weekly_2026-W46',
      state: 'failed',
      balance: expect.objectContaining({ intended: 5, planned: 5, sent: 0, balanced: true }),
      error: run?.error,
    },
  });
  expect(await readActions(system.table, 'weekly')).toEqual([]);
});

test('an order that is refused is answered with the reason, and is in the ledger with it', async () => {
  const refusals: Array<[event: object, code: string]> = [
    [{ action: 'release', run: 'weekly_2020-W02' }, 'unknown-run'],
    [{ action: 'release', run: 'weekly_2026-W46' }, 'not-held'],
    [{ action: 'discard', run: 'weekly_2026-W46' }, 'nothing-kept'],
    [{ action: 'relaese', run: 'weekly_2026-W46' }, 'bad-trigger'],
    [{ report: 'weekly', scheduledTime: '2099-11-16T08:00:00Z' }, 'period-not-over'],
    [{ report: 'daily', scheduledTime, subscribers: 'no-such-key' }, 'no-addresses'],
  ];
  for (const [event, code] of refusals) {
    const { status, result } = await execute(event);
    const error = { code, message: expect.any(String) };
    expect({ status, result }).toEqual({ status: 'SUCCEEDED', result: { state: 'refused', error } });
  }
  const actions = await readActions(system.table, 'weekly');
  expect(actions.map(({ what, run, outcome }) => [what, run, outcome?.state, outcome?.error?.code])).toEqual([
    ['release', 'weekly_2020-W02', 'refused', 'unknown-run'],
    ['release', 'weekly_2026-W46', 'refused', 'not-held'],
    ['discard', 'weekly_2026-W46', 'refused', 'nothing-kept'],
    ['run', 'weekly_2099-W46', 'refused', 'period-not-over'],
  ]);
});

test('a function runs with the settings that it is deployed with: what fails in it names the place in the source', async () => {
  await expect(system.lambda.invoke(functionName('collect'), {})).rejects.toMatchObject({
    name: 'TypeError',
    message: expect.stringMatching(/^Not a request to collect\. /),
    stack: expect.stringMatching(/parseObserveRequest .*functions\/collect\/\w+\.ts:\d+:\d+/),
  });
});

test('a run that dies five times at one place fails with that reason, and goes on, over another death, when it is triggered again: each channel gets one card', async () => {
  service.behave({ answers: smallAccount() });
  /** Has so many invocations of the run die, each as it asks SES for its quota. Gives what it came to. */
  const runWith = async (deaths: number): Promise<unknown> => {
    let left = deaths;
    ses.health = (action) => {
      if (action === 'GetSendQuota' && (left -= 1) >= 0) void system.lambda.kill(functionName('run'));
      return 'well';
    };
    return (await execute({ report: 'weekly', scheduledTime })).result;
  };
  const error = { code: 'invocation-died', message: expect.stringContaining('"run" died 5 times') };
  expect(await runWith(5)).toMatchObject({ state: 'failed', error, balance: { planned: 5, balanced: true } });
  expect(await system.receiptOf('weekly', '2026-W46')).toMatchObject({ state: 'failed', error });
  expect(await runWith(1)).toMatchObject({ state: 'done', balance: { sent: 5, sentNow: 5, balanced: true } });
  // A run that has its digest asks for nothing, also where no observation is there to share.
  expect(await system.table.remove({ pk: `OBSERVATIONS#${new URL(service.url).host}`, sk: 'CURRENT' })).toBe(true);
  const { length } = service.asked();
  expect(await runWith(0)).toMatchObject({ state: 'done', balance: { sent: 5, sentNow: 0 } });
  expect(service.asked().length).toBe(length);

  const cards = (await namesIn(system.out)).filter((name) => name.endsWith('.card.json'));
  expect(cards.map((name) => name.replace(/^.*?\.|\.card\.json$/g, '')).toSorted()).toEqual(['desk', 'managers']);
  const { messages } = await system.receiptOf('weekly', '2026-W46');
  const posted = { outcome: 'sent', messageId: null };
  expect(messages.filter(({ to }) => !to.includes('@'))).toEqual([
    { to: 'slack:desk', ...posted },
    { to: 'teams:managers', ...posted },
  ]);
  const view = await startOutboxView({ outDir: system.out });
  const views = new RegExp(`<p><b>[^<]*\\b${english.count('count.views', 2)}`);
  for (const name of cards) expect(await (await fetch(`${view.url}/card/${name}`)).text()).toMatch(views);
  await view.close();
}, 120_000);
