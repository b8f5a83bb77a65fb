// Prints the tables in `infra/docs/operating.md` of what mails, runs and months cost, from the deployed template, mails as they
// are sent, what is measured here and now, and the prices in `prices.ts`.
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { createRenderer } from '../../functions/render/render.ts';
import { createMimeComposer } from '../../functions/run/send/mime.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import type { FunctionName } from '../../infra/build/bundles.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { functionSettings } from '../../infra/function-settings.ts';
import { alarmSchema, metricsOfAlarm } from '../support/alarms.ts';
import { content, delivery, digest, input } from '../support/digests/pieces.ts';
import { configurationWith, templateOf } from '../support/template.ts';
import { measure } from './measurement.ts';
import { costOf, times, together, type Usage } from './prices.ts';

const hoursOfMonth = 730;
/** The watch looks every quarter of an hour, for about a second where it starts afresh. */
const looksOfMonth = 4 * hoursOfMonth;
const secondsOfLook = 1;

/** A part of what a stack costs without sending anything. */
interface StandingPart {
  what: string;
  amount: number;
  usage: Usage;
}

const key = v.object({ EnableKeyRotation: v.optional(v.boolean(), false) });

/** What a stack uses in a month in which nobody is mailed, part by part, as its template says. */
export function standingParts(template: Template): StandingPart[] {
  const propertiesOf = (type: string): unknown[] =>
    Object.values(template.findResources(type)).map(({ Properties = {} }): unknown => Properties);
  const secrets = propertiesOf('AWS::SecretsManager::Secret').length;
  const alarms = propertiesOf('AWS::CloudWatch::Alarm').map((properties) => v.parse(alarmSchema, properties));
  const alarmMetrics = alarms.flatMap(metricsOfAlarm);
  // After two years each key that rotates costs three times as much, and no more after that.
  const keyMonths = propertiesOf('AWS::KMS::Key')
    .map((properties) => (v.parse(key, properties).EnableKeyRotation ? 3 : 1))
    .reduce((sum, months) => sum + months, 0);
  const published = new Set(
    alarmMetrics.filter(({ Namespace }) => !Namespace.startsWith('AWS/')).map((metric) => JSON.stringify(metric)),
  ).size;
  return [
    { what: 'secrets', amount: secrets, usage: { secretMonth: secrets } },
    {
      what: 'metrics that alarms read',
      amount: alarmMetrics.length,
      usage: { alarmMetricMonth: alarmMetrics.length },
    },
    { what: 'metrics that are published every hour', amount: published, usage: { metricMonth: published } },
    { what: 'customer keys, rotations included', amount: keyMonths, usage: { keyMonth: keyMonths } },
    { what: 'looks of the watch', amount: looksOfMonth, usage: usageOfWatch(0) },
  ];
}

/** What the watch uses in a month: it reads the rows of last week's runs, of some 400 bytes, at every look. */
function usageOfWatch(rows: number): Usage {
  const { memoryMb } = functionSettings.watch;
  return {
    gigabyteSecond: (looksOfMonth * secondsOfLook * memoryMb) / 1024,
    invocation: looksOfMonth,
    scheduledInvocation: looksOfMonth,
    readUnit: looksOfMonth * (10 + (rows * 400) / 4096),
    writeUnit: looksOfMonth,
    gigabyteOfLogs: looksOfMonth * 1_000e-9,
  };
}

/** The parts as a table in Markdown, and their sum. */
export function standingTable(parts: readonly StandingPart[]): string {
  return [
    '| a month, before anybody is mailed | | without the free tier | with it |',
    '|---|---:|---:|---:|',
    ...parts.map(({ what, amount, usage }) => row(what, amount.toLocaleString('en'), usage)),
    row('together', '', together(...parts.map(({ usage }) => usage))),
  ].join('\n');
}

function row(what: string, amount: string, usage: Usage): string {
  const { full, beyondFree } = costOf(usage);
  return `| ${what} | ${amount} | ${dollars(full)} | ${dollars(beyondFree)} |`;
}

/** An amount of dollars and cents. */
function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** The time of a function for one page, from the request to the response, most of it for reading the digest and rendering it. */
const msOfPage = 250;
/** A digest of 400 deliveries, the runs of eight periods, and the revocations. */
const readUnitsOfPage = 40;
/** A link that is forged, or anything else that is not believed, costs about as long as decrypting it takes. */
const msOfNonsense = 5;

/** What is counted, how often in a month, and what each takes. */
const opened = [
  ['pages opened', 1_000, { ms: msOfPage, readUnits: readUnitsOfPage }],
  ['pages opened', 100_000, { ms: msOfPage, readUnits: readUnitsOfPage }],
  ['requests of nonsense', 1_000_000, { ms: msOfNonsense, readUnits: 0 }],
] as const;

/** What the pages behind mails cost in a month, as a table in Markdown. Traffic out of AWS is not in it. */
export function pageTable(): string {
  const rows = opened.map(([what, count, { ms, readUnits }]) =>
    row(what, count.toLocaleString('en'), {
      gigabyteSecond: (count * ms * functionSettings.page.memoryMb) / 1024 / 1000,
      invocation: count,
      readUnit: count * readUnits,
      httpRequest: count,
      // The function's own, and a line of the access log.
      gigabyteOfLogs: count * (600e-9 + 150e-9),
    }),
  );
  return ['| a month | | without the free tier | with it |', '|---|---:|---:|---:|', ...rows].join('\n');
}

