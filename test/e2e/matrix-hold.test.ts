import { afterAll, beforeAll, expect, test } from 'vitest';
import { documented } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';

let faultRuns: FaultRuns;

beforeAll(async () => {
  faultRuns = await startFaultRuns({ report: { whenIncomplete: 'hold' }, service: { concurrency: 32 } });
}, 180_000);
afterAll(() => faultRuns.close());

test('an incomplete digest is held where the report is set to hold it: no mail goes out, and the log says so', async () => {
  const { digest, receipt, mails, logs } = await faultRuns.run({ ...documented, refused: { recipients: 403 } });
  expect(digest?.missing).toMatchObject([
    { what: 'delivery', delivery: faultRuns.account.victims.delivery, reason: 'forbidden' },
  ]);
  expect(digest?.totals).toMatchObject({
    deliveries: null,
    seen: null,
    responded: null,
    responseRate: null,
    previous: null,
  });
  expect([receipt.state, receipt.balance.held, mails]).toEqual(['held', 1, []]);
  expect(logs).toMatch(/"message":"The run ended\.".*"state":"held"/);
});

test('a complete digest is sent', async () => {
  const { digest, receipt, mails } = await faultRuns.run(documented);
  expect([digest?.missing, receipt.state, mails.length]).toEqual([[], 'done', 1]);
});

test('one worker keeps up to 32 requests in flight, and what is throttled is not missing', async () => {
  const throttled = { kind: 'first', way: '429 with seconds', oneIn: 90, times: 1 } as const;
  const { log, digest } = await faultRuns.run({ ...documented, latencyMs: 40, failures: throttled });
  expect(digest?.missing).toEqual([]);
  expect(log.mostInFlight).toBeGreaterThan(8);
  expect(log.mostInFlight).toBeLessThanOrEqual(32);
});
