import { InvokeError, withRetry, type DurableContext } from '@aws/durable-execution-sdk-js';
import * as v from 'valibot';
import { failureResponseSchema } from '../collect/protocol.ts';
import { deathOf, mostDeaths, RunError } from './failure.ts';

/**
 * Invokes the worker, under a name in the durable history, and reads its response; an invocation that fails, by a crash or a
 * time-out, is tried again until it has failed five times. A reason why nothing can be collected is a response and not a failed
 * invocation, since of the latter the engine hands on only the message. Throws a `RunError` with that reason, or of the deaths.
 */
export async function invokeCollect<Response>(
  context: DurableContext,
  name: string,
  {
    functionName,
    request,
    schema,
  }: { functionName: string; request: object; schema: v.GenericSchema<unknown, Response> },
): Promise<Response> {
  const invoke = (ctx: DurableContext): Promise<unknown> => ctx.invoke<object, unknown>(name, functionName, request);
  const response = await withRetry(context, name, invoke, {
    wrapWithRunInChildContext: false,
    retryStrategy: (_error, attempt) => ({ shouldRetry: attempt < mostDeaths, delay: { seconds: 5 } }),
  }).catch((error: unknown) => {
    if (!(error instanceof InvokeError)) throw error;
    const { code, message } = deathOf('collect', `, "${name}"`);
    throw new RunError(code, message, error);
  });
  const failed = v.safeParse(failureResponseSchema, response);
  if (failed.success) throw new RunError(failed.output.failure.code, failed.output.failure.message);
  return v.parse(schema, response);
}
