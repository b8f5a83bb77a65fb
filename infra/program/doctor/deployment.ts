import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient, type GetScheduleOutput } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, type GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readSubscribers } from '../../../functions/ledger/persons/members.ts';
import { openHashes } from '../../../functions/ledger/persons/persons.ts';
import { createTable, type Table } from '../../../functions/ledger/table.ts';
import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../functions/reporting-service/tokens/credentials.ts';
import { inspectLeftReports } from '../../../functions/watch/inspect.ts';
import { hashConfiguration } from '../../config.ts';
import { scheduleExpression } from '../../schedule-expression.ts';
import { describePause } from '../commands/report.ts';
import { sayInstant } from '../command-line/answer.ts';
import { createClients, orNull, readStackOutputs, StackError, type StackOutputs } from '../targets/deployed.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Finding, type Said, type Say } from './finding.ts';

/** The AWS clients that a stack is examined with. */
export function createDoctorClients() {
  return {
    ...createClients(),
    scheduler: new SchedulerClient({}),
    secrets: new SecretsManagerClient({}),
    sns: new SNSClient({}),
  };
}

/** A stack, and the clients to examine it with. */
interface Deployment extends ReturnType<typeof createDoctorClients> {
  stack: string;
  /** The configuration in this repository's `cdk.json`. */
  configuration: Configuration;
  now: Temporal.Instant;
}

/** A stack that is there. */
type DeployedSide = Deployment & { outputs: StackOutputs; table: Table };

/**
 * Examines what a stack needs to mail its reports; one that is not there is a finding. Gives the credentials where the secret has
 * them. The caller is not named, since the name of a session is often an address.
 */
export async function examineDeployment(
  deployment: Deployment,
  say: Say,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { cloudFormation, dynamoDb, stack, sts } = deployment;
  const { Account = 'unknown' } = await sts.send(new GetCallerIdentityCommand({}));
  const account = { check: 'account', ...good(`This is account ${Account}, region ${await sts.config.region()}.`) };
  const outputs = await attempt(StackError, () => readStackOutputs(cloudFormation, stack));
  if (outputs instanceof StackError)
    return { findings: [account, { check: 'stack', ...fault(outputs.message) }], credentials: null };
  let credentials: Credentials | null = null;
  const checks: Checks<DeployedSide> = {
    configuration: examineConfiguration,
    secret: async ({ secrets, outputs: { secret } }) => {
      const read = await attempt(CredentialsError, () => readCredentials(secrets, secret));
      if (read instanceof CredentialsError) return [fault(`${read.message} Until then, nobody gets mail.`)];
      credentials = read;
      return [good(`Secret "${secret}" has a client id and a secret.`)];
    },
    identity: examineIdentity,
    sending: examineSending,
    concurrency: examineConcurrency,
    alarms: examineAlarms,
    schedules: examineSchedules,
  };
  const side = { ...deployment, outputs, table: createTable(dynamoDb, outputs.table) };
  return { findings: [account, ...(await runChecks(checks, side, say))], credentials };
}

/** Whether the stack has the configuration that this command reads, since every other check is made with that one. */
function examineConfiguration({ outputs: { configurationHash }, configuration }: DeployedSide): Said[] {
  return configurationHash === hashConfiguration(configuration)
    ? [good('The stack has the configuration of cdk.json.')]
    : [look('The stack has a different configuration from cdk.json: deploy, or check out what was deployed.')];
}

/** Whether SES has verified the sender, and signs the mail: an address is signed for by its domain's identity, where there is one. */
async function examineIdentity({ ses, configuration }: DeployedSide): Promise<Said[]> {
  const { from, identity } = configuration.mail;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const readIdentity = (EmailIdentity: string) => orNull(ses.send(new GetEmailIdentityCommand({ EmailIdentity })));
  const ofDomain = await readIdentity(domain);
  const sender = identity.of === 'domain' ? ofDomain : await readIdentity(from);
  const called = identity.of === 'domain' ? `the domain ${domain}` : 'the address of "mail.from"';
  if (sender === null) return [fault(`SES does not know ${called}.`)];
  return [
    sender.VerifiedForSendingStatus === true
      ? good(`SES has verified ${called}.`)
      : fault(`SES has not verified ${called}: follow the link in its mail, or set its DNS records.`),
    isSigned(sender) || (ofDomain !== null && isSigned(ofDomain))
      ? good(`SES signs the mail as ${domain}.`)
      : unsigned(identity.of),
  ];
}

function isSigned({ DkimAttributes }: GetEmailIdentityResponse): boolean {
  return DkimAttributes?.SigningEnabled === true && DkimAttributes.Status === 'SUCCESS';
}

/** https://www.rfc-editor.org/rfc/rfc8058#section-4 */
function unsigned(of: 'address' | 'domain'): Said {
  const why =
    'SES does not sign the mail with DKIM of your domain: mail programs show no button to unsubscribe, and receivers may take it for spam.';
  if (of === 'address') return look(why, { name: 'mail.identity.of', value: '"domain"' });
  return look(`${why} Set the CNAME records of the stack's outputs (…DkimRecord1 to 3).`);
}

/** Whether the account may send, to anybody, and to as many a day as there are subscribers. */
async function* examineSending({ ses, configuration, table }: DeployedSide): AsyncGenerator<Said> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await ses.send(new GetAccountCommand({}));
  const quota = SendQuota?.Max24HourSend ?? 0;
  const hashOf = await openHashes(table);
  let people = 0;
  for (const report of configuration.reports) people += (await readSubscribers(table, report, hashOf)).length;
  const accepts = `SES accepts ${quota < 0 ? 'any number of messages' : count(quota, 'message')} a day`;
  const subscribers = count(people, 'subscriber');
  if (SendingEnabled === false) yield fault('SES has stopped this account from sending.');
  yield ProductionAccessEnabled === true
    ? good("The account is out of SES's sandbox.")
    : look("The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.");
  yield quota < 0 || quota >= people
    ? good(`${accepts}; all reports together have ${subscribers}.`)
    : fault(`${accepts}, fewer than the ${subscribers} of all reports. Ask AWS for more.`);
}

