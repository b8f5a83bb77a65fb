import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { chooseReport } from '../../local/command-line/choices.ts';
import { createProgress } from '../../local/output/progress.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import type { CommandResult } from '../command-line/answer.ts';
import { examineCaller, examineDeployment } from './deployment.ts';
import { fault, presentFindings, type Finding } from './finding.ts';
import { examineService } from './service.ts';
import { createClients } from '../targets/deployed.ts';
import { readStackOutputs, StackError } from '../targets/stack-outputs.ts';
import { loadConfiguration } from '../../config.ts';

/** What the doctor examines: a service before anything is deployed, the sample account, or a deployed stack with its service. */
export type Examined =
  | { kind: 'service'; url: string; credentials: Credentials }
  | { kind: 'sample' }
  | { kind: 'stack'; stack: string };

/** Examines a service, and the deployed side where there is one, and says what to change. */
export async function doctorCommand(
  examined: Examined,
  options: { environment: string | undefined; report: string | undefined },
): Promise<CommandResult> {
  const progress = createProgress();
  try {
    return presentFindings(await examine(examined, options, progress.say));
  } finally {
    progress.end();
  }
}

async function examine(
  examined: Examined,
  { environment, report }: { environment: string | undefined; report: string | undefined },
  say: (text: string) => void,
): Promise<Finding[]> {
  const load = (overlay: Record<string, unknown>): Configuration => loadConfiguration({ environment, overlay });
  const withService = (
    configuration: Configuration,
    credentials: Credentials,
    clockIsRight = false,
  ): Promise<Finding[]> =>
    examineService(configuration, chooseReport(configuration, report), { credentials, clockIsRight, say });
  if (examined.kind === 'service')
    return await withService(load({ service: { baseUrl: examined.url } }), examined.credentials);
  if (examined.kind === 'sample') {
    const sample = await startSampleAccount({ asOf: new Date() });
    try {
      return await withService(load({ service: { baseUrl: sample.url } }), sample.credentials);
    } finally {
      await sample.close();
    }
  }
  const configuration = load({});
  const { findings, credentials } = await examineStack(configuration, examined.stack, say);
  if (credentials === null) return findings;
  const clockIsRight = findings.some(({ check, verdict }) => check === 'clock' && verdict === 'good');
  return [...findings, ...(await withService(configuration, credentials, clockIsRight))];
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
