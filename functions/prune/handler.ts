import { Logger } from '@aws-lambda-powertools/logger';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { answerDeployment, parseDeployment } from './deployment.ts';
import { pruneVersions } from './versions.ts';

const lambda = new LambdaClient({});
const logger = new Logger({ serviceName: 'prune' });

/**
 * Called by CloudFormation when a deployment has put a new version of the run in place: removes the versions that no run
 * can need any more. That it fails is no reason for a deployment to fail: the versions wait for the next one.
 */
export async function handler(event: unknown): Promise<void> {
  const deployment = parseDeployment(event);
  const { functionName, keepHours } = deployment;
  try {
    if (deployment.kind === 'Update') {
      const pruned = await pruneVersions(lambda, { functionName, keepHours, now: Date.now() });
      logger.info('Versions that no run can need were removed.', { pruned });
    }
  } catch (error) {
    logger.error('Old versions could not be removed; the next deployment tries again.', { error });
  }
  await answerDeployment(deployment);
}
