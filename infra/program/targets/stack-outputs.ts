import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';

/** The stack does not exist, or lacks an output of this application. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Names of the parts of a deployed stack. Those that stacks of earlier releases do not put out may be missing. */
export interface StackOutputs {
  /** Name of the ledger's table. */
  table: string;
  /** ARN of the run function's alias. */
  run: string;
  /** Name of the secret with the service's credentials. */
  secret: string;
  /** ARN of the topic that alarms and notices are published to. */
  alarmTopic?: string;
  /** A hash of the configuration that is deployed, as `hashConfiguration` makes it. */
  configurationHash?: string;
  /** Where the pages behind mails are, and the name of the secret of their links; only where mails lead to pages. */
  pages?: { url: string; secretName: string };
}

/** Reads a stack's outputs. Throws a `StackError` where there is no such stack, or it lacks one. */
export async function readStackOutputs(client: CloudFormationClient, stack: string): Promise<StackOutputs> {
  const outputs = await describe(client, stack);
  const required = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined)
      throw new StackError(`Stack "${stack}" has no output "${name}". Deploy this version first.`);
    return value;
  };
  const alarmTopic = outputs.get('AlarmTopicArn');
  const configurationHash = outputs.get('ConfigurationHash');
  const pageUrl = outputs.get('PageUrl');
  return {
    table: required('TableName'),
    run: required('RunFunctionAlias'),
    secret: required('SecretName'),
    ...(alarmTopic === undefined ? {} : { alarmTopic }),
    ...(configurationHash === undefined ? {} : { configurationHash }),
    ...(pageUrl === undefined
      ? {}
      : { pages: { url: pageUrl.replace(/\/$/, ''), secretName: required('LinkSecretName') } }),
  };
}

async function describe(client: CloudFormationClient, stack: string): Promise<Map<string, string>> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (!(error instanceof CloudFormationServiceException) || error.name !== 'ValidationError') throw error;
    const message = `There is no stack "${stack}" in this account and region. Deploy it, or name another by --env or --stack.`;
    throw new StackError(message, { cause: error });
  }
}
