import {
  OperationAction,
  OperationType,
  type CheckpointDurableExecutionRequest,
  type GetDurableExecutionStateRequest,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';

const optionalText = v.optional(v.string());
const optionalNumber = v.optional(v.number());

const errorObject = v.strictObject({
  ErrorMessage: optionalText,
  ErrorType: optionalText,
  ErrorData: optionalText,
  StackTrace: v.optional(v.array(v.string())),
});

const operationUpdate = v.strictObject({
  Id: v.string(),
  Type: v.enum(OperationType),
  Action: v.enum(OperationAction),
  ParentId: optionalText,
  Name: optionalText,
  SubType: optionalText,
  Payload: optionalText,
  Error: v.optional(errorObject),
  ContextOptions: v.optional(v.strictObject({ ReplayChildren: v.optional(v.boolean()) })),
  StepOptions: v.optional(v.strictObject({ NextAttemptDelaySeconds: optionalNumber })),
  WaitOptions: v.optional(v.strictObject({ WaitSeconds: optionalNumber })),
  CallbackOptions: v.optional(
    v.strictObject({ TimeoutSeconds: optionalNumber, HeartbeatTimeoutSeconds: optionalNumber }),
  ),
  ChainedInvokeOptions: v.optional(v.strictObject({ FunctionName: v.string(), TenantId: optionalText })),
});

const checkpointBody = v.strictObject({
  CheckpointToken: v.string(),
  ClientToken: optionalText,
  Updates: v.optional(v.array(operationUpdate)),
});

/** Lambda's limit for the result of one operation, in bytes. */
const maxPayloadBytes = 262_144;

/**
 * Reads the body of CheckpointDurableExecution.
 *
 * @throws {v.ValiError} where it has another shape. Where an operation leaves more than Lambda takes, a `RangeError`.
 */
export function parseCheckpoint(durableExecutionArn: string, body: unknown): CheckpointDurableExecutionRequest {
  const checkpoint = v.parse(checkpointBody, body);
  for (const { Name, Id, Payload } of checkpoint.Updates ?? []) {
    if (Buffer.byteLength(Payload ?? '') > maxPayloadBytes) {
      throw new RangeError(`The payload of operation "${Name ?? Id}" is over ${maxPayloadBytes} bytes.`);
    }
  }
  return { DurableExecutionArn: durableExecutionArn, ...checkpoint };
}

/** Reads the query of GetDurableExecutionState. The state is always given whole, so there is no marker to go on from. */
export function parseStateQuery(durableExecutionArn: string, query: URLSearchParams): GetDurableExecutionStateRequest {
  return { DurableExecutionArn: durableExecutionArn, CheckpointToken: query.get('CheckpointToken') ?? '' };
}
