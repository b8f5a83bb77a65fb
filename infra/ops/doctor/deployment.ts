import {
  DetectStackResourceDriftCommand,
  paginateListStackResources,
  type CloudFormationClient,
} from '@aws-sdk/client-cloudformation';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, type SESv2Client } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { readSubscribers } from '../../../functions/ledger/addresses/subscribers.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../functions/reporting-service/tokens/credentials.ts';
import { parseExactJson } from '../../../functions/reporting-service/json.ts';
import { fault, good, look, type Finding } from './finding.ts';

/** The deployed side and the clients to examine it with. */
interface DeployedSide {
  configuration: Configuration;
  stack: string;
  table: Table;
  secretName: string;
  cloudFormation: CloudFormationClient;
  secrets: SecretsManagerClient;
  ses: SESv2Client;
}

/** Examines secret, identity, sandbox, quota and schedules. Returns the credentials where the secret has them. */
export async function examineDeployment(
  side: DeployedSide,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { credentials, finding } = await examineSecret(side);
  const findings = [
    finding,
    await examineIdentity(side),
    ...(await examineSending(side)),
    ...(await examineSchedules(side)),
  ];
  return { findings, credentials };
}

async function examineSecret({
  secrets,
  secretName,
}: DeployedSide): Promise<{ credentials: Credentials | null; finding: Finding }> {
  try {
    const credentials = await readCredentials(secrets, secretName);
    return { credentials, finding: good('secret', `Secret "${secretName}" has a client id and a secret.`) };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return { credentials: null, finding: fault('secret', error.message) };
  }
}

async function examineIdentity({ ses, configuration }: DeployedSide): Promise<Finding> {
  const { from, identity } = configuration.mail;
  const name = identity.of === 'domain' ? from.slice(from.lastIndexOf('@') + 1) : from;
  const called = identity.of === 'domain' ? `the domain ${name}` : 'the address of "mail.from"';
  try {
    const { VerifiedForSendingStatus } = await ses.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
    if (VerifiedForSendingStatus === true) return good('identity', `SES has verified ${called}.`);
    return fault('identity', `SES has not verified ${called}: follow the link of its mail, or set its DNS records.`);
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
    return fault('identity', `SES does not know ${called}.`);
  }
}

async function examineSending({ ses, configuration, table }: DeployedSide): Promise<Finding[]> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await ses.send(new GetAccountCommand({}));
  const quota = SendQuota?.Max24HourSend ?? 0;
  let subscribers = 0;
  for (const report of configuration.reports) subscribers += (await readSubscribers(table, report)).length;
  const enough = quota < 0 || quota >= subscribers;
  const quotaText = quota < 0 ? 'any number of messages' : `${quota} messages`;
  return [
    ...(SendingEnabled === false ? [fault('sending', 'SES has stopped this account from sending.')] : []),
    ProductionAccessEnabled === true
      ? good('sandbox', "The account is out of SES's sandbox.")
      : look(
          'sandbox',
          "The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.",
        ),
    enough
      ? good('quota', `SES takes ${quotaText} a day; all reports together have ${subscribers} subscribers.`)
      : fault(
          'quota',
          `SES takes ${quotaText} a day, fewer than the ${subscribers} subscribers of all reports. Ask AWS for more.`,
        ),
  ];
}

const scheduleProperties = v.object({ State: v.optional(v.string(), 'ENABLED') });

/** Whether the schedules are on: one that was disabled by hand differs from its template. */
async function examineSchedules({ cloudFormation, stack, configuration, table }: DeployedSide): Promise<Finding[]> {
  const schedules: string[] = [];
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stack })) {
    for (const { ResourceType, LogicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType === 'AWS::Scheduler::Schedule' && LogicalResourceId !== undefined)
        schedules.push(LogicalResourceId);
    }
  }
  const states = await Promise.all(schedules.map((id) => stateOf(id, { cloudFormation, stack })));
  const on = states.filter((state) => state === 'ENABLED').length;
  const reports = configuration.reports.length;
  const paused = await Promise.all(
    configuration.reports.map(async (report) => ({
      name: report.name,
      pausedAt: (await readReport(table, report))?.pausedAt,
    })),
  );
  return [
    on >= reports
      ? good('schedules', `The schedules of all ${reports} reports are on.`)
      : fault('schedules', `${on} schedules are on, of ${reports} reports: enable them, or deploy again.`),
    ...paused
      .filter(({ pausedAt }) => pausedAt !== undefined)
      .map(({ name, pausedAt }) => look('schedules', `Report "${name}" is paused since ${pausedAt}.`)),
  ];
}

async function stateOf(
  id: string,
  { cloudFormation, stack }: { cloudFormation: CloudFormationClient; stack: string },
): Promise<string> {
  const { StackResourceDrift: drift } = await cloudFormation.send(
    new DetectStackResourceDriftCommand({ StackName: stack, LogicalResourceId: id }),
  );
  if (drift?.StackResourceDriftStatus === 'DELETED') return 'DELETED';
  return v.parse(scheduleProperties, parseExactJson(drift?.ActualProperties ?? '{}')).State;
}
