import { afterAll, expect, test, vi } from 'vitest';
import { putTriggerSubscribers } from '../../../../functions/ledger/persons/persons.ts';
import { sendTest } from '../../../../functions/run/orders/test-mail.ts';
import { createSesClient } from '../../../../functions/run/send/ses.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { startScriptedSes } from '../../../support/aws/scripted-ses.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured, reportOf } from '../configured.ts';
import { dependenciesOf, planKeptRun } from '../kept-run.ts';

vi.mock('node:timers/promises', async () => (await import('../../../support/short-pauses.ts')).timers);

const { table } = await openLedger();
const ses = await startScriptedSes();

const scheduledTime = '2026-11-16T08:00:00Z';
vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(scheduledTime) });

afterAll(async () => {
  vi.useRealTimers();
  await ses.close();
});

test('a refusal is not sent, and after a lost answer, which is unknown, nothing more is', async () => {
  await planKeptRun(table, 1);
  const sends = () => ses.asked.filter((action) => action === 'SendRawEmail').length;
  const script = ['well', 'MessageRejected', 'well', 'well', 500, 'well'] as const;
  ses.health = (action) => (action === 'GetSendQuota' ? 'well' : (script[sends() - 1] ?? 'well'));
  const to = Array.from({ length: 6 }, (_, n) => `tester${n}@example.com`);
  const subscribers = await putTriggerSubscribers(table, to, { keepMonths: 26, now: new Date() });
  const trigger = { action: 'test', report: reportOf(), scheduledTime, subscribers } as const;
  const options = dependenciesOf({ configuration: configured(), table, ses: createSesClient() });
  const { result } = await replayExecution((context) => sendTest(trigger, context, options));
  expect(result).toEqual({ test: 'weekly_2026-W46', kept: true, sent: 3, notSent: 2, unknown: 1 });
  expect(sends()).toBe(5);
});
