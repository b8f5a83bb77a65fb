import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { loadConfiguration } from '../../infra/config.ts';
import type { AwsCall } from '../support/aws-front.ts';
import { keysWritten } from '../support/write-limit.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { deploy, scheduledInput, synthesize, type Synthesized } from '../support/deployed.ts';
import { named } from '../support/named.ts';

const at = '2026-11-16T08:00:00Z';
const key = 'RUN#weekly_2026-W46';
const subscribers = Array.from({ length: 24 }, (_, index) => `subscriber-${100 + index}@example.com`);

let folder: string;
let account: SampleAccount;
let stack: Synthesized;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hot-partition-'));
  account = await startSampleAccount({ asOf: at });
  const weekly = {
    name: 'weekly',
    schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
    subscribers,
  };
  const overlay = { service: { baseUrl: account.url }, mail: { settleMinutes: 0 }, reports: [weekly] };
  stack = await synthesize(loadConfiguration({ overlay }), folder);
});
afterAll(async () => {
  await account?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Outcome {
  receipt: Receipt;
  /** The recipient of each mail that SES took. */
  mailed: string[];
  /** Writes to rows of messages after they were planned, throttled ones included. */
  writes: number;
}

/** Sends to all subscribers, as fast as SES takes it, with the events that SES reports of each message. */
async function send(writesPerKey?: number): Promise<Outcome> {
  let writes = 0;
  const onCall = ({ action, parameters }: AwsCall): void => {
    const operation = action.replace(/^dynamodb:/, '');
    if (operation === 'UpdateItem') writes += keysWritten(operation, parameters).filter((each) => each === key).length;
  };
  const limit = writesPerKey === undefined ? {} : { writesPerKey };
  const deployed = await deploy(stack, { credentials: account.credentials, onCall, ...limit });
  try {
    const { lambda, ses, table, outDir } = deployed;
    const execution = await lambda.executeDurable(stack.functions.run, scheduledInput(stack, 'weekly', at));
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    await ses.eventsSettled();
    const run = await readRun(table, 'weekly', named('2026-W46'));
    if (run === null) throw new Error('There is no run.');
    const names = (await readdir(outDir)).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(names.map((name) => readFile(join(outDir, name), 'utf8')));
    const mailed = mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim() ?? '').toSorted();
    return { receipt: await readReceipt(table, run, Date.now()), mailed, writes };
  } finally {
    await deployed.close();
  }
}

let writesUnthrottled = 0;

test('a message takes at most four writes under the key of its run, its events included: 800 a second at 200 messages', async () => {
  const { receipt, mailed, writes } = await send();
  expect(mailed).toEqual(subscribers);
  expect(receipt.balance).toMatchObject({ intended: 24, sent: 24, balanced: true });
  // A claim, a mark, a delivery, and where the event of the acceptance comes before the mark, that too.
  expect(writes).toBeGreaterThanOrEqual(3 * 24);
  expect(writes).toBeLessThanOrEqual(4 * 24);
  writesUnthrottled = writes;
});

test('a run whose partition throttles waits, and loses and doubles nothing', async () => {
  const { receipt, mailed, writes } = await send(10);
  expect(mailed).toEqual(subscribers);
  expect(receipt.balance).toMatchObject({ intended: 24, sent: 24, unknown: 0, sentNow: 24, balanced: true });
  expect(writes).toBeGreaterThan(writesUnthrottled + 20);
});
