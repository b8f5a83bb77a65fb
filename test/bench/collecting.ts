import { Agent, get } from 'node:http';
import * as v from 'valibot';
import { startSystemOf } from '../support/system.ts';
import { putWorkerInProcess } from '../support/worker-process.ts';
import {
  inTemporaryFolder,
  measureTimes,
  median,
  operationTimes,
  readInput,
  report,
  round,
  type Extent,
  type Row,
} from './measurement.ts';
import { measurePace } from './pace.ts';
import { counted, launchService, scheduledTime } from './service.ts';

const schema = v.object({
  ms: v.number(),
  peakMiB: v.number(),
  asked: counted,
  bareMs: v.number(),
});
type Collected = v.InferOutput<typeof schema>;

const concurrency = 16;
/** For the machine that the target was set on. */
const referenceLatencyMs = 50;
/** The growth is measured with less waiting, so that what grows is ours. */
const latencyOfGrowthMs = 10;
/** Ten times the deliveries. By the smaller account Node's heap has grown to what it keeps to. */
const mostTimeForTenfold = 10.5;
const mostMemoryForTenfold = 1.1;

/**
 * Collecting against its physical limit, the requests it takes, and how both grow. To a machine that is so many times slower
 * the service is, too: what is compared is waiting for the service with work for the processor.
 */
export async function collectingRows({ times, short }: Extent): Promise<Row[]> {
  const deliveries = short ? 20 : 1_000;
  const pace = short ? 1 : await measurePace(times);
  const latencyMs = Math.round(referenceLatencyMs * pace);
  const runs = await measureTimes(times, 'collecting', { deliveries, latencyMs, concurrency }, schema);
  return [limitRow({ deliveries, latencyMs }, runs), requestsRow(runs), ...(await growthRows({ times, short }))];
}

function limitRow(
  { deliveries, latencyMs }: { deliveries: number; latencyMs: number },
  runs: readonly Collected[],
): Row {
  const requests = median(runs.map(({ asked }) => asked.requests + asked.tokens));
  const bareMs = median(runs.map((run) => run.bareMs));
  const limitMs = (requests * bareMs) / concurrency;
  const ms = median(runs.map(({ ms }) => ms));
  return {
    what: `collecting ${deliveries} deliveries at ${latencyMs} ms, ${concurrency} at once`,
    against: `${requests} requests x ${round(bareMs)} ms of a bare client / ${concurrency} = ${round(limitMs / 1000)} s`,
    measured: `${round(ms / 1000)} s`,
    figure: ms / limitMs,
    target: 'at most 1.10',
    met: ms / limitMs <= 1.1,
  };
}

function requestsRow(runs: readonly Collected[]): Row {
  const asked = runs.map(({ asked }) => asked);
  const surplus = asked.map(({ requests, needed }) => Math.abs(requests - needed));
  const largest = Math.max(...surplus, ...asked.map(({ refused }) => refused));
  return {
    what: 'requests made, over all runs',
    against: 'those that the digest needs',
    measured: `${asked[0]?.requests ?? 0} of ${asked[0]?.needed ?? 0}; ${Math.max(...asked.map(({ tokens }) => tokens))} for a token`,
    figure: largest,
    target: 'exactly those: 0 too many or too few',
    met: largest === 0,
  };
}

async function growthRows({ times, short }: Extent): Promise<Row[]> {
  const sizes = short ? [10, 20] : [1_000, 10_000];
  const grown: Array<{ ms: number; peakMiB: number }> = [];
  for (const deliveries of sizes) {
    const input = { deliveries, latencyMs: latencyOfGrowthMs, concurrency };
    const runs = await measureTimes(times, 'collecting', input, schema);
    grown.push({ ms: median(runs.map(({ ms }) => ms)), peakMiB: median(runs.map(({ peakMiB }) => peakMiB)) });
  }
  const growth = (figure: 'ms' | 'peakMiB'): number => (grown[1]?.[figure] ?? Number.NaN) / (grown[0]?.[figure] ?? 0);
  const [time, memory] = [growth('ms'), growth('peakMiB')];
  return [
    {
      what: `time for ${sizes.join(', ')} deliveries at ${latencyOfGrowthMs} ms`,
      against: 'linear',
      measured: grown.map(({ ms }) => `${round(ms / 1000)} s`).join(', '),
      figure: time,
      target: `at most ${mostTimeForTenfold} times`,
      met: time <= mostTimeForTenfold,
    },
    {
      what: `peak memory of the worker, ${sizes.join(', ')} deliveries`,
      against: 'flat',
      measured: grown.map(({ peakMiB }) => `${round(peakMiB)} MiB`).join(', '),
      figure: memory,
      target: `at most ${mostMemoryForTenfold} times`,
      met: memory <= mostMemoryForTenfold,
    },
  ];
}

/** Collects an account through the bundles, in the durable function's own way, and reports how long that took. */
async function measureCollecting(): Promise<void> {
  const input = readInput(
    v.object({
      deliveries: v.number(),
      latencyMs: v.number(),
      concurrency: v.number(),
    }),
  );

  const service = await launchService(input);
  const { url: baseUrl, credentials } = service;
  await inTemporaryFolder(async (folder) => {
    const settings = { service: { baseUrl, concurrency: input.concurrency } };
    const system = await startSystemOf({ url: baseUrl, credentials }, { settings, folder });
    const peak = await putWorkerInProcess(system.state);
    try {
      const { recorded } = await system.carryOut({ report: 'weekly', scheduledTime, hold: true });
      const times = operationTimes((await recorded).getHistoryEvents());
      const begun = times.get('begin the collection')?.startedAt ?? Number.NaN;
      const kept = times.get('compose')?.startedAt ?? Number.NaN;
      const collected = { ms: kept - begun, asked: await service.asked(), peakMiB: await peak() };
      report({ ...collected, bareMs: await measureBareClient(`${baseUrl}/v1/broadcasts/deliveries`) });
    } finally {
      await system.close();
    }
  });
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
    for (let round = 0; round < 40; round += 1) {
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
