// Collects an account through the bundles, in the durable function's own way, and reports how long that took.
import * as v from 'valibot';
import { functionName, startSystem } from '../../../infra/local/system.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { operationTimes } from '../execution-times.ts';
import { functionProcesses, sumOf } from '../function-processes.ts';
import { readInput, report } from '../measurement.ts';
import { scheduledTime } from '../service/account.ts';
import { launchService } from '../service/launch.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { requireCarriedOut } from '../../support/carried-out.ts';

const input = readInput(
  v.object({
    deliveries: v.number(),
    kind: v.picklist(['even', 'mixed']),
    latencyMs: v.number(),
    concurrency: v.number(),
  }),
);

const service = await launchService(input);
const configuration = loadConfiguration({
  overlay: {
    service: { baseUrl: service.url, concurrency: input.concurrency },
    mail: { settleMinutes: 0 },
  },
});
await inTemporaryFolder(async (folder) => {
  const { credentials } = service;
  const system = await startSystem({ configuration, credentials, out: `${folder}/out`, state: `${folder}/state` });
  try {
    const trigger = { report: 'weekly', scheduledTime, hold: true };
    const execution = await system.lambda.executeDurable(functionName('run'), trigger);
    requireCarriedOut(execution);
    const times = operationTimes((await execution.recorded).getHistoryEvents());
    const begun = times.get('begin the collection')?.startedAt ?? Number.NaN;
    const kept = times.get('compose')?.startedAt ?? Number.NaN;
    report({
      ms: kept - begun,
      asked: await service.asked(),
      ...sumOf(await functionProcesses(functionName('collect'))),
      operations: Object.fromEntries(
        [...times].map(([name, { startedAt, endedAt }]) => [name, [startedAt - begun, endedAt - begun]]),
      ),
    });
  } finally {
    await system.close();
  }
});
service.close();
process.exit(0);
