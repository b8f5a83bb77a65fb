import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { type CommandResult, createProgress } from '../command-line/answer.ts';
import { examineCaller, examineDeployment } from './deployment.ts';
import { fault, presentFindings, type Finding } from './finding.ts';
import { examineService } from './service.ts';
import { createClients, readStackOutputs, StackError } from '../targets/deployed.ts';
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
  const examineAt = (baseUrl: string, credentials: Credentials, clockIsRight = false): Promise<Finding[]> => {
    const asked = { ...configuration, service: { ...configuration.service, baseUrl } };
    return examineService(asked, report, { credentials, clockIsRight }, say);
  };
  const service = serviceOf(place);
  if (service !== null) return await examineAt(service.url, service.credentials);
  if (place.local) {
    await using sample = await startSampleAccount({ asOf: new Date() });
    return await examineAt(sample.url, sample.credentials);
  }
  const { findings, credentials } = await examineStack(configuration, stackOf(place), say);
  if (credentials === null) return findings;
  const clockIsRight = findings.some(({ check, verdict }) => check === 'clock' && verdict === 'good');
  return [...findings, ...(await examineAt(configuration.service.baseUrl, credentials, clockIsRight))];
}

/** Examines a stack in the account and region of the operator's AWS configuration. A stack that is not there is a finding. */
async function examineStack(
  configuration: Configuration,
  stack: string,
  say: (text: string) => void,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const clients = {
    ...createClients(),
    scheduler: new SchedulerClient({}),
    secrets: new SecretsManagerClient({}),
    sns: new SNSClient({}),
  };
  try {
    const caller = await examineCaller(clients.sts, Date.now);
    try {
      const outputs = await readStackOutputs(clients.cloudFormation, stack);
      const table = createTable(clients.dynamoDb, outputs.table);
      const side = { ...clients, configuration, stack, outputs, table, now: Temporal.Now.instant() };
      const { findings, credentials } = await examineDeployment(side, say);
      return { findings: [...caller, ...findings], credentials };
    } catch (error) {
      if (!(error instanceof StackError)) throw error;
      return { findings: [...caller, { check: 'stack', ...fault(error.message) }], credentials: null };
    }
  } finally {
    for (const client of Object.values(clients)) client.destroy();
  }
}
