import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { count } from '../../../functions/domain/wording.ts';
import { headersOfEveryResponse, publicPaths } from '../../../functions/links/public-function.ts';
import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../functions/reporting-service/tokens/credentials.ts';
import { hashConfiguration } from '../../config.ts';
import { StackError } from '../targets/deployed.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Finding, type Said, type Say } from './finding.ts';
import { examineChannels } from './channels.ts';
import { examineSchedules } from './schedules.ts';
import { examineIdentity, examineSender, examineSending } from './sending.ts';
import { openStack, type DeployedStack, type Deployment } from './stack.ts';

/**
 * Examines what a stack needs to mail its reports, and makes the checks that are `asked` beside that; a stack that is not there is a
 * finding. Gives the credentials where the secret has them. The caller is not named, since the name of a session is often an address.
 */
export async function examineDeployment(
  deployment: Deployment,
  say: Say,
  asked: Checks<DeployedStack> = {},
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { Account = 'unknown' } = await deployment.sts.send(new GetCallerIdentityCommand({}));
  const region = await deployment.sts.config.region();
  const account = { check: 'account', ...good(`This is account ${Account}, region ${region}.`) };
  const stack = await attempt(StackError, () => openStack(deployment));
  if (stack instanceof StackError)
    return { findings: [account, { check: 'stack', ...fault(stack.message) }], credentials: null };
  let credentials: Credentials | null = null;
  const checks: Checks<DeployedStack> = {
    stack: examineStatus,
    configuration: examineConfiguration,
    secret: async ({ secrets, outputs: { secret } }) => {
      const read = await attempt(CredentialsError, () => readCredentials(secrets, secret));
      if (read instanceof CredentialsError) return [fault(`${read.message} Until then, nobody gets mail.`)];
      credentials = read;
      return [good(`Secret "${secret}" has a client id and a secret.`)];
    },
    identity: examineIdentity,
    sender: examineSender,
    sending: examineSending,
    functions: examineFunctions,
    links: examineLinks,
    alarms: examineAlarms,
    'dead letters': examineDeadLetters,
    schedules: examineSchedules,
    channels: examineChannels,
    ...asked,
  };
  return { findings: [account, ...(await runChecks(checks, stack, say))], credentials };
}

/**
 * Whether the last deployment is in.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
 */
function examineStatus({ outputs: { status } }: DeployedStack): Said[] {
  const found = `The stack is in state ${status}.`;
  if (/^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return [good(found)];
  // A deployment that was rolled back leaves what was there before, and that runs.
  const say = status.endsWith('_FAILED') ? fault : look;
  const mend =
    'Wait while it is in progress; else correct the error in its events, and deploy (or "npx cdk rollback").';
  return [say(`${found} ${mend}`)];
}

/** Whether the stack has the configuration that this command reads, since every other check is made with that one. */
function examineConfiguration({ outputs: { configurationHash }, configuration }: DeployedStack): Said[] {
  return configurationHash === hashConfiguration(configuration)
    ? [good('The stack has the configuration of cdk.json.')]
    : [look('The stack has a different configuration from cdk.json: deploy, or check out what was deployed.')];
}

/**
 * With fewer executions at once, the events of SES wait for each other while a run sends, and the runs of several reports do.
 * New accounts may have 10; AWS's default is 1,000.
 */
const enoughExecutions = 50;

/** Whether Lambda has room in this account for the runs, their workers and SES's events at once. */
async function examineFunctions({ lambda }: DeployedStack): Promise<Said[]> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = ConcurrentExecutions } = AccountLimit ?? {};
  const found = `Lambda runs at most ${UnreservedConcurrentExecutions} functions of this account at once`;
  const ask = 'Ask AWS for more (Service Quotas, AWS Lambda, "Concurrent executions").';
  return UnreservedConcurrentExecutions >= enoughExecutions
    ? [good(`${found}.`)]
    : [look(`${found}: runs and SES's events would wait for each other. ${ask}`)];
}

/**
 * Whether the links in mails lead to the functions of the stack: each answers a link that cannot exist with a page that says so,
 * under headers that nobody else sends.
 */
async function examineLinks({ configuration: { mail }, outputs: { publicUrl } }: DeployedStack): Promise<Said[]> {
  const paths = mail.page ? Object.values(publicPaths) : [publicPaths.unsubscribe];
  const examined = paths.map(async (path) => {
    const url = publicUrl + path;
    const asked = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const;
    const answer = await attempt(Error, () => fetch(`${url}none`, asked));
    if (answer instanceof Error) return fault(`The links in mails do not work: ${url} does not answer.`);
    const { status, headers } = answer;
    const isOwn = Object.entries(headersOfEveryResponse).every(([name, value]) => headers.get(name) === value);
    return status === 404 && isOwn
      ? good(`${url} leads to the stack.`)
      : fault(`The links in mails do not work: ${url} answers ${status}, and not with the stack's page.`);
  });
  return await Promise.all(examined);
}

/**
 * Whether somebody hears of alarms and notices. SNS lists a subscription with "PendingConfirmation" in place of its ARN until
 * its owner has confirmed it; until then it gets nothing.
 */
async function examineAlarms({ sns, outputs, configuration }: DeployedStack): Promise<Said[]> {
  const confirmed: string[] = [];
  const topic = { TopicArn: outputs.alarmTopic };
  for await (const page of paginateListSubscriptionsByTopic({ client: sns }, topic)) {
    for (const { SubscriptionArn = '', Endpoint = '' } of page.Subscriptions ?? [])
      if (SubscriptionArn.startsWith('arn:')) confirmed.push(Endpoint.toLowerCase());
  }
  return [sayAddresses(configuration.operations.alarmAddresses, confirmed)];
}

function sayAddresses(configured: readonly string[], confirmed: readonly string[]): Said {
  if (confirmed.length === 0 && configured.length === 0) {
    const setting = { name: 'operations.alarmAddresses', value: "the operators' addresses" };
    return look('Nobody gets alarms and notices.', setting);
  }
  // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html: a token is valid for two days.
  const confirm =
    'each has a mail from AWS with a link to confirm, good for two days ("aws sns subscribe" sends another)';
  if (confirmed.length === 0) return fault(`Nobody gets alarms and notices: ${confirm}.`);
  const open = configured.filter((address) => !confirmed.includes(address.toLowerCase())).length;
  const addresses = count(configured.length, 'alarm address', 'alarm addresses');
  return open > 0
    ? look(`${open} of ${addresses} get nothing: ${confirm}.`)
    : good(`Alarms and notices go to ${count(confirmed.length, 'confirmed subscription')}.`);
}

/** Whether something waits in the dead-letter queue, also what somebody is just reading. */
async function examineDeadLetters({ sqs, resources }: DeployedStack): Promise<Said[]> {
  const [QueueUrl] = await resources('AWS::SQS::Queue');
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages: seen, ApproximateNumberOfMessagesNotVisible: read } = Attributes;
  const waiting = Number(seen ?? 0) + Number(read ?? 0);
  if (waiting === 0) return [good('The dead-letter queue is empty.')];
  const show = `aws sqs receive-message --queue-url ${QueueUrl} --attribute-names All --message-attribute-names All`;
  return [look(`${count(waiting, 'dead letter')}: a trigger or an event was not delivered. "${show}" shows them.`)];
}
