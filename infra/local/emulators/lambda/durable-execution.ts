import { InvocationStatus } from '@aws/durable-execution-sdk-js';
import type { Event } from '@aws-sdk/client-lambda';
import type { TestResult } from '@aws/durable-execution-sdk-js-testing';
import * as v from 'valibot';

/** A durable execution that has ended. */
export interface DurableExecution {
  status: 'SUCCEEDED' | 'FAILED';
  /** What the function returned; `undefined` where it failed. */
  result: unknown;
  error: { errorType: string | undefined; errorMessage: string | undefined } | undefined;
  /** What the engine recorded of it, which it needs a moment for. Rejects where the engine gave the execution up. */
  record(): Promise<ExecutionRecord>;
}

/** What the engine recorded of an execution: how near it came to Lambda's limits. */
interface ExecutionRecord {
  /** Operations of the execution; Lambda allows 3,000. */
  operations: number;
  /** Size of each operation's result, in bytes; Lambda allows 262,144. */
  resultSizes: { name: string | undefined; bytes: number }[];
  history: Event[];
}

const errorObject = v.object({
  ErrorMessage: v.optional(v.string()),
  ErrorType: v.optional(v.string()),
  ErrorData: v.optional(v.string()),
  StackTrace: v.optional(v.array(v.string())),
});

/** What an invocation of a durable function answers. */
export const invocationOutput = v.variant('Status', [
  v.object({ Status: v.literal(InvocationStatus.SUCCEEDED), Result: v.exactOptional(v.string()) }),
  v.object({ Status: v.literal(InvocationStatus.FAILED), Error: errorObject }),
  v.object({ Status: v.literal(InvocationStatus.PENDING) }),
]);
type InvocationOutput = v.InferOutput<typeof invocationOutput>;

/** The engine's own run of an execution, which resolves with what it recorded. */
type Run = Promise<TestResult<unknown>>;

/** How an execution ended, by the function's answer; `null` where it goes on. */
export function executionOf(output: InvocationOutput, run: Run): DurableExecution | null {
  if (output.Status === InvocationStatus.PENDING) return null;
  const record: DurableExecution['record'] = async () => recordOf(await run);
  if (output.Status === InvocationStatus.SUCCEEDED) {
    const { Result: text = '' } = output;
    return { status: 'SUCCEEDED', result: text === '' ? undefined : JSON.parse(text), error: undefined, record };
  }
  const { ErrorType: errorType, ErrorMessage: errorMessage } = output.Error;
  return { status: 'FAILED', result: undefined, error: { errorType, errorMessage }, record };
}

function recordOf(run: TestResult<unknown>): ExecutionRecord {
  const operations = run.getOperations();
  return {
    operations: operations.length,
    resultSizes: operations.map((operation) => {
      const { StepDetails, ContextDetails, ChainedInvokeDetails } = operation.getOperationData() ?? {};
      const result = StepDetails?.Result ?? ContextDetails?.Result ?? ChainedInvokeDetails?.Result ?? '';
      return { name: operation.getName(), bytes: Buffer.byteLength(result) };
    }),
    history: run.getHistoryEvents(),
  };
}

/** An execution that the engine gave up: only its error is known. */
export function failedExecution(error: unknown, run: Run): DurableExecution {
  const { name, message } = error instanceof Error ? error : new Error(JSON.stringify(error));
  return {
    status: 'FAILED',
    result: undefined,
    error: { errorType: name, errorMessage: message },
    record: async () => recordOf(await run),
  };
}
