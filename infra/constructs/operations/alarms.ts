import { Duration } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { addAlarm, addSilenceAlarm, type AlarmProps } from './alarm.ts';
import type { BundledFunction, FunctionsOfStack } from '../functions/bundled-function.ts';
import { lambdaMetric, reputationMetric, sumOfMetrics } from './cloudwatch-metrics.ts';

/** What the alarms are about. */
interface AlarmsProps {
  topic: ITopic;
  deadLetters: IQueue;
  functions: FunctionsOfStack;
}

/** An alarm without the topic, which all of them share. */
type AlarmOfTopic = Omit<AlarmProps, 'topic'>;

const runs = 'npm run ops -- runs';
const again = 'npm run ops -- run REPORT';

/**
 * The alarms, each with what it means for the readers of the mail and the command that helps first. They are of what the
 * functions cannot say themselves; what the ledger knows is reported by `watch`.
 */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { topic, functions } = props;
    const all = { ...ofFunctions(props), ...ofAccount(), 'dead-letters': ofQueue(props) };
    for (const [name, alarm] of Object.entries(all)) addAlarm(this, name, { ...alarm, topic });
    addSilenceAlarm(this, 'watch-silent', {
      topic,
      metric: lambdaMetric(functions.watch.function, 'Invocations', { period: Duration.minutes(15) }),
      periods: 4,
      meaning: 'The watch has not run for an hour: a missing mail, or a held one, would go unnoticed.',
      command: tail(functions.watch),
    });
  }
}

function ofFunctions({
  functions,
}: AlarmsProps): Record<'run-failed' | 'run-throttled' | 'function-errors', AlarmOfTopic> {
  const engine = (name: string) => lambdaMetric(functions.run.function, `DurableExecution${name}`);
  const errors = Object.entries(functions).map(
    ([name, of]) => [name, lambdaMetric(of.function, 'Errors', { period: Duration.hours(1) })] as const,
  );
  return {
    // An execution that fails is no error of its function: only the engine's own metrics show it.
    'run-failed': {
      metric: sumOfMetrics(
        'Executions that failed, timed out or were stopped',
        { failed: engine('Failed'), timedOut: engine('TimedOut'), stopped: engine('Stopped') },
        Duration.minutes(5),
      ),
      threshold: 1,
      meaning:
        'A run crashed, timed out or was stopped and could not record why in the ledger: some or all of its subscribers have no mail.',
      command: `${runs} (its period), then ${again}: it continues where it stopped.`,
    },
    'run-throttled': {
      metric: lambdaMetric(functions.run.function, 'Throttles'),
      threshold: 1,
      periods: { of: 3, bad: 2 },
      meaning: 'Lambda has no free concurrency for runs (the account’s is used up): the mail is late.',
      command: 'aws lambda get-account-settings',
    },
    // One error is tried again by whoever invoked the function; a fault of ours fails again.
    'function-errors': {
      metric: sumOfMetrics('Invocations that crashed or timed out', Object.fromEntries(errors), Duration.hours(1)),
      threshold: 2,
      meaning: 'A function crashes or times out repeatedly: its work for the mail is late or missing.',
      command: `for log in ${Object.values(functions)
        .map(({ logGroup }) => logGroup.logGroupName)
        .join(' ')}; do aws logs tail $log --since 2h --filter-pattern '?ERROR ?timeout'; done`,
    },
  };
}

/**
 * SES reviews an account at 5 % of bounces or 0.1 % of complaints, and may stop it at twice that. A rate counts until there
 * is a new one, as SES advises.
 * https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
 */
function ofAccount(): Record<'bounce-rate' | 'complaint-rate', AlarmOfTopic> {
  return {
    'bounce-rate': {
      metric: reputationMetric('Reputation.BounceRate'),
      threshold: 0.04,
      isState: true,
      meaning: 'Bounces of this account are near the limit at which SES stops it: then nobody gets mail.',
      command: 'npm run ops -- addresses list (who bounced), and remove them from the subscribers.',
    },
    'complaint-rate': {
      metric: reputationMetric('Reputation.ComplaintRate'),
      threshold: 0.0008,
      isState: true,
      meaning: 'Complaints about this account are near the limit at which SES stops it: then nobody gets mail.',
      command: 'npm run ops -- addresses list (who complained), and ask whether they want the mail.',
    },
  };
}

/** SQS says nothing of a queue that has been left alone for six hours: what was in it still is. */
function ofQueue({ deadLetters }: AlarmsProps): AlarmOfTopic {
  return {
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
    threshold: 1,
    isState: true,
    meaning:
      'A trigger or an SES event could not be delivered: a run may not have begun, or an outcome may be missing.',
    command: `aws sqs receive-message --queue-url ${deadLetters.queueUrl} --attribute-names All --message-attribute-names All`,
  };
}

function tail({ logGroup }: BundledFunction): string {
  return `aws logs tail ${logGroup.logGroupName} --since 6h`;
}
