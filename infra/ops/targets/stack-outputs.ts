import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';

/** The stack does not exist, or lacks an output of this application. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Names of the parts of a deployed stack. */
interface StackOutputs {
  /** Name of the ledger's table. */
  table: string;
  /** ARN of the run function's alias. */
  run: string;
  /** Name of the secret with the service's credentials. */
  secret: string;
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
  return { table: required('TableName'), run: required('RunFunctionAlias'), secret: required('SecretName') };
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
