import type { Event } from '@aws-sdk/client-lambda';
import type { TestResult } from '@aws/durable-execution-sdk-js-testing';

/** The result of a durable execution, and how near it came to Lambda's limits. */
export interface DurableExecution {
  status: 'SUCCEEDED' | 'FAILED';
  /** What the function returned; `undefined` where it failed. */
  result: unknown;
  error: { errorType: string | undefined; errorMessage: string | undefined } | undefined;
  /** Operations of the execution; Lambda allows 3,000. */
  operations: number;
  /** Invocations of the function; one that was repeated counts once. */
  invocations: number;
  /** Size of each operation's result, in bytes; Lambda allows 262,144. */
  resultSizes: { name: string | undefined; bytes: number }[];
  history: Event[];
}

/** Reads an execution that ran to its end. */
export function finishedExecution(run: TestResult<unknown>): DurableExecution {
  const succeeded = run.getStatus() === 'SUCCEEDED';
  const error = succeeded ? undefined : run.getError();
  const operations = run.getOperations();
  return {
    status: succeeded ? 'SUCCEEDED' : 'FAILED',
    result: succeeded ? run.getResult() : undefined,
    error: error && { errorType: error.errorType, errorMessage: error.errorMessage },
    operations: operations.length,
    invocations: run.getInvocations().length,
    resultSizes: operations.map((operation) => {
      const { StepDetails, ContextDetails, ChainedInvokeDetails } = operation.getOperationData() ?? {};
      const result = StepDetails?.Result ?? ContextDetails?.Result ?? ChainedInvokeDetails?.Result ?? '';
      return { name: operation.getName(), bytes: Buffer.byteLength(result) };
    }),
    history: run.getHistoryEvents(),
  };
}

/** An execution that the engine gave up: only its error is known. */
export function failedExecution(error: unknown): DurableExecution {
  const { name, message } = error instanceof Error ? error : new Error(JSON.stringify(error));
  return {
    status: 'FAILED',
    result: undefined,
    error: { errorType: name, errorMessage: message },
    operations: 0,
    invocations: 0,
    resultSizes: [],
    history: [],
  };
}
