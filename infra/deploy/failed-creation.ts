import {
  CloudFormationServiceException,
  DescribeStacksCommand,
  paginateListStackResources,
  StackStatus,
  UpdateTerminationProtectionCommand,
  type CloudFormationClient,
} from '@aws-sdk/client-cloudformation';

/** What is left of a stack whose creation failed and was rolled back. */
export interface FailedCreation {
  stack: string;
  /** Whether the stack is protected from deletion. The next deployment deletes it first, and could not. */
  isProtected: boolean;
  /** Names of the tables that were kept. */
  tables: string[];
}

const failed: ReadonlySet<unknown> = new Set([StackStatus.ROLLBACK_COMPLETE, StackStatus.ROLLBACK_FAILED]);

/**
 * What an earlier deployment of a stack left that failed before the stack ever existed; `null` where there is no such
 * stack, or it exists.
 *
 * @throws whatever CloudFormation or the way to it answers
 */
export async function findFailedCreation(client: CloudFormationClient, stack: string): Promise<FailedCreation | null> {
  const found = await describeStack(client, stack);
  if (!failed.has(found?.StackStatus)) return null;
  const tables: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stack })) {
    for (const { ResourceType, ResourceStatus, PhysicalResourceId } of StackResourceSummaries) {
      const isKept = ResourceType === 'AWS::DynamoDB::GlobalTable' && ResourceStatus === 'DELETE_SKIPPED';
      if (isKept && PhysicalResourceId !== undefined) tables.push(PhysicalResourceId);
    }
  }
  return { stack, isProtected: found?.EnableTerminationProtection === true, tables };
}

/** Takes the protection from deletion off a stack. */
export async function unprotect(client: CloudFormationClient, stack: string): Promise<void> {
  await client.send(new UpdateTerminationProtectionCommand({ StackName: stack, EnableTerminationProtection: false }));
}

async function describeStack(client: CloudFormationClient, stack: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation's answer where there is no such stack.
    if (error instanceof CloudFormationServiceException && error.name === 'ValidationError') return undefined;
    throw error;
  }
}
