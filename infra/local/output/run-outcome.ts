import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
import { runName } from '../../../functions/domain/period.ts';
import { dueAt } from '../../../functions/domain/schedule.ts';
import { readDigest } from '../../../functions/ledger/runs/digests.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { failureIn, failureNamed, failureOf } from '../../../functions/run/failure.ts';
import { readRunOf } from '../../../functions/run/find-run.ts';
import { failedReceipt, readReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import type { DurableExecution } from '../emulators/lambda/durable-engine.ts';

/** The receipt and the digest of a run that has ended. */
export interface RunOutcome {
  receipt: Receipt;
  digest: Digest | null;
}

type Ended = Pick<DurableExecution, 'status' | 'result' | 'error'>;

/** Reads what became of a report's run at an instant; `execution` has ended. */
export async function readOutcome(
  report: ReportConfiguration,
  at: string,
  execution: Ended,
  table: Table,
): Promise<RunOutcome> {
  const { period } = dueAt(report.schedule, at);
  const run = await readRunOf(table, report, period);
  const failure = execution.status === 'FAILED' ? failureOfExecution(execution) : failureIn(execution.result);
  if (run === null) {
    const unknown = failure ?? failureOf(null);
    return {
      receipt: failedReceipt({ run: runName(report.name, period), report: report.name, period }, unknown),
      digest: null,
    };
  }
  const receipt = await readReceipt(table, run, Date.now());
  const digest = run.digest === undefined ? null : (await readDigest(table, run.run, run.digest)).digest;
  return { receipt: failure === null ? receipt : { ...receipt, state: 'failed', error: failure }, digest };
}

/** The engine keeps a failure's name and message, and nothing else of it. */
function failureOfExecution({ error }: Ended): { code: string; message: string } {
  const failure = failureNamed(error?.errorType, error?.errorMessage);
  return failure.code === 'internal'
    ? { ...failure, message: `${failure.message} (${error?.errorType ?? 'no name'})` }
    : failure;
}
