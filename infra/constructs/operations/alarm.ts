import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An alarm and its description, which is the first thing that the person it wakes reads. */
export interface AlarmProps {
  topic: ITopic;
  metric: IMetric;
  /** Raised at this value or above. */
  threshold: number;
  /** How many periods are evaluated, and how many of those must be bad; one of one by default. */
  periods?: { of: number; bad: number };
  /**
   * Whether the metric is a state, whose end is news too, and which lasts until there is new data; else it is a count of what
   * happened, which falls by itself, and no data is none.
   */
  isState?: boolean;
  /** What it means for the readers of the mail. */
  meaning: string;
  /** The command that helps first. */
  command: string;
}

/** Adds an alarm named `<stack>-<id>`, which for a state also reports when it is over. */
export function addAlarm(scope: Construct, id: string, props: AlarmProps): void {
  const { topic, periods = { of: 1, bad: 1 }, isState = false } = props;
  const alarm = new Alarm(scope, id, {
    ...described(scope, id, props),
    metric: props.metric,
    threshold: props.threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.bad,
    treatMissingData: isState ? TreatMissingData.IGNORE : TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  if (isState) alarm.addOkAction(new SnsAction(topic));
}

/** An alarm of something that is to happen in every period, raised where none of some periods in a row has it. */
export interface SilenceAlarmProps extends Pick<AlarmProps, 'topic' | 'metric' | 'meaning' | 'command'> {
  periods: number;
}

/**
 * Adds an alarm of silence. It is raised by the alarm's state INSUFFICIENT_DATA, and not by treating missing data as
 * breaching: a new alarm begins in that state, and an action follows only a change of state, so that a first deployment
 * raises nothing before there is data.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html (InsufficientDataActions)
 *
 * That it is over is not reported: the first data after a deployment would be, too.
 */
export function addSilenceAlarm(scope: Construct, id: string, props: SilenceAlarmProps): void {
  const alarm = new Alarm(scope, id, {
    ...described(scope, id, props),
    metric: props.metric,
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: props.periods,
    datapointsToAlarm: props.periods,
    treatMissingData: TreatMissingData.MISSING,
  });
  alarm.addAlarmAction(new SnsAction(props.topic));
  alarm.addInsufficientDataAction(new SnsAction(props.topic));
}

function described(
  scope: Construct,
  id: string,
  { meaning, command }: Pick<AlarmProps, 'meaning' | 'command'>,
): { alarmName: string; alarmDescription: string } {
  return { alarmName: `${Stack.of(scope).stackName}-${id}`, alarmDescription: `${meaning} First: ${command}` };
}
