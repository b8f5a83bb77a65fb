import { beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { alarmSchema, mailsOf, metricsOfAlarm, sumInPeriod, type Alarm, type Datum } from '../support/alarms.ts';
import { sampleTemplate } from '../support/template.ts';

const stackName = 'BroadcastDigest';

let alarms: Map<string, Alarm>;
let names: { functions: string[]; queues: string[] };

beforeAll(() => {
  const template = sampleTemplate();
  const found = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    v.parse(alarmSchema, Properties),
  );
  alarms = new Map(found.map((alarm) => [alarm.AlarmName.slice(stackName.length + 1), alarm]));
  names = {
    functions: Object.keys(template.findResources('AWS::Lambda::Function')),
    queues: Object.keys(template.findResources('AWS::SQS::Queue')),
  };
});

function alarmNamed(name: string): Alarm {
  const alarm = alarms.get(name);
  if (alarm === undefined) throw new RangeError(`There is no alarm "${name}".`);
  return alarm;
}

/** What each alarm looks at, by AWS's documents. */
const looksAt: Record<string, { namespace: string; names: string[]; dimensions: string[] }> = {
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
  'run-failed': {
    namespace: 'AWS/Lambda',
    names: ['DurableExecutionFailed', 'DurableExecutionTimedOut', 'DurableExecutionStopped'],
    dimensions: ['FunctionName'],
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'function-errors': {
    namespace: 'AWS/Lambda',
    names: ['Errors', 'Errors', 'Errors', 'Errors', 'Errors', 'Errors'],
    dimensions: ['FunctionName'],
  },
  'run-throttled': { namespace: 'AWS/Lambda', names: ['Throttles'], dimensions: ['FunctionName'] },
  'watch-silent': { namespace: 'AWS/Lambda', names: ['Invocations'], dimensions: ['FunctionName'] },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'dead-letters': { namespace: 'AWS/SQS', names: ['ApproximateNumberOfMessagesVisible'], dimensions: ['QueueName'] },
  // https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
  'bounce-rate': { namespace: 'AWS/SES', names: ['Reputation.BounceRate'], dimensions: [] },
  'complaint-rate': { namespace: 'AWS/SES', names: ['Reputation.ComplaintRate'], dimensions: [] },
};

const byText = (a: string, b: string): number => a.localeCompare(b);

describe('the alarms', () => {
  it('are those of what the functions cannot say themselves: at most 8, which read at most 15 metrics', () => {
    expect([...alarms.keys()].toSorted(byText)).toEqual(Object.keys(looksAt).toSorted(byText));
    expect(alarms.size).toBeLessThanOrEqual(8);
    expect([...alarms.values()].flatMap(metricsOfAlarm).length).toBeLessThanOrEqual(15);
  });

  it('read no metric of our own, which would be billed by the hours in which it is published', () => {
    const spaces = [...alarms.values()].flatMap(metricsOfAlarm).map(({ namespace }) => namespace);
    expect([...new Set(spaces)].toSorted()).toEqual(['AWS/Lambda', 'AWS/SES', 'AWS/SQS']);
  });

  it('say what they mean and which command helps first, and notify the topic', () => {
    for (const { AlarmDescription, AlarmActions } of alarms.values()) {
      expect(JSON.stringify(AlarmDescription)).toMatch(/.{40,} First: .{10,}/);
      expect(JSON.stringify(AlarmDescription).length).toBeLessThan(1024);
      expect(AlarmActions).toEqual([{ Ref: expect.stringContaining('AlarmTopic') }]);
    }
  });

  it.each(Object.keys(looksAt))('"%s" looks at documented metrics of resources of this stack', (name) => {
    const looked = metricsOfAlarm(alarmNamed(name));
    const { namespace, names: metricNames, dimensions = [] } = looksAt[name] ?? {};
    expect(looked.map((one) => [one.namespace, one.name, Object.keys(one.dimensions)])).toEqual(
      metricNames?.map((metricName) => [namespace, metricName, dimensions]),
    );
    for (const { dimensions: values, id } of looked) {
      const { FunctionName, QueueName } = values as Record<string, { Ref?: string; 'Fn::GetAtt'?: string[] }>;
      if (QueueName !== undefined) expect(names.queues).toContain(QueueName['Fn::GetAtt']?.[0]);
      if (FunctionName === undefined) continue;
      expect(names.functions).toContain(FunctionName.Ref);
      const owner = name === 'function-errors' ? (id ?? '') : name.slice(0, 3);
      expect(FunctionName.Ref?.toLowerCase()).toMatch(new RegExp(`^${owner}`));
    }
  });
});

/** The periods of an alarm, from its creation on, and what it mails. `null`: AWS emits nothing in the period. */
const histories: Array<{ name: string; what: string; periods: Datum[]; mails: string[] }> = [
  { name: 'run-throttled', what: 'Lambda has no room once', periods: [null, 1, null, null, null, null], mails: [] },
  {
    name: 'run-throttled',
    what: 'Lambda has no room',
    periods: [null, 3, 2, null, null, null, null],
    mails: ['ALARM'],
  },
  { name: 'dead-letters', what: 'nothing was ever given up', periods: [null, null, 0], mails: ['OK'] },
  {
    name: 'dead-letters',
    what: 'something lies in the queue, of which SQS then says nothing for a day, until it is deleted',
    periods: [null, 1, 1, ...Array.from<null>({ length: 288 }).fill(null), 0],
    mails: ['ALARM', 'OK'],
  },
  {
    name: 'bounce-rate',
    what: 'the rate stays at 4 %',
    periods: [null, 0.04, null, null, null, null],
    mails: ['ALARM'],
  },
  { name: 'bounce-rate', what: 'the rate falls again', periods: [0.05, null, null, 0.03], mails: ['ALARM', 'OK'] },
  {
    name: 'complaint-rate',
    what: 'the rate stays at 0.1 %',
    periods: [null, 0.001, null, null, null],
    mails: ['ALARM'],
  },
  { name: 'complaint-rate', what: 'few complain', periods: [null, 0.0005, null], mails: ['OK'] },
  {
    name: 'watch-silent',
    what: 'the stack is new, and the watch has yet to begin',
    periods: [null, null, null],
    mails: [],
  },
  {
    name: 'watch-silent',
    what: 'the watch looks every quarter of an hour',
    periods: [null, 1, 1, 1, 1, 1, 1],
    mails: [],
  },
  { name: 'watch-silent', what: 'a single look is left out', periods: [1, 1, 1, null, 1, 1, 1], mails: [] },
  {
    name: 'watch-silent',
    what: 'the watch looks no more, for a day',
    periods: [null, 1, 1, 1, 1, ...Array.from<null>({ length: 96 }).fill(null)],
    mails: ['INSUFFICIENT_DATA'],
  },
];

describe('an alarm mails what has changed, and nothing else', () => {
  it.each(histories)('"$name", when $what: $mails', ({ name, periods, mails }) => {
    expect(mailsOf(alarmNamed(name), periods)).toEqual(mails);
  });

  it.each(['failed', 'timedOut', 'stopped'])(
    '"run-failed", when an execution %s, once and not when it is over',
    (how) => {
      const alarm = alarmNamed('run-failed');
      const sums = [{}, { [how]: 1 }, {}, {}, {}, {}].map((values) => sumInPeriod(alarm, values));
      expect(mailsOf(alarm, sums)).toEqual(['ALARM']);
    },
  );

  it.each(['run', 'collect', 'feedback', 'watch', 'unsubscribe', 'page'])(
    '"function-errors", when "%s" crashes again, and not when it crashes once',
    (name) => {
      const alarm = alarmNamed('function-errors');
      const once = [{}, { [name]: 1, run: name === 'run' ? 1 : 0 }, {}, {}, {}];
      expect(
        mailsOf(
          alarm,
          once.map((values) => sumInPeriod(alarm, values)),
        ),
      ).toEqual([]);
      const again = [{}, { [name]: 2 }, { [name]: 3 }, {}, {}, {}];
      expect(
        mailsOf(
          alarm,
          again.map((values) => sumInPeriod(alarm, values)),
        ),
      ).toEqual(['ALARM']);
    },
  );
});
