import { expect, onTestFinished, test } from 'vitest';
import { documented } from '../support/faulty-account/deviation.ts';
import { accountWith, behaviourOf } from '../support/faulty-account/faulty-account.ts';
import { peakOfWorker } from '../support/faulty-account/worker-process.ts';
import { startService } from '../support/service/service.ts';

test('a list of more than 100,000 recipients costs a worker less than 64 MiB', async () => {
  const service = await startService({ answers: {} });
  onTestFinished(() => service.close());
  const peakWith = async (times: number): Promise<number> => {
    service.behave(behaviourOf(accountWith(times), documented, 1));
    return await peakOfWorker(service);
  };
  const usual = await peakWith(1);
  expect(usual).toBeGreaterThan(0);
  expect((await peakWith(4_000)) - usual).toBeLessThan(64);
}, 120_000);
