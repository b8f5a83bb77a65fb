import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { describeMore } from '../../functions/watch/notice-text.ts';
import { environmentOf } from '../config.ts';
import type { BundledFunction, FunctionsOfStack } from './bundled-function.ts';
import type { PublicFront } from './public-front.ts';

/** The ARN of the alarm of a stack that is called this after its name; `*` is all of them. */
export function alarmArn(scope: Construct, name: string): string {
  const stack = Stack.of(scope);
  const ofStack = { resourceName: `${stack.stackName}-${name}`, arnFormat: ArnFormat.COLON_RESOURCE_NAME };
  return stack.formatArn({ service: 'cloudwatch', resource: 'alarm', ...ofStack });
}

/**
 * The topic that alarms and notices are published to, and who hears of them. It is not encrypted at rest: CloudWatch cannot
 * publish under the key that AWS manages for SNS, whose policy nobody can change, a key of our own costs a dollar a month and
 * more after each rotation, and what is published goes out as plain mail.
 */
export class AlarmTopic extends Construct {
  readonly topic = new Topic(this, 'Topic', { enforceSSL: true });
  /** Where the page is that explains each, if that is known. */
  readonly runbook: string | undefined;

  constructor(scope: Construct, id: string, { alarmAddresses, runbook }: Configuration['operations']) {
    super(scope, id);
    this.runbook = runbook;
    const principals = [new ServicePrincipal('cloudwatch.amazonaws.com')];
    const conditions = { ArnLike: { 'aws:SourceArn': alarmArn(this, '*') } };
    const right = { principals, actions: ['sns:Publish'], resources: [this.topic.topicArn], conditions };
    this.topic.addToResourcePolicy(new PolicyStatement(right));
    const reason = 'The reader of the queue is the one who could not be reached by mail; the alarm itself stays on.';
    for (const address of alarmAddresses) {
      const subscription = this.topic.addSubscription(new EmailSubscription(address));
      Validations.of(subscription).acknowledge({ id: 'Serverless-SNSRedrivePolicy', reason });
    }
  }
}

/**
 * An alarm of a value at or above the threshold, in one period, if nothing else is said. What no data means: of a count of what
 * happened it means nothing, and the alarm falls by itself (the default). A state lasts until there is new data (`IGNORE`). Of
 * something that is to happen in every period it is the alarm itself (`MISSING`).
 */
interface AlarmOfMail extends Omit<cloudwatch.AlarmProps, 'evaluationPeriods'> {
  evaluationPeriods?: number;
  /** What it means for the readers of the mail: the first thing that the person it wakes reads. */
  impact: string;
  /** The command that helps first. */
  command: string;
}

type AlarmsProps = { alarms: AlarmTopic; deadLetters: IQueue; functions: FunctionsOfStack; front: PublicFront };

/**
 * The alarms, each with what it means for the readers of the mail and the command that helps first. They are of what the
 * functions cannot say themselves; what the ledger knows is reported by `watch`.
 */
export class Alarms extends Construct {
  readonly #alarms: AlarmTopic;
  readonly #environment = environmentOf(Stack.of(this).stackName);
  /** What leads the operators' commands to the environment. */
  readonly #flags = this.#environment === undefined ? '' : ` --env ${this.#environment}`;

