import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  type GetEmailIdentityResponse,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import { paginateListSubscriptionsByTopic, type SNSClient } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readSubscribers } from '../../../functions/ledger/addresses/subscribers.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../functions/reporting-service/tokens/credentials.ts';
import { hashConfiguration } from '../../config.ts';
import type { StackOutputs } from '../targets/deployed.ts';
import { fault, good, look, runChecks, type Check, type Finding, type Said } from './finding.ts';
import { examineSchedules } from './schedules.ts';
import { negligibleSkewMs } from './account.ts';

/** A deployed stack and the clients to examine it with. */
export interface DeployedSide {
  /** The configuration in this repository's `cdk.json`. */
  configuration: Configuration;
  stack: string;
  outputs: StackOutputs;
  table: Table;
  now: Temporal.Instant;
  cloudFormation: CloudFormationClient;
  lambda: LambdaClient;
  scheduler: SchedulerClient;
  secrets: SecretsManagerClient;
  ses: SESv2Client;
  sns: SNSClient;
}

/** What a stack needs to mail its reports. The secret is read before: it has the credentials. */
const checks: ReadonlyArray<Check<DeployedSide>> = [
  { check: 'identity', asks: 'SES whether the sender is verified and signed for', says: whereAllowed(examineIdentity) },
  {
    check: 'sending',
    asks: 'SES whether the account may send, to whom and how much',
    says: whereAllowed(examineSending),
  },
  { check: 'concurrency', asks: 'Lambda how much may run at once', says: whereAllowed(examineConcurrency) },
  { check: 'alarms', asks: 'SNS who hears of alarms and notices', says: whereAllowed(examineAlarms) },
  { check: 'schedules', asks: 'EventBridge whether each report fires, and when', says: whereAllowed(examineSchedules) },
];

/**
 * Examines what a stack needs to mail its reports. Gives the credentials where the secret has them.
 *
 * @param say is told what is asked
 */
export async function examineDeployment(
  side: DeployedSide,
  say: (text: string) => void,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { credentials, said } = await examineSecret(side);
  return {
    findings: [
      { check: 'configuration', ...examineConfiguration(side) },
      { check: 'secret', ...said },
      ...(await runChecks(checks, side, say)),
    ],
    credentials,
  };
}

/** A check that has no result, and says so, where AWS does not allow the operator to look. */
function whereAllowed(says: Check<DeployedSide>['says']): Check<DeployedSide>['says'] {
  return async (side) => {
    try {
      return await says(side);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [notChecked(error)];
    }
  };
}

function notChecked({ name }: Error): Said {
  return look(`This was not checked: AWS does not allow you to look at it (${name}).`);
}

/** The names by which AWS's services refuse something to a caller without the right to it. */
const refusals = new Set(['AccessDenied', 'AccessDeniedException', 'AuthorizationErrorException']);

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.has(error.name);
}

/** Whether the stack has the configuration that this command reads, since every other check is made with that one. */
function examineConfiguration({ outputs: { configurationHash }, configuration }: DeployedSide): Said {
  if (configurationHash === undefined)
    return look('The stack does not say which configuration it has: deploy this version.');
  return configurationHash === hashConfiguration(configuration)
    ? good('The stack has the configuration of cdk.json.')
    : look('The stack has a different configuration from cdk.json: deploy, or check out what was deployed.');
}

async function examineSecret({
  secrets,
  outputs: { secret },
}: DeployedSide): Promise<{ credentials: Credentials | null; said: Said }> {
  try {
    const credentials = await readCredentials(secrets, secret);
    return { credentials, said: good(`Secret "${secret}" has a client id and a secret.`) };
  } catch (error) {
    if (isRefusal(error)) return { credentials: null, said: notChecked(error) };
    if (!(error instanceof CredentialsError)) throw error;
    return { credentials: null, said: fault(`${error.message} Until then, nobody gets mail.`) };
  }
}

/** Whether SES has verified the sender, and signs the mail: an address is signed for by its domain's identity, where there is one. */
async function examineIdentity({ ses, configuration }: DeployedSide): Promise<Said[]> {
  const { from, identity } = configuration.mail;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const ofDomain = await readIdentity(ses, domain);
  const sender = identity.of === 'domain' ? ofDomain : await readIdentity(ses, from);
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

async function readIdentity(ses: SESv2Client, name: string): Promise<GetEmailIdentityResponse | null> {
  try {
    return await ses.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
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
async function examineSending({ ses, configuration, table }: DeployedSide): Promise<Said[]> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await ses.send(new GetAccountCommand({}));
  const quota = SendQuota?.Max24HourSend ?? 0;
  let people = 0;
  for (const report of configuration.reports) people += (await readSubscribers(table, report)).length;
  const accepts = `SES accepts ${quota < 0 ? 'any number of messages' : count(quota, 'message')} a day`;
  const subscribers = count(people, 'subscriber');
  return [
    ...(SendingEnabled === false ? [fault('SES has stopped this account from sending.')] : []),
    ProductionAccessEnabled === true
      ? good("The account is out of SES's sandbox.")
      : look("The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access."),
    quota < 0 || quota >= people
      ? good(`${accepts}; all reports together have ${subscribers}.`)
      : fault(`${accepts}, fewer than the ${subscribers} of all reports. Ask AWS for more.`),
  ];
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
async function examineAlarms({ sns, outputs, configuration }: DeployedSide): Promise<Said[]> {
  const { alarmTopic: TopicArn } = outputs;
  const { alarmAddresses } = configuration.operations;
  if (TopicArn === undefined) return [look('The stack does not name its topic: deploy this version.')];
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

const dated = v.object({ response: v.object({ headers: v.object({ date: v.string() }) }) });

/**
 * Which account and region the operator's AWS configuration leads to, and whether this machine's clock agrees with
 * AWS's: commands without `--at` mean the latest instant by this clock. The caller is not named, since the name of a
 * session is often an address.
 *
 * @param clock the time of this machine, in epoch milliseconds
 */
export async function examineCaller(sts: STSClient, clock: () => number): Promise<Finding[]> {
  const command = new GetCallerIdentityCommand({});
  let skewMs = Number.NaN;
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = v.safeParse(dated, result);
      if (answer.success) skewMs = clock() - Date.parse(answer.output.response.headers.date);
      return result;
    },
    { step: 'deserialize', name: 'readDate' },
  );
  const { Account = 'unknown' } = await sts.send(command);
  const account = { check: 'account', ...good(`This is account ${Account}, region ${await sts.config.region()}.`) };
  return Number.isNaN(skewMs) ? [account] : [account, { check: 'clock', ...describeSkew(skewMs) }];
}

function describeSkew(skewMs: number): Said {
  if (Math.abs(skewMs) < negligibleSkewMs) return good("This machine's clock agrees with AWS's.");
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return look(`This machine's clock is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} AWS's: set it.`);
}
