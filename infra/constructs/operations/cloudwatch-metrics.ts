import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';

/** What Lambda counts of a function: by default, how often it happened in five minutes. */
export function lambdaMetric(
  of: Function,
  metricName: string,
  { statistic = Stats.SUM, period = Duration.minutes(5) }: { statistic?: string; period?: Duration } = {},
): Metric {
  const dimensionsMap = { FunctionName: of.functionName };
  return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period });
}

/** What SES says of the whole account's reputation: its limits are the account's. */
export function reputationMetric(metricName: 'Reputation.BounceRate' | 'Reputation.ComplaintRate'): Metric {
  return new Metric({ namespace: 'AWS/SES', metricName, statistic: Stats.MAXIMUM, period: Duration.hours(1) });
}

/**
 * The sum of some metrics, which counts a metric without data as 0 as long as another one has some. Without `FILL`: for a
 * metric that comes late it gives the latest period the filling, and an alarm never looks at that period again.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function sumOfMetrics(label: string, usingMetrics: Record<string, Metric>, period: Duration): MathExpression {
  return new MathExpression({ label, expression: Object.keys(usingMetrics).join(' + '), usingMetrics, period });
}
