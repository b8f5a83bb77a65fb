import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { loadConfiguration } from '../../config.ts';
import { chooseReport } from '../../local/command-line/choices.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { createProgress } from '../../local/output/progress.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import type { CommandResult } from '../command-line/answer.ts';
import { createClients, type Clients } from '../targets/deployed.ts';
import { examineDeployment } from '../doctor/deployment.ts';
import type { Finding } from '../doctor/finding.ts';
import { examineService } from '../doctor/service.ts';
import { readStackOutputs } from '../targets/stack-outputs.ts';

/** What the doctor looks at: a service before anything is deployed, the sample account, or a deployed stack and its service. */
export type Examined =
  | { kind: 'service'; url: string; credentials: Credentials }
  | { kind: 'sample' }
  | { kind: 'stack'; stack: string };

/** Looks at a service, and at the deployed side where there is one; says what to change. */
export async function doctorCommand(
  patient: Examined,
  options: { environment: string | undefined; report: string | undefined },
): Promise<CommandResult> {
  const progress = createProgress();
  try {
    return present(await examine(patient, options, progress.say));
  } finally {
    progress.end();
  }
}

async function examine(
  patient: Examined,
  { environment, report }: { environment: string | undefined; report: string | undefined },
  say: (text: string) => void,
): Promise<Finding[]> {
  const load = (overlay: Record<string, unknown>): Configuration =>
    loadConfiguration({ today: Temporal.Now.plainDateISO('UTC').toString(), environment, overlay });
  const visit = (configuration: Configuration, credentials: Credentials): Promise<Finding[]> =>
    examineService(configuration, chooseReport(configuration, report), credentials, say);
  if (patient.kind === 'service') return await visit(load({ service: { baseUrl: patient.url } }), patient.credentials);
  if (patient.kind === 'sample') {
    const sample = await startSampleAccount({ asOf: new Date() });
    try {
      return await visit(load({ service: { baseUrl: sample.url } }), sample.credentials);
    } finally {
      await sample.close();
    }
  }
  const configuration = load({});
  say('Looking at the deployed side …');
  const { findings, credentials } = await examineStack(configuration, patient.stack, createClients());
  return credentials === null ? findings : [...findings, ...(await visit(configuration, credentials))];
}

async function examineStack(
  configuration: Configuration,
  stack: string,
  { cloudFormation, dynamoDb, ses }: Clients,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { table, secret } = await readStackOutputs(cloudFormation, stack);
  const secrets = new SecretsManagerClient({});
  return await examineDeployment({
    configuration,
    stack,
    table: createTable(dynamoDb, table),
    secretName: secret,
    cloudFormation,
    secrets,
    ses,
  });
}

/** Findings for an operator. The exit code is 1 where something does not work, 2 where something is worth a look. */
export function present(findings: readonly Finding[]): CommandResult {
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const looks = findings.filter(({ verdict }) => verdict === 'look').length;
  return {
    json: { faults, looks, findings },
    lines: [...findings.flatMap(describe), `${faults} faults, ${looks} things to look at.`],
    code: faults > 0 ? exitCodes.noDigest : looks > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

function describe({ check, verdict, found, setting, sample }: Finding): string[] {
  const mark = { good: 'ok   ', look: 'LOOK ', fault: 'FAULT' }[verdict];
  return [
    `${mark} ${check}: ${found}`,
    ...(setting === undefined ? [] : [`      -> set ${setting.name} in cdk.json to ${setting.value}`]),
    ...(sample === undefined ? [] : [`      such as ${JSON.stringify(sample)}`]),
  ];
}
