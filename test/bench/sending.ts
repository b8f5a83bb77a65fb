import * as v from 'valibot';
import { startSystemOf } from '../support/system.ts';
import * as bench from './measurement.ts';
import { launchService, scheduledTime } from './service.ts';
import { launchSes } from './ses.ts';

const schema = v.object({
  ms: v.number(),
  throttled: v.number(),
});

/** Messages a second that SES takes: seven times what it gives a new account, and no more than a slow machine can send. */
const sendRate = 100;

/** Sending to many subscribers, at the rate that SES takes. */
export async function sendingRow({ times, short }: bench.Extent) {
  const subscribers = short ? 100 : 5_000;
  const runs = await bench.measureTimes(times, 'sending', subscribers, schema);
  const limitMs = (subscribers / sendRate) * 1000;
  const ms = bench.median(runs.map(({ ms }) => ms));
  return {
    what: `${subscribers} subscribers, claims and marking as sent included`,
    against: `an SES that takes ${sendRate} messages a second: ${bench.round(limitMs / 1000)} s`,
    measured: `${bench.round(ms / 1000)} s, ${bench.median(runs.map(({ throttled }) => throttled))} refused for the rate`,
    figure: ms / limitMs,
    target: 'at most 1.05',
    met: ms / limitMs <= 1.05,
  };
}

/** Sends a run to many subscribers through the bundle, and reports how long that took: claims, messages and their marking as sent. */
async function measureSending(): Promise<void> {
  const subscribers = bench.readInput(v.number());
  const service = await launchService({ deliveries: 12, latencyMs: 0 });
  const ses = await launchSes(sendRate);
  const { url: baseUrl, credentials } = service;
  await using folder = await bench.temporaryFolder();
  const settings = { service: { baseUrl, concurrency: 16 } };
  const options = { settings, folder: folder.path, environment: { AWS_ENDPOINT_URL_SES: ses.url } };
  await using system = await startSystemOf({ url: baseUrl, credentials }, options);
  const addresses = Array.from({ length: subscribers }, (_, index) => `subscriber-${index}@example.com`);
  const to = await system.subscribersOf(...addresses);
  const { recorded } = await system.carryOut({ report: 'weekly', scheduledTime, subscribers: to });
  const times = [...bench.operationTimes((await recorded).getHistoryEvents())];
  const begun = times.find(([name]) => name === 'begin sending')?.[1].startedAt ?? Number.NaN;
  const ended = Math.max(...times.filter(([name]) => name.startsWith('send ')).map(([, { endedAt }]) => endedAt));
  const { accepted, throttled } = await ses.taken();
  if (accepted !== subscribers) throw new Error(`SES took ${accepted} messages of ${subscribers}.`);
  bench.report({ ms: ended - begun, throttled });
  service.close();
}

if (import.meta.main) {
  await measureSending();
  process.exit(0);
}
