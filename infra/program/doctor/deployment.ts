import { randomUUID } from 'node:crypto';
import type { ListStackResourcesOutput } from '@aws-sdk/client-cloudformation';
import { Scheduler, type GetScheduleOutput } from '@aws-sdk/client-scheduler';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import * as protocol from '../../../functions/collect/protocol.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readChannelOff } from '../../../functions/ledger/channels.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { headersOfEveryResponse, publicPaths } from '../../../functions/links/public-function.ts';
import { readCredentials, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { isChannelAddress, readChannelAddresses } from '../../../functions/run/send/webhook.ts';
import { stackName } from '../../config.ts';
import { orNull } from '../../or-null.ts';
import { scheduleExpression } from '../../schedule-expression.ts';
import { sayInstant } from '../command-line/result.ts';
import { describePause } from '../runs/describe-report.ts';
import { createClients, readStackOutputs, StackError } from '../targets/deployed.ts';
import type { Place } from '../targets/place.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Remark, type Say } from './finding.ts';
import { readIdentities, tryIdentity } from './identity.ts';

/** The stack of a place, and the AWS clients to examine it with, until `open` is disposed of. */
export function openDeployment(place: Place, open: AsyncDisposableStack) {
  const clients = { ...createClients(), scheduler: new Scheduler({}), sns: new SNS({}), sqs: new SQS({}) };
  for (const client of Object.values(clients)) open.defer(() => client.destroy());
  // The configuration is that in this repository's `cdk.json`.
  return { ...clients, configuration: place.configuration, stack: stackName(place.env), now: Temporal.Now.instant() };
}

/** A stack that may be there. */
type Deployment = ReturnType<typeof openDeployment>;

/** A stack that is there. */
export type DeployedStack = Awaited<ReturnType<typeof openStack>>;

/** The stack, with what it puts out. Throws a `StackError` where there is none, or its outputs lack one. */
async function openStack(deployment: Deployment) {
  const { cloudFormation, dynamoDb, stack: StackName } = deployment;
  const outputs = await readStackOutputs(cloudFormation, StackName);
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
      listed ??= Array.fromAsync(cloudFormation.paginateListStackResources({ StackName }));
      return (await listed)
        .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
        .filter(({ ResourceType, LogicalResourceId }) => ResourceType === type && LogicalResourceId?.startsWith(begin))
        .map(({ PhysicalResourceId = '' }) => PhysicalResourceId);
    },
  };
}

/**
 * Examines what a stack needs to mail its reports, and makes `otherChecks` beside that; a stack that is not there is a finding.
 * Gives the credentials where the secret has them. The caller is not named, since the name of a session is often an address.
 */
export async function examineDeployment(deployment: Deployment, say: Say, otherChecks: Checks<DeployedStack> = {}) {
  const { Account = 'unknown' } = await deployment.sts.getCallerIdentity();
  const region = await deployment.sts.config.region();
  const account = { check: 'account', ...good(`This is account ${Account}, region ${region}.`) };
  const stack = await attempt(StackError, openStack(deployment));
  if (stack instanceof StackError) {
    // The sender is the account's, or another one's, and can be made ready before.
    const sender = await runChecks({ identity: examineIdentity }, deployment, say);
    return { findings: [account, { check: 'stack', ...fault(stack.message) }, ...sender], credentials: null };
  }
  let credentials: Credentials | null = null;
  const checks: Checks<DeployedStack> = {
    async secret({ secrets, outputs: { SecretName } }) {
      const stored = await attempt(CodedError, readCredentials(secrets, SecretName));
      if (stored instanceof CodedError) return fault(`${stored.message} Until then, nobody gets mail.`);
      credentials = stored;
      return good(`Secret "${SecretName}" has a client id and a secret.`);
    },
    identity: examineIdentity,
    ...checksOfStack,
    ...otherChecks,
  };
  return { findings: [account, ...(await runChecks(checks, stack, say))], credentials };
}

/**
 * Whether SES has verified the sender, and signs the mail. A verified domain is good for its subdomains and all addresses there.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 * https://www.rfc-editor.org/rfc/rfc8058#section-4
 */
