import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { queryResult } from '../../infra/local/emulators/aws-protocol.ts';
import { serveOnLoopback } from '../../infra/local/emulators/loopback.ts';
import { verificationResult } from '../../infra/local/emulators/ses.ts';
import { functionName } from '../../infra/local/system.ts';
import { startService } from '../support/service/service.ts';
import { startSystemOf } from '../support/system.ts';

/** How many invocations of the run are still to die, each as it asks SES for its quota. */
let deaths = 0;
const service = await startService({ answers: { deliveries: () => [] } });
const ses = await serveOnLoopback(async ({ body }) => {
  const form = new URLSearchParams(body.toString());
  const action = form.get('Action') ?? '';
  if (action === 'GetSendQuota' && deaths > 0) {
    deaths -= 1;
    await system.lambda.kill(functionName('run'));
  }
  if (form.has('Identities.member.1')) return verificationResult(form, () => true);
  return queryResult(action, { MaxSendRate: '14', MessageId: randomUUID() });
});
const system = await startSystemOf(service, { environment: { AWS_ENDPOINT_URL_SES: ses.url } });

afterAll(async () => {
  await system.close();
  await ses.close();
  await service.close();
});

test('a run that dies four times at one place goes on; after the fifth it fails with that reason, and goes on when it is triggered again', async () => {
  const trigger = { report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z' };
  const result = async (): Promise<unknown> => (await system.execute(trigger)).result;
  deaths = 5;
  const error = { code: 'invocation-died', message: expect.stringContaining('"run" died 5 times') };
  expect(await result()).toMatchObject({ state: 'failed', error, balance: { planned: 3, balanced: true } });
  expect(await system.receiptOf('weekly', '2026-W46')).toMatchObject({ state: 'failed', error });
  deaths = 4;
  expect(await result()).toMatchObject({ state: 'done', balance: { sent: 3, sentNow: 3, balanced: true } });
}, 120_000);
