import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../build/bundles.ts';

const period = Duration.minutes(5);

/** A sum of what a function counts itself, in the stack's own namespace. The function is the only dimension. */
export function ownMetric(namespace: string, service: FunctionName, metricName: string, over = period): Metric {
  return new Metric({ namespace, metricName, dimensionsMap: { service }, statistic: Stats.SUM, period: over });
}

/** A sum of what Lambda counts of a function. */
export function lambdaMetric(of: Function, metricName: string, statistic: string = Stats.SUM): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: of.functionName },
    statistic,
    period,
  });
}

/** What SES says of the whole account's reputation: its limits are the account's. */
export function reputationMetric(metricName: 'Reputation.BounceRate' | 'Reputation.ComplaintRate'): Metric {
  return new Metric({ namespace: 'AWS/SES', metricName, statistic: Stats.MAXIMUM, period: Duration.hours(1) });
}