async function examineIdentity({ ses, configuration: { mail } }: Deployment): Promise<Remark> {
  if ('arn' in mail.identity) return await tryIdentity(mail, mail.identity.arn);
  const kind = mail.identity.of;
  const identities = (await readIdentities(ses, mail.from, kind)).map(({ found }) => found);
  const show = '"npm run ops -- sender" shows what to do.';
  if (!identities.some((identity) => identity?.VerifiedForSendingStatus === true))
    return fault(`SES has not verified the ${kind} of "mail.from": ${show}`);
  const signed = identities.map((identity) => identity?.DkimAttributes).find((dkim) => dkim?.Status === 'SUCCESS');
  if (signed?.SigningEnabled === true) return good('SES has verified the sender, and signs the mail as its domain.');
  const why =
    'SES has verified the sender, but does not sign the mail with DKIM of your domain: mail programs show no button to unsubscribe, and receivers may take it for spam.';
  return kind === 'address' ? look(why, 'mail.identity.of', '"domain"') : look(`${why} ${show}`);
}

const checksOfStack: Checks<DeployedStack> = {
  /** Whether the account may send, and to anybody. */
  async *sending({ ses }) {
    const account = await ses.getAccount();
    if (account.SendingEnabled === false || account.EnforcementStatus === 'SHUTDOWN')
      yield fault('SES has stopped this account from sending.');
    const inSandbox =
      "The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.";
    yield account.ProductionAccessEnabled === true ? good("The account is out of SES's sandbox.") : look(inSandbox);
  },

  /**
   * Whether the links in mails lead to the functions of the stack: each answers a link that cannot exist with a page that says so,
   * under headers that nobody else sends.
   */
  async links({ configuration: { mail }, outputs: { PublicUrl } }) {
    const paths = mail.page ? Object.values(publicPaths) : [publicPaths.unsubscribe];
    const remarks = paths.map(async (path) => {
      const url = PublicUrl + path;
      const asking = fetch(`${url}none`, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
      const response = await attempt(Error, asking);
      if (response instanceof Error) return fault(`The links in mails do not work: ${url} does not answer.`);
      const { status, headers } = response;
      const isOfStack = Object.entries(headersOfEveryResponse).every(([name, value]) => headers.get(name) === value);
      return status === 404 && isOfStack
        ? good(`${url} leads to the stack.`)
        : fault(`The links in mails do not work: ${url} answers ${status}, and not with the stack's page.`);
    });
    return await Promise.all(remarks);
  },

  /**
   * Whether somebody hears of alarms and notices. SNS lists a subscription with "PendingConfirmation" in place of its ARN until
   * its owner has confirmed it; until then it gets nothing.
   */
  async alarms({ sns, outputs: { AlarmTopicArn: TopicArn }, configuration }) {
    const configured = configuration.operations.alarmAddresses;
    const pages = await Array.fromAsync(sns.paginateListSubscriptionsByTopic({ TopicArn }));
    const confirmed = pages
      .flatMap(({ Subscriptions = [] }) => Subscriptions)
      .filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:'))
      .map(({ Endpoint = '' }) => Endpoint.toLowerCase());
    const open = configured.filter((address) => !confirmed.includes(address.toLowerCase())).length;
    const addresses = count(configured.length, 'alarm address', 'alarm addresses');
    // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html: a token is valid for two days.
    const confirm =
      'each has a mail from AWS with a link to confirm, good for two days ("aws sns subscribe" sends another)';
    if (confirmed.length === 0 && open === 0)
      return look('Nobody gets alarms and notices.', 'operations.alarmAddresses', "the operators' addresses");
    if (confirmed.length === 0) return fault(`Nobody gets alarms and notices: ${confirm}.`);
    if (open > 0) return look(`${open} of ${addresses} get nothing: ${confirm}.`);
    return good(`Alarms and notices go to ${count(confirmed.length, 'confirmed subscription')}.`);
  },

  /** Whether something waits in the dead-letter queue, also what somebody is just reading. */
  async 'dead letters'({ sqs, resources }) {
    const [QueueUrl] = await resources('AWS::SQS::Queue');
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const waiting = counts.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
    if (waiting === 0) return good('The dead-letter queue is empty.');
    const [feedback] = await resources('AWS::Lambda::Function', 'Feedback');
    const how = `"Alarm dead-letters" in the runbook says what to do: QUEUE there is ${QueueUrl}, and FEEDBACK ${feedback}.`;
    return look(`${count(waiting, 'dead letter')}: a trigger or an event was not delivered. ${how}`);
  },

  /**
   * Whether the schedule of each report is on, as `cdk.json` has it, and when that fires next; and those of observations and of the
   * watch. `GetSchedule` tells the time and the zone and no instant: the next one is by the zones that this machine knows.
   * https://docs.aws.amazon.com/scheduler/latest/APIReference/API_GetSchedule.html
   */
  async *schedules({ configuration, table, now, resources, scheduler }) {
    const found = new Map<string, GetScheduleOutput>();
    const [GroupName] = await resources('AWS::Scheduler::ScheduleGroup');
    for (const Name of await resources('AWS::Scheduler::Schedule')) {
      const schedule = await orNull(scheduler.getSchedule({ GroupName, Name }));
      if (schedule === null) continue;
      const { report, action = 'watch' } = v.parse(inputSchema, schedule.Target?.Input);
      found.set(report === undefined ? action : `report ${report}`, schedule);
    }
    /** Why a schedule triggers nothing, and what to do; nothing where it is on. */
    const troublesOf = (schedule: string, key: string): Remark[] => {
      if (found.get(key)?.State === 'ENABLED') return [];
      const trouble = `${schedule} is ${found.has(key) ? 'off' : 'missing'}`;
      return [fault(`${trouble}. "npx cdk deploy --revert-drift", with the right to deploy, puts it back.`)];
    };
    for (const report of configuration.reports) {
      const { name, schedule } = report;
      const [trouble] = troublesOf(`The schedule of report "${name}"`, `report ${name}`);
      const [paused] = await describePause(table, report);
      const [next = ''] = nextDue(schedule, now, 1).map(({ scheduledTime }) => scheduledTime);
      const nextAt = `${sayInstant(next, schedule.timeZone)} (${next})`;
      const { ScheduleExpression: deployed, ScheduleExpressionTimezone: zone } = found.get(`report ${name}`) ?? {};
      const isAsConfigured = deployed === scheduleExpression(schedule) && zone === schedule.timeZone;
      const drifted = `deployed as ${deployed} in ${zone}, not as in cdk.json`;
      if (trouble !== undefined) yield trouble;
      else if (paused !== undefined) yield look(`${paused} "resume ${name}" ends that.`);
      else if (isAsConfigured) yield good(`Report "${name}" is on, next at ${nextAt} by this machine's time zones.`);
      else yield look(`Report "${name}" is on, and ${drifted}: "npx cdk deploy --revert-drift".`);
    }
    yield* troublesOf('The schedule of the watch, which notices missing runs,', 'watch');
    if (configuration.service.observe === 'daily')
      yield* troublesOf('The schedule of the daily observation', 'observe');
  },

  /** Whether each channel has an address and is on. It shows no address. */
  async *channels({ configuration, table, secrets, outputs: { ChannelsSecretName: secret } }) {
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
  },
};

/** The event of a schedule. That of a report names it, and that of observations an action; the watch's is empty. */
const inputSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()), action: v.optional(v.string()) })),
  {},
);