/** A week's digest with so many rows: deliveries, each with four content items. A row is either. */
function digestOfRows(rows: number): Digest {
  const types = ['text', 'rating', 'poll', 'video'];
  const ratings = { count: 64, mean: 4.19, histogram: { '1': 2, '2': 3, '3': 8, '4': 19, '5': 32 } };
  return digest({
    otherStatuses: { scheduled: 2 },
    deliveries: Array.from({ length: rows / (types.length + 1) }, (_, index) =>
      delivery({
        id: String(index),
        kind: index % 2 === 0 ? 'new' : 'active',
        stillCounting: index % 5 === 0,
        broadcast: {
          id: String(100_000 + index),
          name: `Pool & gym: what changes at site ${index}`,
          createdAt: '2026-11-09T09:30:00+00:00',
          createdBy: 'Zoë Müller-Lang',
        },
        seen: 200 + index,
        responded: 50 + index,
        contents: types.map((type, place) =>
          content({
            id: String(index * types.length + place),
            type,
            listed: 400 + index,
            seen: 200 + index + place,
            responded: 50 + index + place,
            ...(type === 'rating' ? { ratings } : {}),
          }),
        ),
      }),
    ),
  });
}

const subscriber = {
  to: 'ada@example.com',
  unsubscribeLink: `https://unsubscribe.example.com/?token=${'a'.repeat(300)}`,
};

/** What a mail uses without files, and with both: by the bytes of the whole message, as SES gets it. */
async function usagesOfMail(deliveries: number): Promise<Usage[]> {
  const render = createRenderer(await loadTemplates('templates'));
  // Each delivery has four content items.
  const { mail, ...sample } = input(digestOfRows(deliveries * 5), { canUnsubscribe: true });
  const settings = { mail: { ...mail, from: 'digest@example.com' }, report: { name: 'weekly', title: 'Weekly' } };
  const composed = [false, true].map((csvAttachment) =>
    createMimeComposer(render({ ...sample, mail: { ...mail, csvAttachment } }), settings),
  );
  const bytes = (await Promise.all(composed)).map((compose) => compose(subscriber).length);
  const [plain = 0] = bytes;
  return bytes.map((whole) => ({
    message: 1,
    gigabyteAttached: (whole - plain) / 1e9,
    gigabyteTransferred: whole / 1e9,
  }));
}

/** What a thousand mails cost, without files and with both: "$0.10, $0.11". */
export async function thousandMails(deliveries: number): Promise<string> {
  return pairOf((await usagesOfMail(deliveries)).map((mail) => times(mail, 1_000)));
}

/** What each costs: without files, and with both. */
const pairOf = (usages: readonly Usage[]): string => usages.map((usage) => dollars(costOf(usage).full)).join(', ');

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

async function measureAll(): Promise<Measured> {
  const input = { deliveries: 200, latencyMs: assumed.latencyMs, concurrency: assumed.concurrency };
  const timed = v.object({ ms: v.number() });
  const asked = v.object({ requests: v.number() });
  const collected = await measure('collecting', input, v.object({ ...timed.entries, asked }));
  const few = await measure('sending', { subscribers: 10, sendRate: 200, deliveries: 12 }, timed);
  const many = await measure('sending', { subscribers: 410, sendRate: 200, deliveries: 12 }, timed);
  const waiting = (collected.asked.requests * assumed.latencyMs) / assumed.concurrency;
  return { overWaiting: collected.ms / waiting, msOfMessage: (many.ms - few.ms) / 400, msOfRun: few.ms + 1_000 };
}

/** What a month uses with the weekly runs of one report. */
function usageOfMonth(ofRun: Usage, subscribers: number, standing: readonly StandingPart[]): Usage {
  const gigabytes = (subscribers * weeksOfMonth * monthsKept * bytesOfRow) / 1e9;
  const kept = { gigabyteStored: gigabytes, gigabyteOfBackup: gigabytes };
  const rest = standing.filter(({ what }) => what !== 'looks of the watch').map(({ usage }) => usage);
  return together(...rest, usageOfWatch(subscribers), times(ofRun, weeksOfMonth), kept);
}

/** What a run uses whose deliveries are all new, of two in five as many broadcasts, beside the mails themselves. */
function usageOfRun(deliveries: number, subscribers: number, { overWaiting, msOfMessage, msOfRun }: Measured): Usage {
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
    scheduledInvocation: 1,
    secretCall: 10,
    gigabyteOfLogs: (subscribers * 2 + invocations) * 500e-9,
  };
}

/** The memory that a function is deployed with: that is billed, however much of it is used. */
function gigabytesOf(name: FunctionName): number {
  return functionSettings[name].memoryMb / 1024;
}

if (import.meta.main) {
  const [weekly] = configurationWith().reports;
  const standing = standingParts(templateOf(configurationWith({ reports: [weekly] })));
  console.log(`${standingTable(standing)}\n`);
  const measured = await measureAll();
  console.log('| deliveries a week | subscribers | 1,000 mails | a run | a month |\n|---:|---:|---:|---:|---:|');
  for (const deliveries of [10, 1_000, 20_000]) {
    const subscribers = deliveries === 10 ? 20 : 5_000;
    const ofRun = usageOfRun(deliveries, subscribers, measured);
    const runs = (await usagesOfMail(deliveries)).map((mail) => together(ofRun, times(mail, subscribers)));
    const months = runs.map((run) => usageOfMonth(run, subscribers, standing));

    const amounts = [deliveries, subscribers].map((amount) => amount.toLocaleString('en'));
    console.log(`| ${[...amounts, await thousandMails(deliveries), pairOf(runs), pairOf(months)].join(' | ')} |`);
  }
  console.log(`\n${pageTable()}`);
}