/**
 * With fewer executions at once, the events of SES wait for each other while a run sends, and the runs of several reports do.
 * New accounts may have 10; AWS's default is 1,000.
 */
const enoughExecutions = 50;

/** Whether Lambda has room in this account for the runs, their workers and SES's events at once. */
async function examineConcurrency({ lambda }: DeployedSide): Promise<Said[]> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = ConcurrentExecutions } = AccountLimit ?? {};
  const found = `Lambda runs at most ${UnreservedConcurrentExecutions} functions of this account at once`;
  if (UnreservedConcurrentExecutions >= enoughExecutions) return [good(`${found}.`)];
  const ask = 'Ask AWS for more (Service Quotas, AWS Lambda, "Concurrent executions").';
  return [look(`${found}: runs and SES's events would wait for each other. ${ask}`)];
}

/**
 * Whether somebody hears of alarms and notices. SNS lists a subscription with "PendingConfirmation" in place of its ARN until
 * its owner has confirmed it; until then it gets nothing.
 */
async function examineAlarms({ sns, outputs: { alarmTopic: TopicArn }, configuration }: DeployedSide): Promise<Said[]> {
  const { alarmAddresses } = configuration.operations;
  const confirmed: string[] = [];
  for await (const page of paginateListSubscriptionsByTopic({ client: sns }, { TopicArn })) {
    for (const { SubscriptionArn = '', Endpoint = '' } of page.Subscriptions ?? [])
      if (SubscriptionArn.startsWith('arn:')) confirmed.push(Endpoint.toLowerCase());
  }
  if (confirmed.length === 0 && alarmAddresses.length === 0) {
    const setting = { name: 'operations.alarmAddresses', value: "the operators' addresses" };
    return [look('Nobody gets alarms and notices.', setting)];
  }
  // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html: a token is valid for two days.
  const confirm =
    'each has a mail from AWS with a link to confirm, good for two days ("aws sns subscribe" sends another)';
  if (confirmed.length === 0) return [fault(`Nobody gets alarms and notices: ${confirm}.`)];
  const open = alarmAddresses.filter((address) => !confirmed.includes(address.toLowerCase())).length;
  const addresses = count(alarmAddresses.length, 'alarm address', 'alarm addresses');
  return open > 0
    ? [look(`${open} of ${addresses} get nothing: ${confirm}.`)]
    : [good(`Alarms and notices go to ${count(confirmed.length, 'confirmed subscription')}.`)];
}

const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';

/** The event of a schedule. That of a report names it; the watch's is empty. */
const inputSchema = v.fallback(v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()) })), {});

/** Whether each report's own schedule is on and fires when `cdk.json` says, and when that is next; and whether the watch's is on. */
async function* examineSchedules(side: DeployedSide): AsyncGenerator<Said> {
  const { reports } = side.configuration;
  const schedules = await readSchedules(side);
  for (const report of reports) yield await examineReport(side, report, schedules.get(report.name));
  for (const { report } of await inspectLeftReports(side.table, reports, side.now)) {
    const found = `The ledger knows a report "${report}", which is not in cdk.json.`;
    yield look(`${found} If it has another name now: "move ${report} NEW".`);
  }
  if ((schedules.get(null)?.State ?? 'ENABLED') !== 'ENABLED')
    yield fault(`The schedule of the watch is off: nobody is notified of a missing run. ${enable}`);
}

/** The schedules of the stack that exist, by the report that they trigger; `null` for that of the watch. */
async function readSchedules(side: DeployedSide): Promise<Map<string | null, GetScheduleOutput>> {
  const schedules = new Map<string | null, GetScheduleOutput>();
  const pages = paginateListStackResources({ client: side.cloudFormation }, { StackName: side.stack });
  for await (const page of pages) {
    for (const { ResourceType, PhysicalResourceId: Name } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== 'AWS::Scheduler::Schedule' || Name === undefined) continue;
      const schedule = await orNull(side.scheduler.send(new GetScheduleCommand({ Name })));
      // Deleted by hand: its report has none.
      if (schedule === null) continue;
      const { report = null } = v.parse(inputSchema, schedule.Target?.Input);
      schedules.set(report, schedule);
    }
  }
  return schedules;
}

async function examineReport(
  { table, now }: DeployedSide,
  report: ReportConfiguration,
  schedule: GetScheduleOutput | undefined,
): Promise<Said> {
  const { name, schedule: configured } = report;
  if (schedule === undefined) return fault(`Report "${name}" has no schedule: deploy.`);
  if (schedule.State !== 'ENABLED') return fault(`The schedule of report "${name}" is off. ${enable}`);
  const { timeZone } = configured;
  const fires = `${schedule.ScheduleExpression ?? ''} in ${schedule.ScheduleExpressionTimezone ?? 'UTC'}`;
  const meant = `${scheduleExpression(configured)} in ${timeZone}`;
  if (fires !== meant) return look(`Report "${name}" fires at ${fires}, and cdk.json says ${meant}: deploy.`);
  const paused = await describePause(table, report);
  if (paused.length > 0) return look(`${paused.join()} "resume ${name}" ends that.`);
  const next = nextDue(configured, now, 1).map(({ scheduledTime: at }) => `${sayInstant(at, timeZone)} (${at})`);
  return good(`Report "${name}" is on, next at ${next.join()}.`);
}
