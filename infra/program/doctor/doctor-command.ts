import { randomUUID } from 'node:crypto';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import {
  failureResponseSchema,
  plannedResponseSchema,
  type ObserveRequest,
} from '../../../functions/collect/protocol.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { count } from '../../../functions/domain/wording.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { type CommandResult, createProgress } from '../command-line/answer.ts';
import { serviceOf, type Place } from '../targets/place.ts';
import { examineDeployment, openDeployment, type DeployedStack } from './deployment.ts';
import { fault, good, presentFindings, type Finding, type Remark, type Say } from './finding.ts';
import { examineService } from './service.ts';

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
    const settings = { ...configuration.service, baseUrl: service.url };
    return await examineService({ ...configuration, service: settings }, report, service.credentials, say);
  }
  const worker = { 'deployed worker': (stack: DeployedStack) => askWorker(stack, report) };
  const { findings, credentials } = await examineDeployment(openDeployment(place, open), say, deployed ? worker : {});
  if (deployed || credentials === null) return findings;
  return [...findings, ...(await examineService(configuration, report, credentials, say))];
}

/**
 * Whether the deployed worker reaches the service, with the credentials in the secret and from where it runs: it is asked for the
 * list, as an observation asks it. That stays in the ledger for 30 days, as one of no account.
 */
export async function askWorker(stack: DeployedStack, report: ReportConfiguration): Promise<Remark[]> {
  const { resources, lambda, configuration, now } = stack;
  const request: ObserveRequest = {
    account: 'doctor',
    observation: randomUUID(),
    atMs: now.epochMilliseconds,
    before: null,
    phase: 'list',
    batch: 0,
    isLastTry: false,
    service: configuration.service,
    statuses: report.statuses,
    timeZone: report.schedule.timeZone,
    stepMinutes: 60,
  };
  const [FunctionName] = await resources('AWS::Lambda::Function', 'Collect');
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }));
  const response: unknown = JSON.parse(Buffer.from(answer.Payload ?? 'null').toString());
  if (v.is(plannedResponseSchema, response))
    return [good(`The deployed worker reads ${count(response.deliveries, 'delivery', 'deliveries')}.`)];
  const isRefused = v.is(failureResponseSchema, response);
  const why = isRefused ? response.failure.message : String(Object(response).errorMessage);
  return [fault(`The deployed worker cannot collect. ${why}`)];
}
