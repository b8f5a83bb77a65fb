import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { GetDurableExecutionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { createDynamoDbClient, createTable } from '../../../functions/ledger/table.ts';
import { readChannelAddresses } from '../../../functions/run/send/webhook.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { flagsOf, stackOf, type Place } from './place.ts';
import { scanTable } from './scan.ts';
import { triggerOutcomeOf, type RunTarget, type TriggerOutcome } from './target.ts';

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
    cloudFormation: new CloudFormationClient({}),
    dynamoDb,
    // Lambda takes a trigger only once under one name, so retries do no harm.
    lambda: new LambdaClient({}),
    secrets: new SecretsManagerClient({}),
    ses: new SESv2Client({}),
    sts: new STSClient({}),
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
  const stack = stackOf(place);
  const { table, run, secret, channelsSecret, publicUrl } = await readStackOutputs(clients.cloudFormation, stack);
  const store = async (SecretId: string, value: object): Promise<void> => {
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
  };
  const { Arn: caller = 'a caller without a name' } = await sts.send(new GetCallerIdentityCommand({}));
  return {
    stack: `the stack ${stack} in ${await lambda.config.region()}`,
    configuration: place.configuration,
    table: createTable(dynamoDb, table),
    scan: () => scanTable(dynamoDb, table),
    // A role's session is often named after its person's address, which the ledger has in one place alone.
    operator: caller.replace(/@[^/]*$/, ''),
    flags: flagsOf(place),
    outbox: null,
    liftFromAccount: async (EmailAddress) =>
      (await orNull(ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress })))) !== null,
    readFromAccount: async (EmailAddress) => {
      const found = await orNull(ses.send(new GetSuppressedDestinationCommand({ EmailAddress })));
      return found?.SuppressedDestination?.Reason?.toLowerCase() ?? null;
    },
    storeCredentials: (credentials) => store(secret, credentials),
    storeChannelAddress:
      channelsSecret === null
        ? null
        : async (channel, address) =>
            store(channelsSecret, { ...(await readChannelAddresses(secrets, channelsSecret)), [channel]: address }),
    publicUrl,
    serveFront: null,
    trigger: async (payload, name) => {
      const execution = await invoke(lambda, run, payload, name);
      return () => waitForEnd(lambda, execution);
    },
    [Symbol.asyncDispose]: () => {
      for (const client of Object.values(clients)) client.destroy();
      return Promise.resolve();
    },
  };
}

/** Starts an execution without waiting for it: it may take days. Returns its ARN. */
async function invoke(lambda: LambdaClient, alias: string, payload: object, name: string): Promise<string> {
  const { DurableExecutionArn } = await lambda.send(
    new InvokeCommand({
      FunctionName: alias,
      InvocationType: 'Event',
      DurableExecutionName: name,
      Payload: JSON.stringify(payload),
    }),
  );
  if (DurableExecutionArn === undefined) throw new Error('Lambda took the trigger but named no execution.');
  return DurableExecutionArn;
}

async function waitForEnd(lambda: LambdaClient, execution: string): Promise<TriggerOutcome> {
  for (let polls = 0; ; polls += 1) {
    const asked = lambda.send(new GetDurableExecutionCommand({ DurableExecutionArn: execution }));
    const found = await (polls < pollsOfStart ? orNull(asked) : asked);
    if (found?.Status === 'SUCCEEDED') return triggerOutcomeOf({ result: JSON.parse(found.Result ?? 'null') });
    if (found !== null && found.Status !== 'RUNNING') {
      const { ErrorType: errorType, ErrorMessage: errorMessage } = found.Error ?? {};
      return triggerOutcomeOf({ error: { errorType, errorMessage } });
    }
    await sleep(pollMs);
  }
}

/** What AWS answers; `null` where it answers that there is no such thing. */
export async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && /^(?:Resource)?NotFoundException$/.test(error.name)) return null;
    throw error;
  }
}

/** The stack does not exist, or lacks an output of this application. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Reads a stack's outputs. Throws a `StackError` where there is no such stack, or it lacks one. */
export async function readStackOutputs(client: CloudFormationClient, stack: string) {
  const { Outputs = [], StackStatus: status } = await describe(client, stack);
  const outputs = new Map(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const required = (name: string): string => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new StackError(
      `Stack "${stack}" has no output "${name}". Its state is ${status}: deploy this version first.`,
    );
  };
  return {
    /** The state of the stack's last operation, as CloudFormation names it. */
    status: status ?? 'unknown',
    table: required('TableName'),
    /** ARN of the run function's alias. */
    run: required('RunFunctionAlias'),
    /** Name of the secret with the service's credentials. */
    secret: required('SecretName'),
    /** The same of channels' addresses; `null` where no report had a channel when it was deployed. */
    channelsSecret: outputs.get('ChannelsSecretName') ?? null,
    /** ARN of the topic that alarms and notices are published to. */
    alarmTopic: required('AlarmTopicArn'),
    /** A hash of the configuration that is deployed, as `hashConfiguration` makes it. */
    configurationHash: required('ConfigurationHash'),
    /** Where the links in mails lead, without a slash at its end. */
    publicUrl: required('PublicUrl'),
    /** The sender that is deployed. */
    sender: required('SenderAddress'),
  };
}

async function describe(client: CloudFormationClient, StackName: string): Promise<Partial<Stack>> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0] ?? {};
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ValidationError') throw error;
    const message = `There is no stack "${StackName}" in this account and region. Deploy it, or name another by --env or --stack.`;
    throw new StackError(message, { cause: error });
  }
}
