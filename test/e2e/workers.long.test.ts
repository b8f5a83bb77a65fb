import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../support/accounts/serve.ts';
import { accountWith, observedMs } from '../support/faulty-account/faulty-account.ts';
import { peakOfWorker } from '../support/faulty-account/worker-process.ts';
import { startService } from '../support/service/service.ts';

test('a list of more than 100,000 recipients costs a worker less than 64 MiB', async () => {
  const service = await startService({ answers: {} });
  onTestFinished(() => service.close());
  const peakWith = async (times: number): Promise<number> => {
    service.behave({ answers: serve(accountWith(times), observedMs).answers });
    return await peakOfWorker(service);
  };
  const usual = await peakWith(1);
  expect(usual).toBeGreaterThan(0);
  expect((await peakWith(4_000)) - usual).toBeLessThan(64);
}, 120_000);
