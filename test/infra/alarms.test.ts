import { Match } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { runMatterKinds } from '../../functions/ledger/notices.ts';
import type { Matter } from '../../functions/watch/matters.ts';
import { beginText } from '../../functions/watch/notice-text.ts';
import { runOf, runsWith } from '../functions/watch/inspected-samples.ts';
import { alarmSchema, metricsOfAlarm } from '../support/aws/alarms.ts';
import { sampleTemplate } from '../support/aws/template.ts';
import { anchorOf, headingsOf, pages } from '../support/pages.ts';

const resources = sampleTemplate().findResources('AWS::CloudWatch::Alarm');
const alarms = Object.values(resources).map(({ Properties }) => v.parse(alarmSchema, Properties));

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
  ['dead-letters', 'ApproximateNumberOfMessagesVisible', ['Dead'], [atLeast, 1, '1 of 1'], 300, 'ignore', 'ALARM'],
  ['bounce-rate', 'Reputation.BounceRate', [], [atLeast, 0.04, '1 of 1'], 3600, 'ignore', 'ALARM'],
  ['complaint-rate', 'Reputation.ComplaintRate', [], [atLeast, 0.0008, '1 of 1'], 3600, 'ignore', 'ALARM'],
])('"%s" looks at %s', (name, metricNames, owners, raised, period, noData, notifies) => {
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `BroadcastDigest-${name}`);
  if (alarm === undefined) throw new RangeError(`There is no alarm "${name}".`);
  const looked = metricsOfAlarm(alarm);
  expect([...new Set(looked.map((metric) => metric.MetricName))].join(' ')).toBe(metricNames);
  expect(new Set([alarm.Period, ...looked.map((metric) => metric.Period)].filter(Boolean))).toEqual(new Set([period]));
  const values = looked.flatMap(({ Dimensions }) => Dimensions.map(({ Value }) => JSON.stringify(Value)));
  expect(values).toEqual(
    owners.map((owner) => expect.stringMatching(new RegExp(`^{"(?:Ref|Fn::GetAtt)":\\[?"${owner}`))),
  );
  const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  expect([ComparisonOperator, Threshold, `${DatapointsToAlarm} of ${EvaluationPeriods}`]).toEqual(raised);
  const actions = { ALARM: alarm.AlarmActions, OK: alarm.OKActions, NONE: alarm.InsufficientDataActions };
  expect([
    alarm.TreatMissingData,
    Object.entries(actions).flatMap(([state, to]) => (to.length > 0 ? [state] : [])),
  ]).toEqual([noData, notifies.split(' ')]);
});

it('the end of a state is mailed after its alarm was raised, and not after its first evaluation', () => {
  const alarmName = ['dead-letters', 'bounce-rate', 'complaint-rate'].map((name) => `BroadcastDigest-${name}`);
  const detail = { alarmName, state: { value: ['OK'] }, previousState: { value: ['ALARM'] } };
  const Targets = [Match.objectLike({ Arn: { Ref: Match.stringLikeRegexp('^AlarmTopic') } })];
  sampleTemplate().hasResourceProperties('AWS::Events::Rule', { EventPattern: { detail }, Targets });
});

const [watched] = runsWith(runOf());
if (watched === undefined) throw new RangeError('There is no run.');
const about = { subject: watched.name, watched, isRecent: true };
const suppressed = { ...about, kind: 'suppressed', count: 2 } as const;
const daily = { failures: 3, at: '2026-11-16T04:00:00Z', code: 'service-unavailable', message: 'It does not answer.' };
const matters: Matter[] = [
  ...[...runMatterKinds, 'not-configured' as const].map((kind) => ({ ...about, kind })),
  { kind: 'unobserved', subject: 'three days in a row', daily, watched: undefined, isRecent: true },
  { ...about, kind: 'alike', counts: { '5.7.1': 5 } },
  { ...suppressed, counts: { bounce: 2 } },
  { ...suppressed, counts: { 'soft-bounces': 1, refusal: 1 } },
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
