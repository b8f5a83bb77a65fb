import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { RunState } from '../../ledger/runs/runs.ts';
import type { Balance } from './receipt.ts';

/**
 * Counts what a trigger's work on a run came to. Without the report as a dimension: an alarm looks at one metric whatever
 * the reports, and the log tells which.
 */
export function countOutcome(
  metrics: Metrics,
  { balance, state, incomplete }: { balance: Balance; state: RunState; incomplete: boolean },
): void {
  const counts = {
    MessagesIntended: balance.intended,
    MessagesSent: balance.sentNow,
    MessagesFailed: balance.failed,
    MessagesUnknown: balance.unknown,
    MessagesSuppressed: balance.suppressed,
    MessagesUnsubscribed: balance.unsubscribed,
    // Of a run that began to send, those that it left for a later trigger.
    MessagesLeft: state === 'sending' ? balance.planned : 0,
    ReceiptsUnbalanced: balance.balanced ? 0 : 1,
    RunsIncomplete: incomplete ? 1 : 0,
    RunsHeld: state === 'held' ? 1 : 0,
  };
  for (const [name, count] of Object.entries(counts)) metrics.addMetric(name, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
