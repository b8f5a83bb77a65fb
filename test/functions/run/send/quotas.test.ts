import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putTriggerSubscribers } from '../../../../functions/ledger/runs/triggers.ts';
import { loadConfiguration } from '../../../../infra/config.ts';
import type { DurableExecution } from '../../../../infra/local/emulators/lambda/durable-engine.ts';
import { functionName, startSystem } from '../../../../infra/local/system.ts';
import { startService } from '../../../support/service/service.ts';
import { namesIn } from '../../../support/start-folders.ts';

const deliveries = 1_200;
const deliveriesOfOneBroadcast = 300;
const subscribers = 250;
/** The largest account to think of has this many times as much, and what a run leaves in its history grows with it. */
const largest = 20;

const seen = { seenAt: '2026-11-11T09:00:00+00:00', respondedAt: '2026-11-11T09:05:00+00:00' };
const unseen = { seenAt: null, respondedAt: null };

/** One broadcast with a quarter of the deliveries; the others have eight each. Everything was seen in the period. */
function broadcastOf(delivery: number): string {
  return delivery < deliveriesOfOneBroadcast ? '1' : String(2 + Math.floor(delivery / 8));
}

describe(`a run of ${deliveries} deliveries to ${subscribers} subscribers`, () => {
  let folder: string;
  let execution: DurableExecution;
  let recorded: Awaited<DurableExecution['recorded']>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quotas-'));
    const service = await startService({
      answers: {
        deliveries: () =>
          Array.from({ length: deliveries }, (_, index) => ({
            delivery: { id: `d${index}`, broadcast: { id: broadcastOf(index), name: 'News' }, status: 'delivered' },
          })),
        broadcast: (id) => ({
          broadcast: {
            id,
            name: 'News',
            created: { by: { id: '7', firstName: 'Ada', lastName: 'Byron' }, at: '2026-11-09T09:00:00+00:00' },
          },
          contents: [{ id: `${id}1`, type: 'text' }],
        }),
        recipients: () => [seen],
        contentRecipients: () => [seen, unseen],
      },
    });
    const configuration = loadConfiguration({
      // Without the file, which with this many deliveries takes six megabytes a mail and says nothing of quotas.
      overlay: {
        service: { baseUrl: service.url, concurrency: 16 },
        mail: { settleMinutes: 0, csvAttachment: false },
      },
    });
    const { SERVICE_CLIENT_ID: id, SERVICE_CLIENT_SECRET: secret } = service.environment;
    const system = await startSystem({
      configuration,
      credentials: { id, secret },
      out: join(folder, 'out'),
      state: join(folder, 'state'),
      sendRate: 2_000,
    });
    try {
      const to = Array.from({ length: subscribers }, (_, index) => `subscriber-${index}@example.com`);
      const key = await putTriggerSubscribers(system.table, to, new Date());
      execution = await system.lambda.executeDurable(functionName('run'), {
        report: 'weekly',
        scheduledTime: '2026-11-16T08:00:00Z',
        subscribers: key,
      });
      recorded = await execution.recorded;
    } finally {
      await system.close();
      await service.close();
    }
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, maxRetries: 3 }));

  test('sends one mail to each subscriber', async () => {
    expect(execution.result).toMatchObject({
      state: 'done',
      balance: { intended: subscribers, sent: subscribers, sentNow: subscribers, balanced: true },
    });
    const mails = (await namesIn(join(folder, 'out'))).filter((name) => name.endsWith('.eml'));
    expect(mails.length).toBe(subscribers);
  });

  test("stays far below the durable engine's quotas: 3,000 operations, 262,144 bytes a result, 100 MB of history", () => {
    const operations = recorded.getOperations();
    const results = operations.map((operation) => {
      const { StepDetails, ContextDetails, ChainedInvokeDetails } = operation.getOperationData() ?? {};
      return StepDetails?.Result ?? ContextDetails?.Result ?? ChainedInvokeDetails?.Result ?? '';
    });
    expect(operations.length * largest).toBeLessThan(500);
    expect(Math.max(...results.map((result) => Buffer.byteLength(result))) * largest).toBeLessThan(65_536);
    expect(Buffer.byteLength(JSON.stringify(recorded.getHistoryEvents())) * largest).toBeLessThan(10_000_000);
  });
});
