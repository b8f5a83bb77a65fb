import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

/**
 * Whether old items expire, and the table can be restored and not be deleted by mistake: one that was restored has none of this
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html).
 */
export async function* examineLedger({ dynamoDb, outputs }: DeployedStack): AsyncGenerator<Said> {
  const named = { TableName: outputs.table };
  const { Table } = await dynamoDb.send(new DescribeTableCommand(named));
  const { TimeToLiveDescription: ttl } = await dynamoDb.send(new DescribeTimeToLiveCommand(named));
  const { ContinuousBackupsDescription } = await dynamoDb.send(new DescribeContinuousBackupsCommand(named));
  const { PointInTimeRecoveryStatus } = ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  const settings = {
    'update-time-to-live --time-to-live-specification Enabled=true,AttributeName=expiresAt':
      ttl?.AttributeName === 'expiresAt' && /^ENABL(?:ED|ING)$/.test(ttl.TimeToLiveStatus ?? ''),
    'update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true':
      PointInTimeRecoveryStatus === 'ENABLED',
    'update-table --deletion-protection-enabled': Table?.DeletionProtectionEnabled === true,
  };
  const lacking = Object.entries(settings).filter(([, isSet]) => !isSet);
  for (const [command] of lacking)
    yield fault(`The ledger's table lacks a setting. "aws dynamodb ${command} --table-name ${outputs.table}" sets it.`);
  if (lacking.length === 0) yield good('The items of the ledger expire, and it can be restored and not be deleted.');
}

/**
 * Whether a deployment would take the sender from runs in progress. They stay on their version, which sends as the old one, but
 * rights are the role's, which all versions share. A release begins on the new version, so held runs may wait.
 */
export async function* examineSender({ outputs, table, configuration }: DeployedStack): AsyncGenerator<Said> {
  if (outputs.sender === configuration.mail.from) return;
  const runs = await Promise.all(configuration.reports.map((report) => readRunsFrom(table, report, '0000')));
  const open = runs.flat().filter(({ state, error }) => !/^(?:held|done|failed)$/.test(state) && error === undefined);
  const found = `cdk.json has another "mail.from" than the stack, and runs are in progress: ${open.map(({ run }) => run).join(', ')}.`;
  if (open.length > 0) yield look(`${found} Deploy once they have ended, or they may not send the rest.`);
}
