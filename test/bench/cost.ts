// Prints the README's table of what a month costs, from what is measured here and now and the prices in `prices.ts`.
import * as v from 'valibot';
import type { FunctionName } from '../../infra/build/bundles.ts';
import { functionSettings } from '../../infra/function-settings.ts';
import { measure } from './measurement.ts';
import { prices } from './prices.ts';

/** The measurements that the costs are computed from. Milliseconds of a running function, not of a processor: that is what is billed. */
interface Measured {
  /** A worker's time a request, over what waiting for the service takes. */
  overWaiting: number;
  /** A run's own time a message, in milliseconds. */
  msOfMessage: number;
  /** A run's own time beside collecting and sending. */
  msOfRun: number;
}

/** The default settings of a deployment, and the service's latency that is assumed. */
const deployed = { concurrency: 8, latencyMs: 50, contents: 5, secrets: 2, metrics: 26, alarms: 31 };
/** A feedback function's time for an event, most of it waiting for the ledger. */
const msOfEvent = 15;
const weeksOfMonth = 52 / 12;

const timed = v.object({ ms: v.number() });

const measured = await measureAll();
console.log('| deliveries a week | 20 subscribers | 5,000 subscribers |');
console.log('|---:|---:|---:|');
for (const deliveries of [10, 1_000, 20_000]) {
  const cells = [20, 5_000].map((subscribers) => `$${costOfMonth(deliveries, subscribers, measured).toFixed(2)}`);
  console.log(`| ${deliveries.toLocaleString('en')} | ${cells.join(' | ')} |`);
}
const of = (cost: number): string => `$${cost.toFixed(2)}`;
console.log(`\nOf it ${of(standing())} is there without any digest: secrets, key, metrics and alarms.`);

async function measureAll(): Promise<Measured> {
  const input = { deliveries: 200, kind: 'even', latencyMs: deployed.latencyMs, concurrency: deployed.concurrency };
  const collected = await measure(
    'collect',
    input,
    v.object({ ...timed.entries, asked: v.object({ requests: v.number() }) }),
  );
  const few = await measure('send', { subscribers: 10, sendRate: 200, deliveries: 12 }, timed);
  const many = await measure('send', { subscribers: 410, sendRate: 200, deliveries: 12 }, timed);
  const waiting = (collected.asked.requests * deployed.latencyMs) / deployed.concurrency;
  return { overWaiting: collected.ms / waiting, msOfMessage: (many.ms - few.ms) / 400, msOfRun: few.ms + 1_000 };
}

/** One weekly report whose deliveries are all new in their week, of two in five as many broadcasts. */
function costOfMonth(deliveries: number, subscribers: number, { overWaiting, msOfMessage, msOfRun }: Measured): number {
  const requests = 1 + deliveries * (1 + 0.4 + deployed.contents);
  const collectMs = ((requests * deployed.latencyMs) / deployed.concurrency) * overWaiting + 500;
  const invocations = 4 + requests / 1_000 + subscribers * 2 + 10;
  // A message is planned, claimed and marked as sent, and two events of SES are recorded; a feedback function runs for each event.
  const gigabyteMs =
    collectMs * gigabytesOf('collect') +
    (msOfRun + subscribers * msOfMessage) * gigabytesOf('run') +
    subscribers * 2 * msOfEvent * gigabytesOf('feedback');
  const writes = subscribers * 5 + requests * 0.2 + deliveries + 50;
  const reads = subscribers * 4 + requests * 0.2 + deliveries * 2 + 100;
  const operations = 20 + requests / 1_000 + subscribers / 1_000;
  const logGb = (subscribers * 2 + invocations) * 500e-9;
  const ofWeek =
    (gigabyteMs / 1000) * prices.lambda.gigabyteSecond +
    invocations * prices.lambda.request +
    operations * prices.durable.operation +
    writes * prices.dynamoDb.writeUnit +
    reads * prices.dynamoDb.readUnit +
    subscribers * (prices.ses.message + 2 * prices.eventBridge.event) +
    prices.scheduler.invocation +
    10 * prices.secretsManager.call +
    logGb * prices.cloudWatch.gigabyteOfLogs;
  return ofWeek * weeksOfMonth + standing();
}

/** The memory that a function is deployed with: that is billed, however much of it is used. */
function gigabytesOf(name: FunctionName): number {
  return functionSettings[name].memoryMb / 1024;
}

function standing(): number {
  return (
    deployed.secrets * prices.secretsManager.secretMonth +
    prices.kms.keyMonth +
    deployed.metrics * prices.cloudWatch.metricMonth +
    deployed.alarms * prices.cloudWatch.alarmMonth
  );
}
