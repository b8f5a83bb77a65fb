import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { Told } from './settle.ts';

const metricOf = {
  sent: 'EventsSent',
  delivered: 'EventsDelivered',
  bounced: 'EventsBounced',
  softBounced: 'EventsSoftBounced',
  complained: 'EventsComplained',
  rejected: 'EventsRejected',
  known: 'EventsKnown',
  stranger: 'EventsOfStrangers',
} as const satisfies Record<Told, string>;

/** Counts what an event told. */
export function countTold(metrics: Metrics, told: Told): void {
  metrics.addMetric(metricOf[told], MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
