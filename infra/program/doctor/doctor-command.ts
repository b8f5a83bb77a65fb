import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { type CommandResult, createProgress } from '../command-line/answer.ts';
import { examineDeployment } from './deployment.ts';
import { presentFindings, type Finding } from './finding.ts';
import { examineService } from './service.ts';
import { createClients } from '../targets/deployed.ts';
import { serviceOf, stackOf, type Place } from '../targets/place.ts';

/**
 * Examines the service that the place names, before anything is deployed, else the sample account or the deployed side with its
 * service, and says what to change.
 */
export async function doctorCommand(place: Place, report: ReportConfiguration): Promise<CommandResult> {
  const progress = createProgress();
  try {
    return presentFindings(await examine(place, report, progress.say));
  } finally {
    progress.end();
  }
}

async function examine(place: Place, report: ReportConfiguration, say: (text: string) => void): Promise<Finding[]> {
  const { configuration } = place;
  const examineAt = (baseUrl: string, credentials: Credentials): Promise<Finding[]> => {
    const asked = { ...configuration, service: { ...configuration.service, baseUrl } };
    return examineService(asked, report, credentials, say);
  };
  const service = serviceOf(place);
  if (service !== null) return await examineAt(service.url, service.credentials);
  if (place.local) {
    await using sample = await startSampleAccount({ asOf: new Date() });
    return await examineAt(sample.url, sample.credentials);
  }
  const clients = {
    ...createClients(),
    scheduler: new SchedulerClient({}),
    secrets: new SecretsManagerClient({}),
    sns: new SNSClient({}),
  };
  await using open = new AsyncDisposableStack();
  for (const client of Object.values(clients)) open.defer(() => client.destroy());
  const deployment = { ...clients, configuration, stack: stackOf(place), now: Temporal.Now.instant() };
  const { findings, credentials } = await examineDeployment(deployment, say);
  if (credentials === null) return findings;
  return [...findings, ...(await examineAt(configuration.service.baseUrl, credentials))];
}
