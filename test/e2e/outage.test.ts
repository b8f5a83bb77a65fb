import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putTriggerSubscribers } from '../../functions/ledger/runs/triggers.ts';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { serveOnLoopback, type Loopback } from '../../infra/local/emulators/loopback.ts';
import { functionName, startSystem, type System } from '../../infra/local/system.ts';
import { readMails } from '../support/start-folders.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { handOn } from '../support/aws-front.ts';
import { named } from '../support/named.ts';
import { startService, type Service } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';

const at = '2026-11-16T08:00:00Z';
const subscribers = Array.from({ length: 120 }, (_, index) => `subscriber-${index}@example.com`);
/** At a hundred messages a second so many are on their way at once. */
const width = 25;
const outageMs = 2_000;

let folder: string;
let service: Service;
let front: Loopback;
let system: System;

/** How many messages SES takes before it is out of order, and since when it is: `performance.now()`. */
let takes = 40;
let downSince: number | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'e2e-outage-'));
  service = await startService({ answers: smallAccount() });
  front = await serveOnLoopback(async (request) => {
    if (request.body.includes('Action=SendRawEmail') && (takes -= 1) < 0) downSince ??= performance.now();
    if (downSince !== null && performance.now() < downSince + outageMs) return { status: 500, headers: {}, body: '' };
    return await handOn(request, system.environment['AWS_ENDPOINT_URL_SES'] ?? '');
  });
  system = await startSystem({
    configuration: loadConfiguration({
      overlay: { service: { baseUrl: service.url }, mail: { settleMinutes: 0 } },
    }),
    credentials: service.credentials,
    out: join(folder, 'out'),
    state: join(folder, 'state'),
    sendRate: 100,
    environment: { AWS_ENDPOINT_URL_SES: front.url },
  });
});
afterAll(async () => {
  await system.close();
  await front.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function trigger(): Promise<Receipt> {
  const to = await putTriggerSubscribers(system.table, subscribers, { keepMonths: 26, now: new Date() });
  const event = { report: 'weekly', scheduledTime: at, subscribers: to };
  requireCarriedOut(await system.lambda.executeDurable(functionName('run'), event));
  await system.eventsSettled();
  const run = await readRun(system.table, 'weekly', named('2026-W46'));
  if (run === null) throw new Error('There is no run.');
  return await readReceipt(system.table, run, Date.now() + 60 * 60_000);
}

test('two seconds of faults cost those their mail that were on their way, and the next trigger sends the rest', async () => {
  const first = await trigger();
  const { sent, unknown, planned } = first.balance;
  expect(first).toMatchObject({ state: 'sending', error: { code: 'ses-unavailable' }, balance: { balanced: true } });
  expect(sent).toBeGreaterThan(0);
  expect(sent + unknown + planned).toBe(120);
  expect(unknown).toBeGreaterThanOrEqual(3);
  expect(unknown).toBeLessThanOrEqual(3 + width - 1);

  const isDownForMs = (downSince ?? 0) + outageMs - performance.now();
  await new Promise((go) => setTimeout(go, Math.max(0, isDownForMs)));
  const next = await trigger();
  expect(next).toMatchObject({
    state: 'done',
    balance: { intended: 120, sent: 120 - unknown, unknown, planned: 0, sentNow: planned, balanced: true },
  });
  expect(next.error).toBeUndefined();
  const lost = next.messages.filter(({ outcome }) => outcome === 'unknown');
  expect(lost.map(({ noEvent }) => noEvent)).toEqual(lost.map(() => true));

  const mailed = (await readMails(join(folder, 'out'))).map(({ to }) => to);
  expect(mailed.length).toBe(120 - unknown);
  expect(new Set(mailed).size).toBe(mailed.length);
}, 120_000);
