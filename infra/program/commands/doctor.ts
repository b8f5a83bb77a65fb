import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { count } from '../../../functions/domain/wording.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { createProgress, exitCodes, type CommandResult } from '../command-line/result.ts';
import { chooseReport } from '../command-line/choices.ts';
import { defineCommand, flag } from '../command-line/command.ts';
import { askWorker, examineDeployment, openDeployment, type DeployedStack } from '../doctor/deployment.ts';
import type { Finding, Say } from '../doctor/finding.ts';
import { examineService, openService } from '../doctor/service.ts';
import { serviceOf, type Place } from '../targets/place.ts';

export default defineCommand({
  words: '[REPORT]',
  does: 'checks how the service answers, and what is deployed',
  more: 'It only reads, and names the setting to change. Act on LOOK and FAULT: a fault ends with 1.',
  example: 'doctor --service-url https://your-account.example.com',
  flags: [
    flag('--strict', 'end with 2 where something is worth a look'),
    flag('--deployed', 'have the deployed worker ask the service').conflicts(['local', 'serviceUrl']),
  ],
  work: (place: DoctorPlace, name?: string) => doctorCommand(place, chooseReport(place.configuration, name)),
});

/** A place; whether the exit code tells that something is worth a look; and whether the deployed worker asks the service. */
type DoctorPlace = Place & { strict: boolean; deployed?: boolean };

/**
 * Examines the service that the place names, before anything is deployed, else the sample account or the deployed side with its
 * service, and says what to change.
 */
export async function doctorCommand(place: DoctorPlace, report: ReportConfiguration): Promise<CommandResult> {
  using progress = createProgress();
  return presentFindings(await examine(place, report, progress.say), place);
}

async function examine(place: DoctorPlace, report: ReportConfiguration, say: Say): Promise<Finding[]> {
  const { configuration, deployed = false } = place;
  await using open = new AsyncDisposableStack();
  const service = serviceOf(place) ?? (place.local ? open.use(await startSampleAccount({ asOf: new Date() })) : null);
  if (service !== null) {
    const asked = { ...configuration, service: { ...configuration.service, baseUrl: service.url } };
    return await examineService(openService(asked, report, service.credentials, say));
  }
  const worker = { 'deployed worker': (stack: DeployedStack) => askWorker(stack, report) };
  const { findings, credentials } = await examineDeployment(openDeployment(place, open), say, deployed ? worker : {});
  if (deployed || credentials === null) return findings;
  return [...findings, ...(await examineService(openService(configuration, report, credentials, say)))];
}

const marks = { good: 'ok   ', look: 'LOOK ', fault: 'FAULT' };

/** Findings for an operator. The exit code is 1 where something does not work, and with `strict` 2 where something is worth a look. */
export function presentFindings(findings: readonly Finding[], { strict }: { strict: boolean }): CommandResult {
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const looks = findings.filter(({ verdict }) => verdict === 'look').length;
  const lines = findings.flatMap(({ check, verdict, sentence, setting }) => [
    `${marks[verdict]} ${check}: ${sentence}`,
    ...(setting === undefined ? [] : [`      -> set ${setting.name} in cdk.json to ${setting.value}`]),
  ]);
  return {
    json: { faults, looks, findings: findings.map(({ sentence, ...finding }) => ({ ...finding, found: sentence })) },
    lines: [...lines, `${count(faults, 'fault')}, ${count(looks, 'thing')} to look at.`],
    code: faults > 0 ? exitCodes.noDigest : strict && looks > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}
