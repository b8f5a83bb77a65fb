import { paginateListStackResources, type ListStackResourcesOutput } from '@aws-sdk/client-cloudformation';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readChannelOff } from '../../../functions/ledger/reports.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { headersOfEveryResponse, publicPaths } from '../../../functions/links/public-function.ts';
import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../functions/reporting-service/tokens/credentials.ts';
import { isChannelAddress, readChannelAddresses } from '../../../functions/run/send/webhook.ts';
import { sayInstant } from '../command-line/answer.ts';
import { describePause } from '../commands/report.ts';
import { readIdentities, tryIdentity } from '../commands/sender.ts';
import { createClients, orNull, readStackOutputs, StackError } from '../targets/deployed.ts';
import { stackOf, type Place } from '../targets/place.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Finding, type Remark, type Say } from './finding.ts';

/** The stack of a place, and the AWS clients to examine it with, until `open` is disposed of. */
export function openDeployment(place: Place, open: AsyncDisposableStack) {
  const clients = {
    ...createClients(),
    scheduler: new SchedulerClient({}),
    sns: new SNSClient({}),
    sqs: new SQSClient({}),
  };
  for (const client of Object.values(clients)) open.defer(() => client.destroy());
  // The configuration is that in this repository's `cdk.json`.
  return { ...clients, configuration: place.configuration, stack: stackOf(place), now: Temporal.Now.instant() };
}

/** A stack that may be there. */
type Deployment = ReturnType<typeof openDeployment>;

/** A stack that is there. */
export type DeployedStack = Awaited<ReturnType<typeof openStack>>;

/** The stack, with what it puts out. Throws a `StackError` where there is none, or its outputs lack one. */
async function openStack(deployment: Deployment) {
  const { cloudFormation: client, dynamoDb, stack: StackName } = deployment;
  const outputs = await readStackOutputs(client, StackName);
  let listed: Promise<ListStackResourcesOutput[]> | undefined;
  return {
    ...deployment,
    outputs,
    table: createTable(dynamoDb, outputs.TableName),
    /**
     * The physical ids of its resources of a type, by which AWS knows them. `begin` is how the logical id begins: with the
     * ids of the constructs.
     */
    resources: async (type: string, begin = ''): Promise<string[]> => {
      listed ??= Array.fromAsync(paginateListStackResources({ client }, { StackName }));
      const resources = (await listed).flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
      return resources
        .filter(({ ResourceType, LogicalResourceId }) => ResourceType === type && LogicalResourceId?.startsWith(begin))
        .map(({ PhysicalResourceId = '' }) => PhysicalResourceId);
    },
  };
}

/**
 * Examines what a stack needs to mail its reports, and makes `otherChecks` beside that; a stack that is not there is a finding.
 * Gives the credentials where the secret has them. The caller is not named, since the name of a session is often an address.
 */
export async function examineDeployment(
  deployment: Deployment,
  say: Say,
  otherChecks: Checks<DeployedStack> = {},
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { Account = 'unknown' } = await deployment.sts.send(new GetCallerIdentityCommand({}));
  const region = await deployment.sts.config.region();
  const account = { check: 'account', ...good(`This is account ${Account}, region ${region}.`) };
  const stack = await attempt(StackError, () => openStack(deployment));
  if (stack instanceof StackError) {
    // The sender is the account's, or another one's, and can be made ready before.
    const sender = await runChecks({ identity: examineIdentity }, deployment, say);
    return { findings: [account, { check: 'stack', ...fault(stack.message) }, ...sender], credentials: null };
  }
  let credentials: Credentials | null = null;
  const checks: Checks<DeployedStack> = {
    secret: async ({ secrets, outputs: { SecretName } }) => {
      const stored = await attempt(CredentialsError, () => readCredentials(secrets, SecretName));
      if (stored instanceof CredentialsError) return [fault(`${stored.message} Until then, nobody gets mail.`)];
      credentials = stored;
      return [good(`Secret "${SecretName}" has a client id and a secret.`)];
    },
    identity: examineIdentity,
    sending: examineSending,
    links: examineLinks,
    alarms: examineAlarms,
    'dead letters': examineDeadLetters,
    schedules: examineSchedules,
    channels: examineChannels,
    ...otherChecks,
  };
  return { findings: [account, ...(await runChecks(checks, stack, say))], credentials };
}

