import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import type { StackOutputs } from '../../targets/stack-outputs.ts';

/** A deployed stack and the clients to examine it with. */
export interface DeployedSide {
  /** The configuration in this repository's `cdk.json`. */
  configuration: Configuration;
  stack: string;
  outputs: StackOutputs;
  table: Table;
  now: Temporal.Instant;
  cloudFormation: CloudFormationClient;
  lambda: LambdaClient;
  scheduler: SchedulerClient;
  secrets: SecretsManagerClient;
  ses: SESv2Client;
  sns: SNSClient;
}
