import { Duration } from 'aws-cdk-lib';
import { MathExpression, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionName } from '../build/bundles.ts';
import { addAlarm, type AlarmProps } from './alarm.ts';
import type { BundledFunction } from './bundled-function.ts';
import { lambdaMetric, ownMetric, reputationMetric } from './cloudwatch-metrics.ts';

/** What the alarms are about. */
interface AlarmsProps {
  namespace: string;
  topic: ITopic;
  deadLetters: IQueue;
  functions: Record<FunctionName, BundledFunction>;
}

/** An alarm without the topic, which all of them share. */
type AlarmOfTopic = Omit<AlarmProps, 'topic'>;

const hour = Duration.hours(1);
const runs = 'npm run ops -- runs';
const show = 'npm run ops -- show RUN';
const again = 'npm run ops -- run REPORT';

/** Every alarm, with what it means for the readers of the mail and the command that helps first. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const all = { ...this.#ofRuns(props), ...ofWatch(props), ...ofSes(), ...ofParts(props) };
    for (const [name, alarm] of Object.entries(all)) addAlarm(this, name, { ...alarm, topic: props.topic });
  }

  /** A durable execution that fails is no error of its function: only the engine's own metrics show it. */
  #ofRuns({ namespace, functions }: AlarmsProps): Record<string, AlarmOfTopic> {
    const count = (name: string): IMetric => ownMetric(namespace, 'run', name);
    const engine = (name: string): IMetric => lambdaMetric(functions.run.function, name);
    return {
      'run-failed': {
        metric: new MathExpression({
          label: 'Runs that failed, timed out or were stopped',
          expression: 'FILL(failed, 0) + FILL(timedOut, 0) + FILL(stopped, 0)',
          usingMetrics: {
            failed: engine('DurableExecutionFailed'),
            timedOut: engine('DurableExecutionTimedOut'),
            stopped: engine('DurableExecutionStopped'),
          },
          period: Duration.minutes(5),
        }),
        threshold: 1,
        meaning: 'A run ended without doing its work: its subscribers have no mail, or not all of them.',
        command: `${runs} (cause and period), then ${again}: it goes on from where it is.`,
      },
      'run-incomplete': {
        metric: count('RunsIncomplete'),
        threshold: 1,
        meaning: 'Something was unavailable from the service: the mail says what is missing, or waits for a release.',
        command: `${show} (what and why).`,
      },
      'run-held': {
        metric: count('RunsHeld'),
        threshold: 1,
        meaning: 'A digest is ready and waits for your release: nobody has been sent it.',
        command: `${show}, then npm run ops -- release RUN.`,
      },
      'receipt-unbalanced': {
        metric: count('ReceiptsUnbalanced'),
        threshold: 1,
        meaning: 'Some intended subscriber is unaccounted for: who has the mail is not sure.',
        command: `${show} --messages.`,
      },
      'sends-unknown': {
        metric: count('MessagesUnknown'),
        threshold: 1,
        meaning:
          'SES’s answer to some messages was lost and no event has settled it since: those subscribers may or may not have it.',
        command: `${show}; late events may still settle it, or it names the command that sends again what was probably not sent.`,
      },
      'sends-failed': {
        metric: count('MessagesFailed'),
        threshold: 1,
        meaning: 'SES refused some messages: those subscribers have no mail.',
        command: `${show} --messages (the refusals), then ${again}.`,
      },
      'sends-left': {
        metric: count('MessagesLeft'),
        threshold: 1,
        meaning:
          'Sending stopped early (SES’s daily quota, or SES out of order for more than an hour): the rest have no mail yet.',
        command: `${again} once SES takes mail again: it goes on with those who are left.`,
      },
    };
  }
}

function ofWatch({ functions }: AlarmsProps): Record<string, AlarmOfTopic> {
  return {
    'watch-silent': {
      metric: lambdaMetric(functions.watch.function, 'Invocations').with({ period: hour }),
      threshold: 1,
      below: true,
      periods: { of: 3, bad: 3 },
      silenceIsBad: true,
      meaning: 'Nothing watches for runs that do not happen: a missing mail would go unnoticed.',
      command: tail(functions.watch),
    },
  };
}

function tail({ logGroup }: BundledFunction): string {
  return `aws logs tail ${logGroup.logGroupName} --since 6h`;
}

/** SES reviews an account at 5 % of bounces or 0.1 % of complaints, and may stop it at twice that. */
function ofSes(): Record<string, AlarmOfTopic> {
  return {
    'bounce-rate': {
      metric: reputationMetric('Reputation.BounceRate'),
      threshold: 0.04,
      meaning: 'Bounces of this account are near the limit at which SES stops it: then nobody gets mail.',
      command: 'npm run ops -- addresses list (who bounced), and take them off the subscribers.',
    },
    'complaint-rate': {
      metric: reputationMetric('Reputation.ComplaintRate'),
      threshold: 0.0008,
      meaning: 'Complaints about this account are near the limit at which SES stops it: then nobody gets mail.',
      command: 'npm run ops -- addresses list (who complained), and ask whether they want the mail.',
    },
  };
}

function ofParts({ namespace, functions, deadLetters }: AlarmsProps): Record<string, AlarmOfTopic> {
  const parts: Record<string, AlarmOfTopic> = {
    'dead-letters': {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      threshold: 1,
      meaning: 'A trigger or an event of SES was given up: a run may not have begun, or an outcome may be missing.',
      command: `aws sqs receive-message --queue-url ${deadLetters.queueUrl} --attribute-names All --message-attribute-names All`,
    },
    'service-refusing': {
      metric: new MathExpression({
        label: 'Share of requests that the service answered with 429 or 5xx',
        expression: 'IF(requests >= 20, (FILL(throttled, 0) + FILL(errors, 0)) / requests, 0)',
        usingMetrics: {
          requests: ownMetric(namespace, 'collect', 'ServiceRequests'),
          throttled: ownMetric(namespace, 'collect', 'ServiceThrottled'),
          errors: ownMetric(namespace, 'collect', 'ServiceErrors'),
        },
        period: hour,
      }),
      threshold: 0.1,
      meaning: 'The service refuses or fails a tenth of what it is asked: the next mail may come late or incomplete.',
      command: 'npm run ops -- doctor, then lower service.concurrency or ask the service’s team.',
    },
  };
  for (const [name, of] of Object.entries(functions)) {
    parts[`${name}-errors`] = {
      metric: lambdaMetric(of.function, 'Errors'),
      threshold: 1,
      periods: { of: 3, bad: 2 },
      meaning: `The function "${name}" crashes or times out again and again: what it does for the mail is late or missing.`,
      command: tail(of),
    };
    parts[`${name}-throttles`] = {
      metric: lambdaMetric(of.function, 'Throttles'),
      threshold: 1,
      periods: { of: 3, bad: 2 },
      meaning: `Lambda has no room for the function "${name}" (the account's concurrency is used up): the mail is late.`,
      command: 'aws lambda get-account-settings',
    };
  }
  return parts;
}
