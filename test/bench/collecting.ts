import { Agent, get } from 'node:http';
import * as v from 'valibot';
import { startSystemOf } from '../support/system.ts';
import * as bench from './measurement.ts';
import { launchService, scheduledTime } from './service.ts';

const schema = v.object({
  ms: v.number(),
  requests: v.number(),
  bareMs: v.number(),
});

const concurrency = 16;
/** At 100 ms waiting outweighs the work also on a machine half as fast as ours; at 50 ms the figure is the machine's. */
const latencyMs = 100;

/** Collecting against its physical limit: the requests it takes, of a client that reads nothing. */
export async function collectingRow({ times, short }: bench.Extent) {
  const deliveries = short ? 20 : 1_000;
  const runs = await bench.measureTimes(times, 'collecting', deliveries, schema);
  const requests = bench.median(runs.map((run) => run.requests));
  const bareMs = bench.median(runs.map((run) => run.bareMs));
  const limitMs = (requests * bareMs) / concurrency;
  const ms = bench.median(runs.map((run) => run.ms));
  return {
    what: `collecting ${deliveries} deliveries at ${latencyMs} ms, ${concurrency} at once`,
    against: `${requests} requests x ${bench.round(bareMs)} ms of a bare client / ${concurrency} = ${bench.round(limitMs / 1000)} s`,
    measured: `${bench.round(ms / 1000)} s`,
    figure: ms / limitMs,
    target: 'at most 1.10',
    met: ms / limitMs <= 1.1,
  };
}

/** Collects an account through the bundles, in the durable function's own way, and reports how long that took. */
async function measureCollecting(): Promise<void> {
  const service = await launchService({ deliveries: bench.readInput(v.number()), latencyMs });
  const { url: baseUrl, credentials } = service;
  await using folder = await bench.temporaryFolder();
  const settings = { service: { baseUrl, concurrency } };
  await using system = await startSystemOf({ url: baseUrl, credentials }, { settings, folder: folder.path });
  const { recorded } = await system.carryOut({ report: 'weekly', scheduledTime, hold: true });
  const times = bench.operationTimes((await recorded).getHistoryEvents());
  const begun = times.get('observation 0')?.startedAt ?? Number.NaN;
  const kept = times.get('compose')?.startedAt ?? Number.NaN;
  const requests = await service.requests();
  bench.report({ ms: kept - begun, requests, bareMs: await measureBareClient(`${baseUrl}/v1/broadcasts/deliveries`) });
  service.close();
}

/** What a request takes a client that reads nothing of the answer, on the same machine and as many connections: the mean. */
async function measureBareClient(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const ask = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject);
    });
  const times: number[] = [];
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn += 1) {
      const begun = performance.now();
      await ask();
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  agent.destroy();
  return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

if (import.meta.main) {
  await measureCollecting();
  process.exit(0);
}
