import { Match } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { Temporal } from 'temporal-polyfill';
import { openMatters, runMatters, type Matter } from '../../functions/watch/matters.ts';
import { beginText } from '../../functions/watch/notice-text.ts';
import { runOf, runsWith } from '../functions/watch/inspected-samples.ts';
import { sampleTemplate } from '../support/aws/template.ts';
import { anchorOf, headingsOf, pages } from '../support/pages.ts';

const resources = sampleTemplate().findResources('AWS::CloudWatch::Alarm');
const alarms = Object.values(resources).map(({ Properties }) => Properties);

/** A metric that an alarm looks at: alone, or in an expression. */
interface MetricStat {
  Metric: { MetricName: string; Dimensions?: Array<{ Value: unknown }> };
  Period: number;
}

const atLeast = 'GreaterThanOrEqualToThreshold';
const failed = 'DurableExecutionFailed DurableExecutionTimedOut DurableExecutionStopped';
const functions = ['Run', 'Collect', 'Feedback', 'Watch', 'Unsubscribe', 'Page'];

/**
 * What each alarm looks at, by AWS's documents, and when it notifies the topic. A count of what happened falls by itself, and
 * says nothing then ("notBreaching"). A state lasts while there is no data ("ignore"). A new alarm
 * is in INSUFFICIENT_DATA, and only a change has an action: so a first deployment hears nothing of a watch that has yet to
 * begin, and of one that has stopped it does ("missing").
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 * https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
it.each([
  ['run-failed', failed, ['Run', 'Run', 'Run'], [atLeast, 1, '1 of 1'], 300, 'notBreaching', 'ALARM'],
  ['function-errors', 'Errors', functions, [atLeast, 2, '1 of 1'], 3600, 'notBreaching', 'ALARM'],
  ['run-throttled', 'Throttles', ['Run'], [atLeast, 1, '2 of 3'], 300, 'notBreaching', 'ALARM'],
  ['watch-silent', 'Invocations', ['Watch'], ['LessThanThreshold', 1, '4 of 4'], 900, 'missing', 'ALARM NONE'],
  ['links-failing', '5xx', ['PublicFront'], [atLeast, 3, '1 of 1'], 3600, 'notBreaching', 'ALARM'],
  ['links-flooded', 'Count', ['PublicFront'], [atLeast, 15_000, '3 of 3'], 3600, 'notBreaching', 'ALARM'],
  ['dead-letters', 'NumberOfMessagesSent', ['Dead'], [atLeast, 1, '1 of 1'], 3600, 'notBreaching', 'ALARM'],
  ['bounce-rate', 'Reputation.BounceRate', [], [atLeast, 0.04, '1 of 1'], 3600, 'ignore', 'ALARM'],
  ['complaint-rate', 'Reputation.ComplaintRate', [], [atLeast, 0.0008, '1 of 1'], 3600, 'ignore', 'ALARM'],
])('"%s" looks at %s', (name, metricNames, owners, raised, period, noData, notifies) => {
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `BroadcastDigest-${name}`) ?? {};
  const metrics: Array<{ MetricStat?: MetricStat }> = alarm.Metrics ?? [
    { MetricStat: { Metric: alarm, Period: alarm.Period } },
  ];
  const looked = metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  expect([...new Set(looked.map(({ Metric }) => Metric.MetricName))].join(' ')).toBe(metricNames);
  expect(new Set(looked.map(({ Period }) => Period))).toEqual(new Set([period]));
  const values = looked.flatMap(({ Metric: { Dimensions = [] } }) =>
    Dimensions.map(({ Value }) => JSON.stringify(Value)),
  );
  expect(values).toEqual(
    owners.map((owner) => expect.stringMatching(new RegExp(`^{"(?:Ref|Fn::GetAtt)":\\[?"${owner}`))),
  );
  const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  expect([ComparisonOperator, Threshold, `${DatapointsToAlarm} of ${EvaluationPeriods}`]).toEqual(raised);
  const actions = { ALARM: alarm.AlarmActions, OK: alarm.OKActions, NONE: alarm.InsufficientDataActions };
  expect([
    alarm.TreatMissingData,
    Object.entries(actions).flatMap(([state, to]) => (to === undefined ? [] : [state])),
  ]).toEqual([noData, notifies.split(' ')]);
});

it('the end of a state is mailed after its alarm was raised, and not after its first evaluation', () => {
  const alarmName = ['bounce-rate', 'complaint-rate'].map((name) => `BroadcastDigest-${name}`);
  const detail = { alarmName, state: { value: ['OK'] }, previousState: { value: ['ALARM'] } };
  const Targets = [Match.objectLike({ Arn: { Ref: Match.stringLikeRegexp('^AlarmTopic') } })];
  sampleTemplate().hasResourceProperties('AWS::Events::Rule', { EventPattern: { detail }, Targets });
});

it('the runbook says of each body that a dead letter may have what to do, and doctor names the function of SES’s events', () => {
  const schedules = Object.values(sampleTemplate().findResources('AWS::Scheduler::Schedule'));
  const inputs = schedules.map(({ Properties }) => String(Properties.Target.Input));
  const bodies = inputs.map((input) => /^\{"\w+":"\w+"|^\{\}$/.exec(input)?.[0].replace(/^\{(?!\})/, '') ?? input);
  const [, section = ''] = (pages.get('infra/docs/runbook.md') ?? '').split('### Alarm dead-letters');
  const rows = section.split('###')[0]?.match(/^\| `.*/gm) ?? [];
  // Lambda leaves the event as it is, with no TARGET_ARN: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
  const rowsOf = (body: string) => rows.filter((row) => row.split('|')[1]?.includes(`\`${body.trimEnd()}`));
  for (const body of [...new Set(bodies), 'aws.ses', '"action"', 'Over: ']) expect(rowsOf(body), body).toHaveLength(1);
  expect(rows.filter((row) => /`\{}`|`Over:/.test(row))).toEqual([expect.stringMatching(/delete/)]);
  expect(section).toContain('--function-name FEEDBACK');
});

const [watched] = runsWith(runOf());
if (watched === undefined) throw new RangeError('There is no run.');
const at = '2026-11-16T04:00:00Z';
const daily = { failures: 3, code: 'service-unavailable', message: 'It does not answer.' };
const alike = { reason: 'refusal', verdict: 'alike', bounce: { status: '5.7.1', at } } as const;
const suppressed = [
  ['bounce', 'bounce'],
  ['soft-bounces', 'refusal'],
] as const;
const look = {
  watched: [],
  left: [watched],
  suppressed: [
    ...suppressed.flatMap((reasons, run) => reasons.map((reason) => ({ run: `run ${run}`, reason, at }))),
    { run: 'run 2', at, ...alike },
  ],
  daily,
};
const matters: Array<Pick<Matter, 'kind' | 'subject' | 'words'>> = [
  ...Object.entries(runMatters).map(([kind, { words }]) => {
    return { kind, subject: watched.run, watched, words: words(watched) };
  }),
  ...openMatters(look, Temporal.Instant.from(at)),
];
const runbook = 'https://git.example.com/digest/runbook.md';

it('every notice and alarm leads to its heading of the runbook, and every heading there has one', () => {
  const [explained = ''] = (pages.get('infra/docs/runbook.md') ?? '').split('## A manager says');
  const notices = matters.map((matter) => {
    const { subject, body } = beginText(matter, { environment: undefined, flags: [], runbook });
    const [, anchor = ''] = body.trimEnd().split(`More: ${runbook}#`);
    if (matter.kind !== 'suppressed') expect(anchor).toBe(anchorOf(subject.split(':')[0] ?? ''));
    return anchor;
  });
  const ofAlarms = alarms.map(({ AlarmDescription }) => {
    return anchorOf(/More: \\"(.*)\\" in/.exec(JSON.stringify(AlarmDescription))?.[1] ?? '');
  });
  expect([...new Set(notices), ...ofAlarms].toSorted()).toEqual(headingsOf(explained, '###').map(anchorOf).toSorted());
});
