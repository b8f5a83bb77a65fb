import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { EventOutcome } from './settle.ts';

const metricOf = {
  sent: 'EventsSent',
  delivered: 'EventsDelivered',
  bounced: 'EventsBounced',
  softBounced: 'EventsSoftBounced',
  complained: 'EventsComplained',
  rejected: 'EventsRejected',
  known: 'EventsKnown',
  stranger: 'EventsOfStrangers',
} as const satisfies Record<EventOutcome, string>;

/** Counts an event of SES by its outcome. */
export function countEventOutcome(metrics: Metrics, outcome: EventOutcome): void {
  metrics.addMetric(metricOf[outcome], MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
