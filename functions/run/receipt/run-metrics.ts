import { MetricUnit, type Metrics } from '@aws-lambda-powertools/metrics';
import type { RunState } from '../../ledger/runs/runs.ts';
import type { Balance } from './receipt.ts';

/**
 * Counts the messages, receipts and runs of a trigger's work, without the report as a dimension: an alarm needs one metric
 * for all reports, and the log names the report.
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
    // Those that a run which began to send left for a later trigger.
    MessagesLeft: state === 'sending' ? balance.planned : 0,
    ReceiptsUnbalanced: balance.balanced ? 0 : 1,
    RunsIncomplete: incomplete ? 1 : 0,
    RunsHeld: state === 'held' ? 1 : 0,
  };
  for (const [name, count] of Object.entries(counts)) metrics.addMetric(name, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
