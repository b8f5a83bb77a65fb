import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An alarm and its description, which is the first thing that the person it wakes reads. */
export interface AlarmProps {
  topic: ITopic;
  metric: IMetric;
  /** Raised at this value or above; below it where `below` says so. */
  threshold: number;
  below?: boolean;
  /** How many periods are evaluated, and how many of those must be bad; one of one by default. */
  periods?: { of: number; bad: number };
  /** Whether no data is as bad as bad data. */
  silenceIsBad?: boolean;
  /** What it means for the readers of the mail. */
  meaning: string;
  /** The command that helps first. */
  command: string;
}

/** Adds an alarm named `<stack>-<id>`, which also reports when it is over. */
export function addAlarm(scope: Construct, id: string, props: AlarmProps): Alarm {
  const { topic, periods = { of: 1, bad: 1 } } = props;
  const alarm = new Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${id}`,
    alarmDescription: `${props.meaning} First: ${props.command}`,
    metric: props.metric,
    threshold: props.threshold,
    comparisonOperator:
      props.below === true
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.bad,
    treatMissingData: props.silenceIsBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
  return alarm;
}
