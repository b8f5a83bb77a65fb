import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { good, look, type Finding } from '../finding.ts';
import type { DeployedSide } from './deployed-side.ts';

/**
 * With fewer executions at once, the events of SES wait for each other while a run sends, and the runs of several reports do.
 * New accounts may have 10; AWS's default is 1,000.
 */
const enoughExecutions = 50;

/** Whether Lambda has room in this account for the runs, their workers and SES's events at once. */
export async function examineConcurrency({ lambda }: DeployedSide): Promise<Finding[]> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = ConcurrentExecutions } = AccountLimit ?? {};
  const found = `Lambda runs at most ${UnreservedConcurrentExecutions} functions of this account at once`;
  return [
    UnreservedConcurrentExecutions >= enoughExecutions
      ? good('concurrency', `${found}.`)
      : look(
          'concurrency',
          `${found}: runs and SES's events would wait for each other. Ask AWS for more (Service Quotas, AWS Lambda, "Concurrent executions").`,
        ),
  ];
}
