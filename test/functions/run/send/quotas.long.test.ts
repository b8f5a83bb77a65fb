import { expect, test } from 'vitest';
import { startService } from '../../../support/service/service.ts';
import { smallAccount } from '../../../support/service/small-account.ts';
import { readMails } from '../../../support/start-folders.ts';
import { startSystemOf } from '../../../support/system.ts';

const deliveries = 240;
const deliveriesOfOneBroadcast = 60;
const subscribers = 50;
/** The largest account to think of has this many times as much, and what a run leaves in its history grows with it. */
const largest = 100;

/** One broadcast with a quarter of the deliveries; the others have eight each. Everything was seen in the period. */
function broadcastOf(delivery: number): string {
  return delivery < deliveriesOfOneBroadcast ? '1' : String(2 + Math.floor(delivery / 8));
}

/** Answers as many deliveries, each with the same recipients. */
const startLargeService = () =>
  startService({
    answers: {
      ...smallAccount(),
      deliveries: () =>
        Array.from({ length: deliveries }, (_, index) => ({
          delivery: { id: `d${index}`, broadcast: { id: broadcastOf(index), name: 'News' }, status: 'delivered' },
        })),
    },
  });

test(
  "a run of many deliveries to many subscribers stays far below the durable engine's quotas: 3,000 operations, 262,144 bytes a result, 100 MB of history",
  { timeout: 600_000 },
  async () => {
    const service = await startLargeService();
    const system = await startSystemOf(service, { sendRate: 2_000 });
    try {
      const to = Array.from({ length: subscribers }, (_, index) => `subscriber-${index}@example.com`);
      const execution = await system.execute({
        report: 'weekly',
        scheduledTime: '2026-11-16T08:00:00Z',
        subscribers: await system.subscribersOf(...to),
      });
      const recorded = await execution.recorded;
      expect(execution.result).toMatchObject({
        state: 'done',
        balance: { intended: subscribers, sent: subscribers, sentNow: subscribers, balanced: true },
      });
      expect(await readMails(system.out)).toHaveLength(subscribers);
      const operations = recorded.getOperations();
      const results = operations.map((operation) => {
        const { StepDetails, ContextDetails, ChainedInvokeDetails } = operation.getOperationData() ?? {};
        return StepDetails?.Result ?? ContextDetails?.Result ?? ChainedInvokeDetails?.Result ?? '';
      });
      expect(operations.length * largest).toBeLessThan(2_000);
      expect(Math.max(...results.map((result) => Buffer.byteLength(result))) * largest).toBeLessThan(65_536);
      expect(Buffer.byteLength(JSON.stringify(recorded.getHistoryEvents())) * largest).toBeLessThan(10_000_000);
    } finally {
      await system.close();
      await service.close();
    }
  },
);
