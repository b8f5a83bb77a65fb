import { failureIn } from '../../functions/run/failure.ts';
import type { DurableExecution } from '../../infra/local/emulators/lambda/durable-engine.ts';

/** Throws where an execution failed, and where it answered that its run failed or its order was refused. */
export function requireCarriedOut({ status, error, result }: DurableExecution): void {
  const failure = status === 'SUCCEEDED' ? failureIn(result) : error;
  if (status !== 'SUCCEEDED' || failure !== null) throw new Error(`The run failed: ${JSON.stringify(failure)}`);
}
