import { Metrics } from '@aws-lambda-powertools/metrics';
import { beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { countRequests } from '../../functions/collect/request-metrics.ts';
import type { Run } from '../../functions/ledger/runs/runs.ts';
import { emptyCoverage } from '../../functions/reporting-service/coverage.ts';
import { countOutcome } from '../../functions/run/receipt/run-metrics.ts';
import { balanceOf, type Outcome } from '../../functions/run/receipt/receipt.ts';
import { alarmSchema, metricsOfAlarm, type Alarm } from '../support/alarm-metrics.ts';
import { captureMetrics, type EmittedMetric } from '../support/emitted-metrics.ts';
import { configurationWith, templateOf } from '../support/template.ts';

const namespace = 'BroadcastDigest';

let alarms: Map<string, Alarm>;
let names: { functions: string[]; queues: string[] };

beforeAll(() => {
  const template = templateOf(configurationWith());
  const found = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    v.parse(alarmSchema, Properties),
  );
  alarms = new Map(found.map((alarm) => [alarm.AlarmName.slice(namespace.length + 1), alarm]));
  names = {
    functions: Object.keys(template.findResources('AWS::Lambda::Function')),
    queues: Object.keys(template.findResources('AWS::SQS::Queue')),
  };
});

const metricsFor = (serviceName: string): Metrics => new Metrics({ namespace, serviceName });

const run: Run = {
  run: 'weekly_2026-11-09',
  report: 'weekly',
  period: { kind: 'week', start: '', end: '', timeZone: 'Europe/London', startDate: '2026-11-09' },
  state: 'done',
  scheduledTime: '2026-11-16T08:00:00Z',
  plannedAt: '2026-11-16T08:00:01Z',
  intended: 2,
  sentNow: 1,
};

function countRun(
  outcomes: Outcome[],
  { state = 'done', incomplete = false }: { state?: Run['state']; incomplete?: boolean } = {},
): Promise<EmittedMetric[]> {
  const balance = balanceOf(
    { ...run, state },
    outcomes.map((outcome) => ({ outcome })),
  );
  return captureMetrics(() => countOutcome(metricsFor('run'), { balance, state, incomplete }));
}

function countService(statuses: Record<string, number>): Promise<EmittedMetric[]> {
  const coverage = { ...emptyCoverage(), requests: { deliveries: statuses } };
  return captureMetrics(() => countRequests(metricsFor('collect'), coverage));
}

/** Each alarm of our own counts: what causes it, and what does not. */
const causes: Record<string, { cause: () => Promise<EmittedMetric[]>; fine: () => Promise<EmittedMetric[]> }> = {
  'run-incomplete': {
    cause: () => countRun(['sent', 'sent'], { incomplete: true }),
    fine: () => countRun(['sent', 'sent']),
  },
  'run-held': {
    cause: () => countRun(['held', 'held'], { state: 'held' }),
    fine: () => countRun(['sent', 'sent']),
  },
  'receipt-unbalanced': { cause: () => countRun(['sent']), fine: () => countRun(['sent', 'suppressed']) },
  'sends-unknown': { cause: () => countRun(['sent', 'unknown']), fine: () => countRun(['sent', 'sent']) },
  'sends-failed': { cause: () => countRun(['sent', 'failed']), fine: () => countRun(['sent', 'unsubscribed']) },
  'sends-left': {
    cause: () => countRun(['sent', 'planned'], { state: 'sending' }),
    fine: () => countRun(['planned', 'planned'], { state: 'kept' }),
  },
};

/** What AWS emits of its own, by the alarm that looks at it. */
const ofAws: Record<string, { namespace: string; names: string[]; dimensions: string[] }> = {
  'watch-silent': { namespace: 'AWS/Lambda', names: ['Invocations'], dimensions: ['FunctionName'] },
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
  'run-failed': {
    namespace: 'AWS/Lambda',
    names: ['DurableExecutionFailed', 'DurableExecutionTimedOut', 'DurableExecutionStopped'],
    dimensions: ['FunctionName'],
  },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'dead-letters': { namespace: 'AWS/SQS', names: ['ApproximateNumberOfMessagesVisible'], dimensions: ['QueueName'] },
  // https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
  'bounce-rate': { namespace: 'AWS/SES', names: ['Reputation.BounceRate'], dimensions: [] },
  'complaint-rate': { namespace: 'AWS/SES', names: ['Reputation.ComplaintRate'], dimensions: [] },
};
// https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
for (const name of ['run', 'collect', 'feedback', 'watch', 'unsubscribe']) {
  ofAws[`${name}-errors`] = { namespace: 'AWS/Lambda', names: ['Errors'], dimensions: ['FunctionName'] };
  ofAws[`${name}-throttles`] = { namespace: 'AWS/Lambda', names: ['Throttles'], dimensions: ['FunctionName'] };
}