  constructor(scope: Construct, id: string, { alarms, deadLetters, functions, front }: AlarmsProps) {
    super(scope, id);
    this.#alarms = alarms;
    this.#addOfFunctions(functions);
    this.#addOfReputation();
    this.#add('links-failing', {
      metric: front.failures,
      threshold: 3,
      impact: 'Links in mails do not work: somebody could not unsubscribe, or open a page.',
      command: `npm run ops -- doctor${this.#flags}, then aws logs tail ${front.logGroup.logGroupName} --since 2h`,
    });
    // Scanners open the links of a mail at once. Pages alone can be opened 18,000 times an hour.
    this.#add('links-flooded', {
      metric: front.requests,
      threshold: 15_000,
      evaluationPeriods: 3,
      impact:
        'Links are followed without end: while that lasts it costs money, pages may not open, and who leaves may fail.',
      command: `npm run ops -- pages revoke REPORT${this.#flags}, if it is pages`,
    });
    // What comes, and not what waits: SQS says nothing of a queue that has been left alone for six hours, and so nobody would
    // learn that the last message was deleted, or expired. After such a rest its metrics are up to a quarter of an hour late.
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-monitoring-using-cloudwatch.html
    this.#add('dead-letters', {
      metric: deadLetters.metricNumberOfMessagesSent({ period: Duration.hours(1) }),
      threshold: 1,
      impact:
        'A trigger or an SES event could not be delivered: a run may not have begun, or an outcome may be missing.',
      command: `aws sqs receive-message --queue-url ${deadLetters.queueUrl} --attribute-names All --message-attribute-names All`,
    });
    this.#addOver(['bounce-rate', 'complaint-rate'], deadLetters);
  }

  /**
   * Says that a state is over that raised one of these alarms. No action of an alarm can: it would also follow the first evaluation.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
   */
  #addOver(ids: readonly string[], deadLetterQueue: IQueue): void {
    const alarmName = ids.map((id) => `${Stack.of(this).stackName}-${id}`);
    const change = { state: { value: ['OK'] }, previousState: { value: ['ALARM'] } };
    const message = RuleTargetInput.fromText(`Over: alarm ${EventField.fromPath('$.detail.alarmName')} is OK again.`);
    // By a role of its own, as EventBridge meets no condition in a topic's policy: rules of any account could publish.
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-troubleshooting.html
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/cross-service-confused-deputy-prevention.html
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    const assumedBy = new ServicePrincipal('events.amazonaws.com', { conditions });
    const role = new Role(this, 'OverRole', { assumedBy });
    new Rule(this, 'Over', {
      eventPattern: { source: ['aws.cloudwatch'], detail: { alarmName, ...change } },
      targets: [new SnsTopic(this.#alarms.topic, { message, deadLetterQueue, role })],
    });
  }

  #addOfFunctions(functions: FunctionsOfStack): void {
    const { run, watch } = functions;
    const engine = (name: string): cloudwatch.Metric => lambdaMetric(run, `DurableExecution${name}`, 5);
    const executions = { failed: engine('Failed'), timedOut: engine('TimedOut'), stopped: engine('Stopped') };
    const errors = Object.entries(functions).map(([name, bundled]) => [name, lambdaMetric(bundled, 'Errors', 60)]);
    const logs = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
    // An execution that fails is no error of its function: only the engine's own metrics show it.
    this.#add('run-failed', {
      metric: sumOf('Executions that failed, timed out or were stopped', executions, 5),
      threshold: 1,
      impact:
        'A run crashed, timed out or was stopped and could not record why in the ledger: some or all of its subscribers have no mail.',
      command: `npm run ops -- runs${this.#flags} (its period), then npm run ops -- run REPORT${this.#flags}: it continues where it stopped.`,
    });
    this.#add('run-throttled', {
      metric: lambdaMetric(run, 'Throttles', 5),
      threshold: 1,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      impact: "Lambda has no free concurrency for runs (the account's is used up): the mail is late.",
      command: 'aws lambda get-account-settings',
    });
    // One error is tried again by whoever invoked the function; a fault of ours fails again.
    this.#add('function-errors', {
      metric: sumOf('Invocations that crashed or timed out', Object.fromEntries(errors), 60),
      threshold: 2,
      impact: 'A function crashes or times out repeatedly: its work for the mail is late or missing.',
      command: `for log in ${logs.join(' ')}; do aws logs tail $log --since 2h --filter-pattern '?ERROR ?timeout'; done`,
    });
    this.#add('watch-silent', {
      metric: lambdaMetric(watch, 'Invocations', 15),
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 4,
      treatMissingData: cloudwatch.TreatMissingData.MISSING,
      impact: 'The watch has not run for an hour: a missing mail, or a held one, would go unnoticed.',
      command: `aws logs tail ${watch.logGroup.logGroupName} --since 6h`,
    });
  }

  /**
   * SES reviews an account at 5 % of bounces or 0.1 % of complaints, and may stop it at 10 % or 0.5 %. A rate counts until there
   * is a new one, as SES advises.
   * https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
   */
  #addOfReputation(): void {
    // The limits are the account's.
    const reputation = { namespace: 'AWS/SES', statistic: cloudwatch.Stats.MAXIMUM, period: Duration.hours(1) };
    this.#add('bounce-rate', {
      metric: new cloudwatch.Metric({ ...reputation, metricName: 'Reputation.BounceRate' }),
      threshold: 0.04,
      treatMissingData: cloudwatch.TreatMissingData.IGNORE,
      impact: 'Bounces of this account are near the limit at which SES stops it: then nobody gets mail.',
      command: `npm run ops -- addresses list${this.#flags} (who bounced), and remove them from the subscribers.`,
    });
    this.#add('complaint-rate', {
      metric: new cloudwatch.Metric({ ...reputation, metricName: 'Reputation.ComplaintRate' }),
      threshold: 0.0008,
      treatMissingData: cloudwatch.TreatMissingData.IGNORE,
      impact: 'Complaints about this account are near the limit at which SES stops it: then nobody gets mail.',
      command: `npm run ops -- addresses list${this.#flags} (who complained), and ask whether they want the mail.`,
    });
  }

  /**
   * Adds an alarm named `<stack>-<id>`.
   *
   * An alarm of silence is raised by the state INSUFFICIENT_DATA, and not by treating missing data as breaching: a new alarm
   * begins in that state, and an action follows only a change of state, so that a first deployment raises nothing before
   * there is data. That it is over is not reported: the first data after a deployment would be, too.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html (InsufficientDataActions)
   */
  #add(id: string, { impact, command, evaluationPeriods = 1, ...props }: AlarmOfMail): void {
    const alarm = new cloudwatch.Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      alarmDescription: `${impact} First: ${command} ${describeMore(`Alarm ${id}`, this.#alarms.runbook)}`,
      evaluationPeriods,
      datapointsToAlarm: evaluationPeriods,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      ...props,
    });
    const notify = new SnsAction(this.#alarms.topic);
    alarm.addAlarmAction(notify);
    if (props.treatMissingData === cloudwatch.TreatMissingData.MISSING) alarm.addInsufficientDataAction(notify);
  }
}

function lambdaMetric(bundled: BundledFunction, metricName: string, minutes: number): cloudwatch.Metric {
  return bundled.function.metric(metricName, { statistic: cloudwatch.Stats.SUM, period: Duration.minutes(minutes) });
}

/**
 * The sum of some metrics, which counts a metric without data as 0 as long as another one has some. Without `FILL`: for a
 * metric that comes late it gives the latest period the filling, and an alarm never looks at that period again.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function sumOf(label: string, usingMetrics: Record<string, cloudwatch.Metric>, minutes: number) {
  const expression = Object.keys(usingMetrics).join(' + ');
  return new cloudwatch.MathExpression({ label, expression, usingMetrics, period: Duration.minutes(minutes) });
}
