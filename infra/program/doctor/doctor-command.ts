import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { type CommandResult, createProgress } from '../command-line/answer.ts';
import { createDoctorClients, examineDeployment } from './deployment.ts';
import { presentFindings, type Finding, type Say } from './finding.ts';
import { examineService } from './service.ts';
import { serviceOf, stackOf, type Place } from '../targets/place.ts';

/**
 * Examines the service that the place names, before anything is deployed, else the sample account or the deployed side with its
 * service, and says what to change.
 */
export async function doctorCommand(place: Place, report: ReportConfiguration): Promise<CommandResult> {
  const progress = createProgress();
  return presentFindings(await examine(place, report, progress.say).finally(progress.end));
}

async function examine(place: Place, report: ReportConfiguration, say: Say): Promise<Finding[]> {
  const { configuration } = place;
  await using open = new AsyncDisposableStack();
  const service = serviceOf(place) ?? (place.local ? open.use(await startSampleAccount({ asOf: new Date() })) : null);
  if (service !== null) {
    const asked = { ...configuration, service: { ...configuration.service, baseUrl: service.url } };
    return await examineService(asked, report, service.credentials, say);
  }
  const clients = createDoctorClients();
  for (const client of Object.values(clients)) open.defer(() => client.destroy());
  const deployment = { ...clients, configuration, stack: stackOf(place), now: Temporal.Now.instant() };
  const { findings, credentials } = await examineDeployment(deployment, say);
  if (credentials === null) return findings;
  return [...findings, ...(await examineService(configuration, report, credentials, say))];
}