/**
 * Whether the deployed worker reaches the service, with the credentials in the secret and from where it runs: it is asked for the
 * list, as an observation asks it. That stays in the ledger for 30 days, as one of no account.
 */
export async function askWorker(stack: DeployedStack, report: ReportConfiguration): Promise<Remark> {
  const { resources, lambda, configuration, now } = stack;
  const { statuses, schedule } = report;
  const observation = { account: 'doctor', observation: randomUUID(), atMs: now.epochMilliseconds, before: null };
  const asked = { phase: 'list', batch: 0, isLastTry: false, service: configuration.service, statuses } as const;
  const request: protocol.ObserveRequest = { ...observation, ...asked, timeZone: schedule.timeZone, stepMinutes: 60 };
  const [FunctionName] = await resources('AWS::Lambda::Function', 'Collect');
  const answer = await lambda.invoke({ FunctionName, Payload: JSON.stringify(request) });
  const response: unknown = JSON.parse(Buffer.from(answer.Payload ?? 'null').toString());
  if (v.is(protocol.plannedResponseSchema, response))
    return good(`The deployed worker reads ${count(response.deliveries, 'delivery', 'deliveries')}.`);
  const isRefused = v.is(protocol.failureResponseSchema, response);
  const why = isRefused ? response.failure.message : String(Object(response).errorMessage);
  return fault(`The deployed worker cannot collect. ${why}`);
}
