// Prints the tables in `infra/ops/README.md` of what a month costs, from the deployed template, what is measured here and now, and the
// prices in `prices.ts`.
import * as v from 'valibot';
import type { FunctionName } from '../../infra/build/bundles.ts';
import { functionSettings } from '../../infra/function-settings.ts';
import { configurationWith, templateOf } from '../support/template.ts';
import { measure } from './measurement.ts';
import { pageTable } from './page-cost.ts';
import { costOf, together, type Usage } from './prices.ts';
import { dollars, standingParts, standingTable, usageOfWatch } from './standing-cost.ts';

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
const assumed = { concurrency: 8, latencyMs: 50, contents: 5 };
/** A feedback function's time for an event, most of it waiting for the ledger. */
const msOfEvent = 15;
const weeksOfMonth = 52 / 12;
/** How long the ledger keeps a message's row, by default, and how large it is. */
const monthsKept = 26;
const bytesOfRow = 400;

const timed = v.object({ ms: v.number() });

const [weekly] = configurationWith().reports;
const standing = standingParts(templateOf(configurationWith({ reports: [weekly] })));
console.log(`${standingTable(standing)}\n`);
const measured = await measureAll();
console.log('| deliveries a week | 20 subscribers | 5,000 subscribers |');
console.log('|---:|---:|---:|');
for (const deliveries of [10, 1_000, 20_000]) {
  const cells = [20, 5_000].map((subscribers) => {
    const { full, beyondFree } = costOf(usageOfMonth(deliveries, subscribers, measured));
    return `${dollars(full)}, ${dollars(beyondFree)}`;
  });
  console.log(`| ${deliveries.toLocaleString('en')} | ${cells.join(' | ')} |`);
}
console.log(`\n${pageTable()}`);

async function measureAll(): Promise<Measured> {
  const input = { deliveries: 200, kind: 'even', latencyMs: assumed.latencyMs, concurrency: assumed.concurrency };
  const collected = await measure(
    'collect',
    input,
    v.object({ ...timed.entries, asked: v.object({ requests: v.number() }) }),
  );
  const few = await measure('send', { subscribers: 10, sendRate: 200, deliveries: 12 }, timed);
  const many = await measure('send', { subscribers: 410, sendRate: 200, deliveries: 12 }, timed);
  const waiting = (collected.asked.requests * assumed.latencyMs) / assumed.concurrency;
  return { overWaiting: collected.ms / waiting, msOfMessage: (many.ms - few.ms) / 400, msOfRun: few.ms + 1_000 };
}

/** What a month uses with one weekly report whose deliveries are all new in their week, of two in five as many broadcasts. */
function usageOfMonth(deliveries: number, subscribers: number, times: Measured): Usage {
  const ofWeek = usageOfWeek(deliveries, subscribers, times);
  const ofRuns = Object.fromEntries(Object.entries(ofWeek).map(([unit, used]) => [unit, used * weeksOfMonth]));
  const gigabytes = (subscribers * weeksOfMonth * monthsKept * bytesOfRow) / 1e9;
  const kept = { gigabyteStored: gigabytes, gigabyteOfBackup: gigabytes };
  const rest = standing.filter(({ what }) => what !== 'looks of the watch').map(({ usage }) => usage);
  return together(...rest, usageOfWatch(subscribers), ofRuns, kept);
}

function usageOfWeek(deliveries: number, subscribers: number, { overWaiting, msOfMessage, msOfRun }: Measured): Usage {
  const requests = 1 + deliveries * (1 + 0.4 + assumed.contents);
  const collectMs = ((requests * assumed.latencyMs) / assumed.concurrency) * overWaiting + 500;
  // A message is planned, claimed and marked as sent, and two events of SES are recorded; a feedback function runs for each event.
  const invocations = 4 + requests / 1_000 + subscribers * 2 + 10;
  const gigabyteMs =
    collectMs * gigabytesOf('collect') +
    (msOfRun + subscribers * msOfMessage) * gigabytesOf('run') +
    subscribers * 2 * msOfEvent * gigabytesOf('feedback');
  return {
    gigabyteSecond: gigabyteMs / 1000,
    invocation: invocations,
    durableOperation: 20 + requests / 1_000 + subscribers / 1_000,
    writeUnit: subscribers * 5 + requests * 0.2 + deliveries + 50,
    readUnit: subscribers * 4 + requests * 0.2 + deliveries * 2 + 100,
    message: subscribers,
    scheduledInvocation: 1,
    secretCall: 10,
    gigabyteOfLogs: (subscribers * 2 + invocations) * 500e-9,
  };
}

/** The memory that a function is deployed with: that is billed, however much of it is used. */
function gigabytesOf(name: FunctionName): number {
  return functionSettings[name].memoryMb / 1024;
}
