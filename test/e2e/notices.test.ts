import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { periodBefore, runName } from '../../functions/domain/period.ts';
import { insertRun, recordOutcome, requireRun, type RunState } from '../../functions/ledger/runs/runs.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { buildBundles } from '../../infra/build/bundles.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { functionSettings } from '../../infra/function-settings.ts';
import { region } from '../../infra/local/emulators/aws-protocol.ts';
import { openLedger, type LocalLedger } from '../../infra/local/emulators/dynamodb.ts';
import type { InvocationOutcome } from '../../infra/local/emulators/lambda/function-thread.ts';
import { startLambda, type Lambda } from '../../infra/local/emulators/lambda/lambda.ts';
import { startSnsStub, type SnsStub } from '../support/sns-stub.ts';

const topic = `arn:aws:sns:${region}:123456789012:notices`;
const error = { code: 'service-unavailable', message: 'The service does not answer.' };
const period = periodBefore('week', 'Europe/London', Temporal.Now.instant());

let bundlesFolder: string;
let folder: string;
let ledger: LocalLedger;
let table: Table;
let sns: SnsStub;
let lambda: Lambda;

beforeAll(async () => {
  bundlesFolder = await mkdtemp(join(tmpdir(), 'notices-bundles-'));
  await buildBundles(loadConfiguration(), bundlesFolder);
});
afterAll(() => rm(bundlesFolder, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notices-'));
  ledger = await openLedger(folder, 'ledger');
  table = createTable(ledger.client, 'ledger');
  sns = await startSnsStub();
  const { processEnvironment, ...settings } = functionSettings.watch;
  const names = { TABLE_NAME: 'ledger', NOTICE_TOPIC_ARN: topic, ENVIRONMENT_NAME: 'staging' };
  const environment = { ...processEnvironment, ...names };
  lambda = await startLambda({
    functions: { watch: { bundleDir: join(bundlesFolder, 'watch'), environment, ...settings } },
    logDir: join(folder, 'logs'),
    environment: { AWS_ENDPOINT_URL_DYNAMODB: ledger.url, AWS_ENDPOINT_URL_SNS: sns.url },
  });
});
afterEach(async () => {
  await lambda.close();
  await sns.close();
  await ledger.close();
  await rm(folder, { recursive: true });
});

const look = (): Promise<InvocationOutcome> => lambda.invoke('watch', {});

/** Brings the latest run of a report into a state, just now. */
async function runEnds(report: string, state: RunState): Promise<void> {
  const now = Temporal.Now.instant().toString();
  const name = runName(report, period);
  const planned = { run: name, report, period, scheduledTime: '2026-11-16T08:00:00Z', plannedAt: now };
  await insertRun(table, planned, 4_000_000_000);
  const run = await requireRun(table, report, period);
  const outcome = { state, sentNow: 0, finishedAt: now, ...(state === 'failed' ? { error } : {}) };
  await recordOutcome(table, run, outcome);
}

const titles = (): string[] => sns.published.map(({ subject }) => subject.replace(/, .*/, ''));

test('operators hear once that a run failed, and once that it is done', async () => {
  await runEnds('weekly', 'failed');
  expect(await look()).toEqual({ payload: null });
  expect(await look()).toEqual({ payload: null });
  expect(sns.published).toEqual([
    {
      topic,
      subject: expect.stringMatching(/^Run failed: weekly, [\w ]+ \(staging\)$/),
      body: [
        `Run weekly_${period.name} failed: The service does not answer. (service-unavailable)`,
        '',
        'What the readers have: nobody has the mail.',
        'What to do: fix the cause, then trigger the run again. It continues where it stopped.',
        '',
        'npm run ops -- run weekly --at 2026-11-16T08:00:00Z --env staging',
        '',
      ].join('\n'),
    },
  ]);
  await runEnds('weekly', 'done');
  await look();
  await look();
  expect(titles()).toEqual(['Run failed: weekly', 'Run done: weekly']);
});

test('a notice that is refused holds up no other, makes the watch fail, and is published by the next look', async () => {
  await runEnds('weekly', 'failed');
  await runEnds('daily', 'held');
  sns.refuse = ({ subject }) => (subject.startsWith('Run failed') ? 'AuthorizationError' : undefined);
  expect(await look()).toEqual({
    functionError: 'Unhandled',
    payload: expect.objectContaining({ errorMessage: '1 notices could not be published.' }),
  });
  expect(titles()).toEqual(['Digest held: daily']);
  sns.refuse = () => undefined;
  expect(await look()).toEqual({ payload: null });
  await look();
  expect(titles()).toEqual(['Digest held: daily', 'Run failed: weekly']);
});

test('a watch that is killed after a notice was taken and before the ledger knows it repeats it, and only it', async () => {
  await runEnds('weekly', 'failed');
  await runEnds('daily', 'held');
  sns.beforeAnswer = async ({ subject }) => {
    if (subject.startsWith('Run failed')) await lambda.kill('watch');
  };
  expect(await look()).toMatchObject({ functionError: 'Unhandled' });
  sns.beforeAnswer = () => Promise.resolve();
  await look();
  await look();
  expect(titles().toSorted((a, b) => a.localeCompare(b))).toEqual([
    'Digest held: daily',
    'Run failed: weekly',
    'Run failed: weekly',
  ]);
});
