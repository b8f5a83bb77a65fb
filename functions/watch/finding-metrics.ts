import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { Findings } from './inspect.ts';

/** Publishes the findings of all reports. An alarm fires when nothing is published, because then nobody is watching. */
export function countFindings(metrics: Metrics, findings: readonly Findings[]): void {
  const sum = (count: (of: Findings) => number): number => findings.reduce((total, of) => total + count(of), 0);
  metrics.addMetric('ReportsWatched', MetricUnit.Count, findings.length);
  metrics.addMetric(
    'RunsOverdue',
    MetricUnit.Count,
    sum(({ overdue }) => (overdue === null ? 0 : 1)),
  );
  metrics.addMetric(
    'RunsHeldTooLong',
    MetricUnit.Count,
    sum(({ heldTooLong }) => heldTooLong.length),
  );
  metrics.addMetric(
    'MessagesStillUnknown',
    MetricUnit.Count,
    sum(({ unknown }) => unknown.reduce((total, { messages }) => total + messages, 0)),
  );
  metrics.publishStoredMetrics();
}
