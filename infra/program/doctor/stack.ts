import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { paginateListStackResources, type ListStackResourcesOutput } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { createClients, readStackOutputs } from '../targets/deployed.ts';

/** The AWS clients that a stack is examined with. */
export function createDoctorClients() {
  return {
    ...createClients(),
    cloudWatch: new CloudWatchClient({}),
    events: new EventBridgeClient({}),
    scheduler: new SchedulerClient({}),
    sns: new SNSClient({}),
    sqs: new SQSClient({}),
  };
}

/** A stack, and the clients to examine it with. */
export interface Deployment extends ReturnType<typeof createDoctorClients> {
  stack: string;
  /** The configuration in this repository's `cdk.json`. */
  configuration: Configuration;
  now: Temporal.Instant;
}

/** A stack that is there. */
export type DeployedStack = Awaited<ReturnType<typeof openStack>>;

/** The stack, with what it puts out. Throws a `StackError` where there is none, or its outputs lack one. */
export async function openStack(deployment: Deployment) {
  const { cloudFormation: client, dynamoDb, stack: StackName } = deployment;
  const outputs = await readStackOutputs(client, StackName);
  let listed: Promise<ListStackResourcesOutput[]> | undefined;
  return {
    ...deployment,
    outputs,
    table: createTable(dynamoDb, outputs.table),
    /**
     * The physical ids of its resources of a type, by which AWS knows them. `begin` is how the logical id begins: with the
     * ids of the constructs.
     */
    resources: async (type: string, begin = ''): Promise<string[]> => {
      listed ??= Array.fromAsync(paginateListStackResources({ client }, { StackName }));
      const resources = (await listed).flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
      return resources
        .filter(({ ResourceType, LogicalResourceId }) => ResourceType === type && LogicalResourceId?.startsWith(begin))
        .map(({ PhysicalResourceId = '' }) => PhysicalResourceId);
    },
  };
}