/**
 * Whether SES has verified the sender, and signs the mail. A verified domain is good for its subdomains and all addresses there.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 * https://www.rfc-editor.org/rfc/rfc8058#section-4
 */
async function examineIdentity({ ses, configuration: { mail } }: Deployment): Promise<Remark[]> {
  if ('arn' in mail.identity) return [await tryIdentity(mail, mail.identity.arn)];
  const kind = mail.identity.of;
  const { identities } = await readIdentities(ses, mail.from, kind);
  const show = '"npm run ops -- sender" shows what to do.';
  if (!identities.some((identity) => identity?.VerifiedForSendingStatus === true))
    return [fault(`SES has not verified the ${kind} of "mail.from": ${show}`)];
  const signed = identities.map((identity) => identity?.DkimAttributes).find((dkim) => dkim?.Status === 'SUCCESS');
  if (signed?.SigningEnabled === true) return [good('SES has verified the sender, and signs the mail as its domain.')];
  const why =
    'SES has verified the sender, but does not sign the mail with DKIM of your domain: mail programs show no button to unsubscribe, and receivers may take it for spam.';
  return [kind === 'address' ? look(why, { name: 'mail.identity.of', value: '"domain"' }) : look(`${why} ${show}`)];
}

/** Whether the account may send, and to anybody. */
async function examineSending({ ses }: DeployedStack): Promise<Remark[]> {
  const account = await ses.send(new GetAccountCommand({}));
  const isStopped = account.SendingEnabled === false || account.EnforcementStatus === 'SHUTDOWN';
  return [
    ...(isStopped ? [fault('SES has stopped this account from sending.')] : []),
    account.ProductionAccessEnabled === true
      ? good("The account is out of SES's sandbox.")
      : look("The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access."),
  ];
}

/**
 * Whether the links in mails lead to the functions of the stack: each answers a link that cannot exist with a page that says so,
 * under headers that nobody else sends.
 */
async function examineLinks({ configuration: { mail }, outputs: { PublicUrl } }: DeployedStack): Promise<Remark[]> {
  const paths = mail.page ? Object.values(publicPaths) : [publicPaths.unsubscribe];
  const remarks = paths.map(async (path) => {
    const url = PublicUrl + path;
    const options = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const;
    const response = await attempt(Error, () => fetch(`${url}none`, options));
    if (response instanceof Error) return fault(`The links in mails do not work: ${url} does not answer.`);
    const { status, headers } = response;
    const isOfStack = Object.entries(headersOfEveryResponse).every(([name, value]) => headers.get(name) === value);
    return status === 404 && isOfStack
      ? good(`${url} leads to the stack.`)
      : fault(`The links in mails do not work: ${url} answers ${status}, and not with the stack's page.`);
  });
  return await Promise.all(remarks);
}

/**
 * Whether somebody hears of alarms and notices. SNS lists a subscription with "PendingConfirmation" in place of its ARN until
 * its owner has confirmed it; until then it gets nothing.
 */
async function examineAlarms({ sns, outputs, configuration }: DeployedStack): Promise<Remark[]> {
  const configured = configuration.operations.alarmAddresses;
  const pages = await Array.fromAsync(
    paginateListSubscriptionsByTopic({ client: sns }, { TopicArn: outputs.AlarmTopicArn }),
  );
  const confirmed = pages
    .flatMap(({ Subscriptions = [] }) => Subscriptions)
    .filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:'))
    .map(({ Endpoint = '' }) => Endpoint.toLowerCase());
  if (confirmed.length === 0 && configured.length === 0) {
    const setting = { name: 'operations.alarmAddresses', value: "the operators' addresses" };
    return [look('Nobody gets alarms and notices.', setting)];
  }
  // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html: a token is valid for two days.
  const confirm =
    'each has a mail from AWS with a link to confirm, good for two days ("aws sns subscribe" sends another)';
  if (confirmed.length === 0) return [fault(`Nobody gets alarms and notices: ${confirm}.`)];
  const open = configured.filter((address) => !confirmed.includes(address.toLowerCase())).length;
  const addresses = count(configured.length, 'alarm address', 'alarm addresses');
  return open > 0
    ? [look(`${open} of ${addresses} get nothing: ${confirm}.`)]
    : [good(`Alarms and notices go to ${count(confirmed.length, 'confirmed subscription')}.`)];
}

