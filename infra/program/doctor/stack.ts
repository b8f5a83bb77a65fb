import { paginateListStackResources, type ListStackResourcesOutput } from '@aws-sdk/client-cloudformation';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Temporal } from 'temporal-polyfill';
import { createTable } from '../../../functions/ledger/table.ts';
import { createClients, readStackOutputs } from '../targets/deployed.ts';
import { stackOf, type Place } from '../targets/place.ts';

/** The stack of a place, and the AWS clients to examine it with, until `open` is disposed of. */
export function openDeployment(place: Place, open: AsyncDisposableStack) {
  const clients = {
    ...createClients(),
    scheduler: new SchedulerClient({}),
    sns: new SNSClient({}),
    sqs: new SQSClient({}),
  };
  for (const client of Object.values(clients)) open.defer(() => client.destroy());
  // The configuration is that in this repository's `cdk.json`.
  return { ...clients, configuration: place.configuration, stack: stackOf(place), now: Temporal.Now.instant() };
}

/** A stack that may be there. */
export type Deployment = ReturnType<typeof openDeployment>;

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
    table: createTable(dynamoDb, outputs.TableName),
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
