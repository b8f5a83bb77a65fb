import { afterAll, expect, test } from 'vitest';
import { functionName } from '../../infra/local/system.ts';
import { startScriptedSes } from '../support/aws/scripted-ses.ts';
import { startService } from '../support/service/service.ts';
import { startSystemOf } from '../support/system.ts';

const service = await startService({ answers: { deliveries: () => [] } });
const ses = await startScriptedSes();
const system = await startSystemOf(service, { environment: { AWS_ENDPOINT_URL_SES: ses.url } });
afterAll(async () => {
  for (const part of [system, ses, service]) await part.close();
});

test('a run that dies five times at one place fails with that reason, and goes on, over another death, when it is triggered again', async () => {
  /** Has so many invocations of the run die, each as it asks SES for its quota. Gives what it came to. */
  const runWith = async (deaths: number): Promise<unknown> => {
    let left = deaths;
    ses.health = (action) => {
      if (action === 'GetSendQuota' && (left -= 1) >= 0) void system.lambda.kill(functionName('run'));
      return 'well';
    };
    return (await system.execute({ report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z' })).result;
  };
  const error = { code: 'invocation-died', message: expect.stringContaining('"run" died 5 times') };
  expect(await runWith(5)).toMatchObject({ state: 'failed', error, balance: { planned: 3, balanced: true } });
  expect(await system.receiptOf('weekly', '2026-W46')).toMatchObject({ state: 'failed', error });
  expect(await runWith(1)).toMatchObject({ state: 'done', balance: { sent: 3, sentNow: 3, balanced: true } });
}, 120_000);
