import { createHash } from 'node:crypto';
import { accountId, region } from '../account.ts';

/** A function as the embedded Lambda runs it. */
export interface FunctionDefinition {
  /** The folder of the bundle, absolute: it holds `index.mjs`. */
  bundleDir: string;
  handler: 'index.handler';
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMb: number;
}

/** Where the other embedded parts are; a function finds those that are named. */
export interface Endpoints {
  dynamodb?: string;
  ses?: string;
  secretsManager?: string;
  sns?: string;
}

/** The result of an invocation. A function error's payload has `errorType`, `errorMessage` and maybe `trace`. */
export type InvocationOutcome = { payload: unknown } | { functionError: string; payload: unknown };

/** The access key that a function's calls are signed with: by it the embedded parts know who calls. */
export function accessKeyIdOfFunction(functionName: string): string {
  return `AKIA${createHash('sha256').update(functionName).digest('hex').slice(0, 16).toUpperCase()}`;
}

/** The function's ARN in the embedded account. */
export function functionArn(functionName: string): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${functionName}`;
}

/**
 * The whole environment of a function's process: what Lambda gives it, its own variables, and the addresses of the
 * embedded parts. Nothing of this process's environment is in it but the path: a laptop's AWS configuration (in HOME)
 * must not reach a function either.
 */
export function functionEnvironment(
  functionName: string,
  definition: FunctionDefinition,
  addresses: { runtimeApi: string; lambda: string; endpoints: Endpoints; accessKeyId?: string | undefined },
): Record<string, string> {
  const { endpoints, accessKeyId = accessKeyIdOfFunction(functionName) } = addresses;
  return {
    ...definition.environment,
    ...(process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] }),
    HOME: definition.bundleDir,
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'embedded',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'embedded',
    AWS_LAMBDA_RUNTIME_API: addresses.runtimeApi,
    LAMBDA_TASK_ROOT: definition.bundleDir,
    _HANDLER: definition.handler,
    AWS_ENDPOINT_URL_LAMBDA: addresses.lambda,
    ...(endpoints.dynamodb === undefined ? {} : { AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb }),
    ...(endpoints.ses === undefined ? {} : { AWS_ENDPOINT_URL_SES: endpoints.ses }),
    ...(endpoints.sns === undefined ? {} : { AWS_ENDPOINT_URL_SNS: endpoints.sns }),
    ...(endpoints.secretsManager === undefined ? {} : { AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager }),
  };
}
