// Sends a run to many subscribers through the bundle, and reports how long that took: claims, messages and their marking as sent.
import * as v from 'valibot';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { functionName, startSystem } from '../../../infra/local/system.ts';
import { operationTimes } from '../execution-times.ts';
import { functionProcesses, sumOf } from '../function-processes.ts';
import { readInput, report } from '../measurement.ts';
import { scheduledTime } from '../service/account.ts';
import { launchService } from '../service/launch.ts';
import { launchSes } from '../service/launch-ses.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { requireCarriedOut } from '../../support/carried-out.ts';

const { subscribers, sendRate, deliveries } = readInput(
  v.object({ subscribers: v.number(), sendRate: v.number(), deliveries: v.number() }),
);

const service = await launchService({ deliveries, kind: 'even', latencyMs: 0 });
const ses = await launchSes(sendRate);
const configuration = loadConfiguration({
  overlay: { service: { baseUrl: service.url, concurrency: 16 }, mail: { settleMinutes: 0 } },
});
await inTemporaryFolder(async (folder) => {
  const { credentials } = service;
  const system = await startSystem({
    configuration,
    credentials,
    out: `${folder}/out`,
    state: `${folder}/state`,
    environment: { AWS_ENDPOINT_URL_SES: ses.url },
  });
  try {
    const addresses = Array.from({ length: subscribers }, (_, index) => `subscriber-${index}@example.com`);
    const trigger = {
      report: 'weekly',
      scheduledTime,
      subscribers: await putTriggerSubscribers(system.table, addresses, new Date()),
    };
    const execution = await system.lambda.executeDurable(functionName('run'), trigger);
    requireCarriedOut(execution);
    const times = [...operationTimes((await execution.recorded).getHistoryEvents())];
    const begun = times.find(([name]) => name === 'begin sending')?.[1].startedAt ?? Number.NaN;
    const ended = Math.max(...times.filter(([name]) => name.startsWith('send ')).map(([, { endedAt }]) => endedAt));
    const { accepted, throttled, bytes } = await ses.taken();
    if (accepted !== subscribers) throw new Error(`SES took ${accepted} messages of ${subscribers}.`);
    report({
      ms: ended - begun,
      throttled,
      messageBytes: bytes / accepted,
      ...sumOf(await functionProcesses(functionName('run'))),
      operations: Object.fromEntries(
        times.map(([name, { startedAt, endedAt }]) => [name, [startedAt - begun, endedAt - begun]]),
      ),
    });
  } finally {
    await system.close();
  }
});
service.close();
process.exit(0);
