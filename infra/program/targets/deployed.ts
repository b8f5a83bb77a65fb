import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { Lambda } from '@aws-sdk/client-lambda';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { STS } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { createDynamoDbClient, createTable } from '../../../functions/ledger/table.ts';
import { readChannelAddresses } from '../../../functions/run/send/webhook.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { stackName } from '../../config.ts';
import { orNull } from '../../or-null.ts';
import { flagsOf, type Place } from './place.ts';
import { scanTable, triggerOutcomeOf, type RunTarget, type TriggerOutcome } from './target.ts';

const pollMs = 2_000;

/**
 * For so many polls, a minute, an execution that Lambda does not know yet is one that is starting: it takes an asynchronous
 * trigger before it has made the execution.
 */
const pollsOfStart = 30;

/** The AWS clients of a target; region and credentials are those of the operator's own AWS configuration. */
export function createClients() {
  const dynamoDb = createDynamoDbClient();
  // An operator reads what AWS says, such as the action that it refused.
  dynamoDb.middlewareStack.remove('inOwnWords');
  return {
    cloudFormation: new CloudFormation({}),
    dynamoDb,
    // Lambda takes a trigger only once under one name, so retries do no harm.
    lambda: new Lambda({}),
    secrets: new SecretsManager({}),
    // Of hundreds of addresses it is asked as fast as it lets itself.
    ses: new SESv2({ maxAttempts: 10, retryMode: 'adaptive' }),
    sts: new STS({}),
  };
}

/** A deployed stack, whose secrets can be filled. */
export interface DeployedTarget extends RunTarget {
  storeCredentials(credentials: Credentials): Promise<void>;
  /** Stores the address of a channel's webhook; `null` where the stack has no secret for it. */
  storeChannelAddress: ((channel: string, address: string) => Promise<void>) | null;
}

/** The deployed stack of a place, found by its outputs. Throws a `StackError` where there is none. */
export async function openDeployed(place: Place, clients = createClients()): Promise<DeployedTarget> {
  const { dynamoDb, lambda, secrets, ses, sts } = clients;
  const stack = stackName(place.env);
  const outputs = await readStackOutputs(clients.cloudFormation, stack);
  const { TableName, SecretName, ChannelsSecretName } = outputs;
  const store = async (SecretId: string, value: object): Promise<void> => {
    await secrets.putSecretValue({ SecretId, SecretString: JSON.stringify(value) });
  };
  const storeAddressIn = (SecretId: string) => async (channel: string, address: string) =>
    await store(SecretId, { ...(await readChannelAddresses(secrets, SecretId)), [channel]: address });
  const { Arn: caller = 'a caller without a name' } = await sts.getCallerIdentity();
  return {
    stack: `the stack ${stack} in ${await lambda.config.region()}`,
    configuration: place.configuration,
    table: createTable(dynamoDb, TableName),
    scan: (tableName = TableName) => scanTable(dynamoDb, tableName),
    // A role's session is often named after its person's address, which the ledger has in one place alone.
    operator: caller.replace(/@[^/]*$/, ''),
    flags: flagsOf(place),
    liftFromAccount: async (EmailAddress) => (await orNull(ses.deleteSuppressedDestination({ EmailAddress }))) !== null,
    readFromAccount: async (EmailAddress) => {
      const listed = await orNull(ses.getSuppressedDestination({ EmailAddress }));
      return listed?.SuppressedDestination?.Reason?.toLowerCase() ?? null;
    },
    storeCredentials: (credentials) => store(SecretName, credentials),
    storeChannelAddress: ChannelsSecretName === undefined ? null : storeAddressIn(ChannelsSecretName),
    publicUrl: outputs.PublicUrl,
    trigger: async (payload, name) => {
      // Lambda does not wait for the end of the execution: it may take days.
      const invocation = { FunctionName: outputs.RunFunctionAlias, InvocationType: 'Event' as const };
      const order = { DurableExecutionName: name, Payload: JSON.stringify(payload) };
      const { DurableExecutionArn } = await lambda.invoke({ ...invocation, ...order });
      return () => waitForEnd(lambda, DurableExecutionArn);
    },
    [Symbol.asyncDispose]: async () => Object.values(clients).forEach((client) => client.destroy()),
  };
}

async function waitForEnd(lambda: Lambda, DurableExecutionArn: string | undefined): Promise<TriggerOutcome> {
  for (let polls = 0; ; polls += 1) {
    const answer = lambda.getDurableExecution({ DurableExecutionArn });
    const execution = await (polls < pollsOfStart ? orNull(answer) : answer);
    if (execution?.Status === 'SUCCEEDED') return triggerOutcomeOf({ result: JSON.parse(execution.Result ?? 'null') });
    if (execution !== null && execution.Status !== 'RUNNING') return triggerOutcomeOf({ error: execution.Error ?? {} });
    await sleep(pollMs);
  }
}

/** The stack does not exist, or lacks an output of this application. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

const outputsSchema = v.object({
  TableName: v.string(),
  /** ARN of the run function's alias. */
  RunFunctionAlias: v.string(),
  /** The secret with the service's credentials. */
  SecretName: v.string(),
  /** The one with channels' addresses; missing where no report had a channel when the stack was deployed. */
  ChannelsSecretName: v.optional(v.string()),
  /** The topic that alarms and notices are published to. */
  AlarmTopicArn: v.string(),
  /** Where the links in mails lead, without a slash at its end. */
  PublicUrl: v.string(),
});

/** Reads a stack's outputs. Throws a `StackError` where there is no such stack, or it lacks one. */
export async function readStackOutputs(client: CloudFormation, StackName: string) {
  const described = await orNull(client.describeStacks({ StackName }), /^ValidationError$/);
  const noStack = `There is no stack "${StackName}" in this account and region. Deploy it, or name another by --env.`;
  if (described === null) throw new StackError(noStack);
  const { Stacks: [{ Outputs = [], StackStatus } = {}] = [] } = described;
  const values = Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const { success, output, issues = [] } = v.safeParse(outputsSchema, values);
  if (success) return output;
  const missing = issues.map((issue) => `"${v.getDotPath(issue)}"`).join(', ');
  const lacks = `Stack "${StackName}" has no output ${missing}. Its state is ${StackStatus}`;
  throw new StackError(`${lacks}: deploy this version first.`);
}