function alarmNamed(name: string): Alarm {
  const alarm = alarms.get(name);
  if (alarm === undefined) throw new RangeError(`There is no alarm "${name}".`);
  return alarm;
}

/** The value that an alarm's one metric has among emitted ones; nothing where no emitted metric is the one it looks at. */
function valueFor(alarm: Alarm, emitted: readonly EmittedMetric[]): number | undefined {
  const [looked] = metricsOfAlarm(alarm);
  return emitted.find(
    ({ namespace: space, name, dimensions }) =>
      space === looked?.namespace &&
      name === looked.name &&
      JSON.stringify(dimensions) === JSON.stringify(looked.dimensions),
  )?.value;
}

describe('every alarm', () => {
  it('is provoked in this file, or known to look at what AWS emits', () => {
    const known = [...Object.keys(causes), ...Object.keys(ofAws), 'service-refusing'];
    expect([...alarms.keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(
      known.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('says what it means and which command helps first, and notifies the topic', () => {
    for (const { AlarmDescription, AlarmActions } of alarms.values()) {
      expect(JSON.stringify(AlarmDescription)).toMatch(/^.{40,} First: .{10,}$/);
      expect(JSON.stringify(AlarmDescription).length).toBeLessThan(1024);
      expect(AlarmActions).toEqual([{ Ref: expect.stringContaining('AlarmTopic') }]);
    }
  });
});

describe('an alarm of our own counts', () => {
  it.each(Object.keys(causes))('"%s" is raised by its cause alone', async (name) => {
    const alarm = alarmNamed(name);
    const { cause, fine } = causes[name] ?? {};
    expect(alarm.ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
    expect(valueFor(alarm, (await cause?.()) ?? [])).toBeGreaterThanOrEqual(alarm.Threshold);
    expect(valueFor(alarm, (await fine?.()) ?? [])).toBeLessThan(alarm.Threshold);
  });

  it('"watch-silent" is raised where the watch is not invoked for three hours', () => {
    expect(alarmNamed('watch-silent')).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      EvaluationPeriods: 3,
      DatapointsToAlarm: 3,
    });
  });

  it('"service-refusing" is raised where a tenth of the requests is answered with 429 or 5xx', async () => {
    const alarm = alarmNamed('service-refusing');
    const emitted = await countService({ 200: 88, 404: 2, 429: 4, 502: 3, 503: 3 });
    const values = Object.fromEntries(
      metricsOfAlarm(alarm).map(({ name, namespace: space, dimensions }) => [
        name,
        emitted.find(
          (one) => one.name === name && one.namespace === space && one.dimensions['service'] === dimensions['service'],
        )?.value,
      ]),
    );
    expect(values).toEqual({ ServiceRequests: 100, ServiceThrottled: 4, ServiceErrors: 6 });
    expect(alarm.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression).toBe(
      'IF(requests >= 20, (FILL(throttled, 0) + FILL(errors, 0)) / requests, 0)',
    );
    expect(alarm.Threshold).toBe(0.1);
  });
});

describe('an alarm of what AWS emits', () => {
  it.each(Object.keys(ofAws))('"%s" looks at documented metrics of a resource of this stack', (name) => {
    const looked = metricsOfAlarm(alarmNamed(name));
    const { namespace: space, names: metricNames, dimensions = [] } = ofAws[name] ?? {};
    expect(looked.map((one) => ({ ...one, dimensions: Object.keys(one.dimensions) }))).toEqual(
      metricNames?.map((metricName) => ({ namespace: space, name: metricName, dimensions })),
    );
    for (const { dimensions: values } of looked) {
      const { FunctionName, QueueName } = values as Record<string, { Ref?: string; 'Fn::GetAtt'?: string[] }>;
      if (FunctionName !== undefined) expect(names.functions).toContain(FunctionName.Ref);
      if (FunctionName !== undefined)
        expect(FunctionName.Ref?.toLowerCase()).toMatch(new RegExp(`^${name.slice(0, 3)}`));
      if (QueueName !== undefined) expect(names.queues).toContain(QueueName['Fn::GetAtt']?.[0]);
    }
  });
});
