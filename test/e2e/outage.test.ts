import { afterAll, expect, test } from 'vitest';
import type { Receipt } from '../../functions/run/receipt/receipt.ts';
import { serveOnLoopback } from '../../infra/local/emulators/loopback.ts';
import { readMails } from '../support/start-folders.ts';
import { handOn } from '../support/aws-front.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { startSystemOf, type SystemOf } from '../support/system.ts';

const subscribers = Array.from({ length: 120 }, (_, index) => `subscriber-${index}@example.com`);
/** At a hundred messages a second so many are on their way at once. */
const width = 25;
const outageMs = 2_000;

/** How many messages SES takes before it is out of order, and since when it is: `performance.now()`. */
let takes = 40;
let downSince: number | null = null;

const service = await startService({ answers: smallAccount() });
const front = await serveOnLoopback(async (request) => {
  if (request.body.includes('Action=SendRawEmail') && (takes -= 1) < 0) downSince ??= performance.now();
  if (downSince !== null && performance.now() < downSince + outageMs) return { status: 500, headers: {}, body: '' };
  return await handOn(request, system.environment['AWS_ENDPOINT_URL_SES'] ?? '');
});
const system: SystemOf = await startSystemOf(service, {
  sendRate: 100,
  environment: { AWS_ENDPOINT_URL_SES: front.url },
});
afterAll(async () => {
  for (const part of [system, front, service]) await part.close();
});

async function trigger(): Promise<Receipt> {
  const to = await system.subscribersOf(...subscribers);
  await system.carryOut({ report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z', subscribers: to });
  return await system.receiptOf('weekly', '2026-W46', Date.now() + 60 * 60_000);
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

  const mailed = (await readMails(system.out)).map(({ to }) => to);
  expect(mailed.length).toBe(120 - unknown);
  expect(new Set(mailed).size).toBe(mailed.length);
});
