import { randomUUID } from 'node:crypto';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import {
  batchResponseSchema,
  failureResponseSchema,
  type CollectRequest,
} from '../../../functions/collect/protocol.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { boundsOf } from '../../../functions/domain/period.ts';
import { latestDue } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { type CommandResult, createProgress } from '../command-line/answer.ts';
import { serviceOf, type Place } from '../targets/place.ts';
import { examineDeployment } from './deployment.ts';
import { fault, good, presentFindings, type Finding, type Said, type Say } from './finding.ts';
import { examineService } from './service.ts';
import { openDeployment, type DeployedStack } from './stack.ts';

/** A place; whether the exit code tells that something is worth a look; and whether the deployed worker asks the service. */
type DoctorPlace = Place & { strict: boolean; deployed?: boolean };

/**
 * Examines the service that the place names, before anything is deployed, else the sample account or the deployed side with its
 * service, and says what to change.
 */
export async function doctorCommand(place: DoctorPlace, report: ReportConfiguration): Promise<CommandResult> {
  const progress = createProgress();
  return presentFindings(await examine(place, report, progress.say).finally(progress.end), place);
}

async function examine(place: DoctorPlace, report: ReportConfiguration, say: Say): Promise<Finding[]> {
  const { configuration, deployed = false } = place;
  await using open = new AsyncDisposableStack();
  const service = serviceOf(place) ?? (place.local ? open.use(await startSampleAccount({ asOf: new Date() })) : null);
  if (service !== null) {
    const asked = { ...configuration, service: { ...configuration.service, baseUrl: service.url } };
    return await examineService(asked, report, service.credentials, say);
  }
  const worker = { 'deployed worker': (stack: DeployedStack) => askWorker(stack, report) };
  const { findings, credentials } = await examineDeployment(openDeployment(place, open), say, deployed ? worker : {});
  if (deployed || credentials === null) return findings;
  return [...findings, ...(await examineService(configuration, report, credentials, say))];
}

/** What the worker is asked for: the list, as a run asks for it. It stays in the ledger for 30 days, as a collection of no run. */
function requestOf(report: ReportConfiguration, { now, configuration }: DeployedStack): CollectRequest {
  const bounds = boundsOf(latestDue(report.schedule, now).period);
  const settings = { service: configuration.service, statuses: report.statuses };
  return { run: 'doctor', collection: randomUUID(), phase: 'list', batch: 0, from: 0, bounds, ...settings };
}

/** Whether the deployed worker reaches the service, with the credentials in the secret and from where it runs. */
export async function askWorker(side: DeployedStack, report: ReportConfiguration): Promise<Said[]> {
  const [FunctionName] = await side.resources('AWS::Lambda::Function', 'Collect');
  const Payload = JSON.stringify(requestOf(report, side));
  const answer = await side.lambda.send(new InvokeCommand({ FunctionName, Payload }));
  const response: unknown = JSON.parse(Buffer.from(answer.Payload ?? 'null').toString());
  if (v.is(batchResponseSchema, response))
    return [good(`The deployed worker reads ${count(response.asked, 'delivery', 'deliveries')}.`)];
  const isRefused = v.is(failureResponseSchema, response);
  const why = isRefused ? response.failure.message : String(Object(response).errorMessage);
  return [fault(`The deployed worker cannot collect. ${why}`)];
}
