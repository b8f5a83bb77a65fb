import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { Coverage } from '../reporting-service/coverage.ts';

/** Counts what was asked of the service in one batch, and what it refused: 429 is its limit, 5xx are its faults. */
export function countRequests(metrics: Metrics, { requests, retries }: Coverage): void {
  const byStatus = Object.values(requests).flatMap((statuses) => Object.entries(statuses));
  const sum = (of: (status: string) => boolean): number =>
    byStatus.filter(([status]) => of(status)).reduce((total, [, count]) => total + count, 0);
  const counts = {
    ServiceRequests: sum(() => true),
    ServiceRetries: retries,
    ServiceThrottled: sum((status) => status === '429'),
    ServiceErrors: sum((status) => /^5\d\d$/.test(status)),
  };
  for (const [name, count] of Object.entries(counts)) metrics.addMetric(name, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