/** Whether something waits in the dead-letter queue, also what somebody is just reading. */
async function examineDeadLetters({ sqs, resources }: DeployedStack): Promise<Remark[]> {
  const [QueueUrl] = await resources('AWS::SQS::Queue');
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages: unread = 0, ApproximateNumberOfMessagesNotVisible: beingRead = 0 } = Attributes;
  const waiting = Number(unread) + Number(beingRead);
  if (waiting === 0) return [good('The dead-letter queue is empty.')];
  const show = `aws sqs receive-message --queue-url ${QueueUrl} --attribute-names All --message-attribute-names All`;
  return [look(`${count(waiting, 'dead letter')}: a trigger or an event was not delivered. "${show}" shows them.`)];
}

/** Whether each channel has an address and is on. It shows no address. */
async function* examineChannels({ configuration, table, secrets, outputs }: DeployedStack): AsyncGenerator<Remark> {
  const secret = outputs.ChannelsSecretName;
  const addresses = secret === undefined ? {} : await readChannelAddresses(secrets, secret);
  const channels = configuration.reports.flatMap((report) => report.channels);
  for (const name of new Set(channels.map((channel) => channel.name))) {
    const off = await readChannelOff(table, name);
    const store = `"npm run ops -- secret --channel ${name}"`;
    if (!isChannelAddress(addresses[name] ?? ''))
      yield fault(`Channel "${name}" has no public https address, and gets no card: ${store}.`);
    else if (off !== null) yield fault(`Channel "${name}" is off since run ${off.run} (${off.refusal}): ${store}.`);
    else yield good(`Channel "${name}" has an address, and is on.`);
  }
}

/** The event of a schedule. That of a report names it, and that of observations an action; the watch's is empty. */
const inputSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()), action: v.optional(v.string()) })),
  {},
);

/** Whether the schedule of each report is on, and when that fires next; and those of observations and of the watch. */
async function* examineSchedules(stack: DeployedStack): AsyncGenerator<Remark> {
  const { configuration, table, now } = stack;
  const states = await readScheduleStates(stack);
  for (const report of configuration.reports) {
    const { name, schedule } = report;
    const trouble = sayTrouble(`The schedule of report "${name}"`, states.get(`report ${name}`));
    const [paused] = await describePause(table, report);
    const [next = ''] = nextDue(schedule, now, 1).map(
      ({ scheduledTime }) => `${sayInstant(scheduledTime, schedule.timeZone)} (${scheduledTime})`,
    );
    if (trouble !== null) yield fault(trouble);
    else if (paused !== undefined) yield look(`${paused} "resume ${name}" ends that.`);
    else yield good(`Report "${name}" is on, next at ${next}.`);
  }
  const others = [sayTrouble('The schedule of the watch, which notices missing runs,', states.get('watch'))];
  if (configuration.service.observe === 'daily')
    others.push(sayTrouble('The schedule of the daily observation', states.get('observe')));
  for (const trouble of others) if (trouble !== null) yield fault(trouble);
}

/** The states of the schedules that exist, by what they trigger. */
async function readScheduleStates({ resources, scheduler }: DeployedStack): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (const Name of await resources('AWS::Scheduler::Schedule')) {
    const schedule = await orNull(scheduler.send(new GetScheduleCommand({ Name })));
    if (schedule === null) continue;
    const { report, action = 'watch' } = v.parse(inputSchema, schedule.Target?.Input);
    states.set(report === undefined ? action : `report ${report}`, schedule.State ?? '');
  }
  return states;
}

/** Why a schedule triggers nothing, and what to do; `null` where it is on. */
function sayTrouble(schedule: string, state: string | undefined): string | null {
  if (state === 'ENABLED') return null;
  return state === undefined
    ? `${schedule} is missing. "npx cdk deploy --revert-drift" puts it back.`
    : `${schedule} is off. Enable it in the console (EventBridge Scheduler): a deployment does not enable it.`;
}
