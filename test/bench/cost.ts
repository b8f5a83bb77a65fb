// Prints the table in `infra/docs/operating.md` of what a month costs before anybody is mailed, from the deployed template and
// the prices in `prices.ts`, and what SES's plan Essentials adds.
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { functionSettings } from '../../infra/build/bundles.ts';
import { alarmSchema, metricsOfAlarm } from '../support/aws/alarms.ts';
import { configurationWith } from '../support/configuration.ts';
import { templateOf } from '../support/aws/template.ts';
import { costOf, together, type Usage } from './prices.ts';

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
  const custom = alarmMetrics.filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
  const enabled = { Properties: { ReputationOptions: { ReputationMetricsEnabled: true } } };
  // SES publishes the rates of a configuration set's bounces and complaints, billed as custom metrics.
  const rates = Object.keys(template.findResources('AWS::SES::ConfigurationSet', enabled));
  const published = new Set(custom.map((metric) => JSON.stringify(metric))).size + 2 * rates.length;
  return [
    { what: 'secrets', amount: secrets, usage: { secretMonth: secrets } },
    {
      what: 'metrics that alarms read',
      amount: alarmMetrics.length,
      usage: { alarmMetricMonth: alarmMetrics.length },
    },
    { what: 'metrics that are published every hour', amount: published, usage: { metricMonth: published } },
    { what: 'customer keys, rotations included', amount: keyMonths, usage: { keyMonth: keyMonths } },
    { what: 'looks of the watch', amount: looksOfMonth, usage: usageOfWatch() },
  ];
}

/** What the watch uses in a month in which nothing ran. */
function usageOfWatch(): Usage {
  const { memoryMb } = functionSettings.watch;
  return {
    gigabyteSecond: (looksOfMonth * secondsOfLook * memoryMb) / 1024,
    invocation: looksOfMonth,
    scheduledInvocation: looksOfMonth,
    readUnit: looksOfMonth * 10,
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

/** What SES's plan Essentials takes more in a month for one weekly report to 5,000 subscribers. */
export const moreOnEssentials = (): string => {
  const mails = (5_000 * hoursOfMonth) / (7 * 24);
  return dollars(costOf({ mailOnEssentials: mails }).full - costOf({ mail: mails }).full);
};

function row(what: string, amount: string, usage: Usage): string {
  const { full, beyondFree } = costOf(usage);
  return `| ${what} | ${amount} | ${dollars(full)} | ${dollars(beyondFree)} |`;
}

/** An amount of dollars and cents. */
function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

if (import.meta.main) {
  const [weekly] = configurationWith().reports;
  console.log(standingTable(standingParts(templateOf(configurationWith({ reports: [weekly] })))));
  console.log(`\nOn SES's plan Essentials, with 5,000 subscribers: ${moreOnEssentials()} more`);
}
