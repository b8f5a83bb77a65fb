import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  type GetScheduleOutput,
} from '@aws-sdk/client-scheduler';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
  type GetEmailIdentityResponse,
} from '@aws-sdk/client-sesv2';
import { AuthorizationErrorException, ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { Temporal } from 'temporal-polyfill';
import { beforeEach, expect, test } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { pauseReport, recordReportSeen } from '../../../../functions/ledger/reports.ts';
import { insertRun } from '../../../../functions/ledger/runs/runs.ts';
import { hashConfiguration, loadConfiguration } from '../../../../infra/config.ts';
import { examineDeployment } from '../../../../infra/program/doctor/deployment.ts';
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';

const region = 'eu-west-1';
const account = '111122223333';
const clients = {
  cloudFormation: new CloudFormationClient({ region }),
  lambda: new LambdaClient({ region }),
  scheduler: new SchedulerClient({ region }),
  secrets: new SecretsManagerClient({ region }),
  ses: new SESv2Client({ region }),
  sns: new SNSClient({ region }),
  sts: new STSClient({ region }),
};
const lambda = mockClient(clients.lambda);
const scheduler = mockClient(clients.scheduler);
const secrets = mockClient(clients.secrets);
const ses = mockClient(clients.ses);
const sns = mockClient(clients.sns);
const sts = mockClient(clients.sts);
const cloudFormation = mockClient(clients.cloudFormation);
const topic = `arn:aws:sns:${region}:${account}:alarms`;
const overlay = { operations: { alarmAddresses: ['grace@example.com', 'alan@example.com'] } };
const configuration = loadConfiguration({ overlay });
const now = Temporal.Instant.from('2026-11-20T12:00:00Z');

const signed = { SigningEnabled: true, Status: 'SUCCESS' } as const;
const unsigned = { SigningEnabled: false, Status: 'NOT_STARTED' } as const;
const unknown = new NotFoundException({ message: 'x', $metadata: {} });

let ledger: Ledger;

/** What `cdk.json` configures, and the hourly watch, as EventBridge Scheduler has them. */
const schedules = {
  weekly: scheduleOf('cron(0 8 ? * MON *)', 'Europe/London', { report: 'weekly' }),
  daily: scheduleOf('cron(30 7 * * ? *)', 'Europe/London', { report: 'daily' }),
  monthly: scheduleOf('cron(0 9 1 * ? *)', 'America/New_York', { report: 'monthly' }),
  watch: scheduleOf('rate(15 minutes)', 'UTC', {}),
};

function scheduleOf(ScheduleExpression: string, ScheduleExpressionTimezone: string, input: object): GetScheduleOutput {
  const Target = { Arn: 'arn:aws:lambda:x', RoleArn: 'arn:aws:iam:x', Input: JSON.stringify(input) };
  return { State: 'ENABLED', ScheduleExpression, ScheduleExpressionTimezone, Target };
}

beforeEach(async () => {
  ledger = await openLedger();
  for (const mock of [cloudFormation, lambda, scheduler, secrets, ses, sns, sts]) mock.reset();
  const UserId = 'AROA:grace@example.com';
  sts.on(GetCallerIdentityCommand).resolves({ Account: account, UserId, Arn: `arn:aws:sts::${account}:${UserId}` });
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"id": "client", "secret": "canary-secret"}' });
  ses.on(GetEmailIdentityCommand).rejects(unknown);
  haveIdentity('digest@example.com', { DkimAttributes: signed });
  const SendQuota = { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 };
  ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: true, SendingEnabled: true, SendQuota });
  haveConcurrency(1000);
  haveSubscriptions({ 'grace@example.com': 'confirmed', 'Alan@example.com': 'confirmed' });
  const ofSchedules = Object.keys(schedules).map((name) => summaryOf('AWS::Scheduler::Schedule', name));
  const StackResourceSummaries = [summaryOf('AWS::Lambda::Function', 'run'), ...ofSchedules];
  cloudFormation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries });
  for (const [Name, schedule] of Object.entries(schedules)) haveSchedule(Name, schedule);
});

function summaryOf(ResourceType: string, PhysicalResourceId: string) {
  const fixed = { LastUpdatedTimestamp: new Date(0), ResourceStatus: 'CREATE_COMPLETE' as const };
  return { LogicalResourceId: `Logical${PhysicalResourceId}`, ResourceType, PhysicalResourceId, ...fixed };
}

function haveConcurrency(UnreservedConcurrentExecutions: number): void {
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { UnreservedConcurrentExecutions } });
}

function haveSchedule(Name: string, schedule: GetScheduleOutput): void {
  scheduler.on(GetScheduleCommand, { Name }).resolves(schedule);
}

function haveIdentity(EmailIdentity: string, identity: GetEmailIdentityResponse): void {
  ses.on(GetEmailIdentityCommand, { EmailIdentity }).resolves({ VerifiedForSendingStatus: true, ...identity });
}

/** Subscriptions by address, over two pages. */
function haveSubscriptions(states: Readonly<Record<string, 'confirmed' | 'PendingConfirmation' | 'Deleted'>>): void {
  const [first, ...others] = Object.entries(states).map(([Endpoint, state]) => ({
    SubscriptionArn: state === 'confirmed' ? `${topic}:${Endpoint}` : state,
    Endpoint,
  }));
  const page = { TopicArn: topic };
  sns
    .on(ListSubscriptionsByTopicCommand, page)
    .resolves({ Subscriptions: first === undefined ? [] : [first], NextToken: 'more' })
    .on(ListSubscriptionsByTopicCommand, { ...page, NextToken: 'more' })
    .resolves({ Subscriptions: others });
}

/** A stack that exists, with the hash of the configuration that it was deployed with. */
function haveStack(ConfigurationHash: string): void {
  const outputs = { TableName: 'ledger', RunFunctionAlias: 'a', SecretName: 'the-secret', AlarmTopicArn: topic };
  const Outputs = Object.entries({ ...outputs, PublicUrl: '-', ConfigurationHash }).map(([OutputKey, OutputValue]) => ({
    OutputKey,
    OutputValue,
  }));
  const stack = { StackName: 'BroadcastDigest', CreationTime: new Date(0), Outputs };
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [{ ...stack, StackStatus: 'CREATE_COMPLETE' }] });
}

async function examine(by = configuration, hash = hashConfiguration(by)): Promise<string[]> {
  haveStack(hash);
  const { findings, credentials } = await examineDeployment(
    { ...clients, dynamoDb: ledger.client, configuration: by, stack: 'BroadcastDigest', now },
    () => undefined,
  );
  expect(JSON.stringify(findings)).not.toMatch(/canary-secret|@example\.com/i);
  const ofSecret = findings.find(({ check }) => check === 'secret');
  expect(credentials === null).toBe(ofSecret?.verdict !== 'good');
  return findings.map(({ verdict, found, setting }) =>
    [`${verdict}: ${found}`, ...(setting === undefined ? [] : [`${setting.name} = ${setting.value}`])].join(' '),
  );
}

/** What is found beyond what a deployment that can work has. */
async function additions(by?: typeof configuration, hash?: string): Promise<string[]> {
  return (await examine(by, hash)).filter((line) => !healthy.includes(line));
}

const healthy = [
  'good: This is account 111122223333, region eu-west-1.',
  'good: The stack has the configuration of cdk.json.',
  'good: Secret "the-secret" has a client id and a secret.',
  'good: SES has verified the address of "mail.from".',
  'good: SES signs the mail as example.com.',
  "good: The account is out of SES's sandbox.",
  'good: SES accepts 50000 messages a day; all reports together have 6 subscribers.',
  'good: Lambda runs at most 1000 functions of this account at once.',
  'good: Alarms and notices go to 2 confirmed subscriptions.',
  'good: Report "weekly" is on, next at 2026-11-23 08:00 Europe/London (2026-11-23T08:00:00Z).',
  'good: Report "daily" is on, next at 2026-11-21 07:30 Europe/London (2026-11-21T07:30:00Z).',
  'good: Report "monthly" is on, next at 2026-12-01 09:00 America/New_York (2026-12-01T14:00:00Z).',
];

test('a deployment that can work is good throughout, and says when each report fires next', async () => {
  expect(await examine()).toEqual(healthy);
});

test('a secret that is not filled, an identity that is not verified, and a stopped account are faults', async () => {
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"id": "", "secret": ""}' });
  haveIdentity('digest@example.com', { VerifiedForSendingStatus: false, DkimAttributes: unsigned });
  const SendQuota = { Max24HourSend: 5 };
  ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: false, SendingEnabled: false, SendQuota });
  expect(await additions()).toEqual([
    'fault: Secret "the-secret" has no "id" and no "secret". Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service. Until then, nobody gets mail.',
    'fault: SES has not verified the address of "mail.from": follow the link in its mail, or set its DNS records.',
    expect.stringMatching(/^look: SES does not sign the mail with DKIM .* mail\.identity\.of = "domain"$/),
    'fault: SES has stopped this account from sending.',
    "look: The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.",
    'fault: SES accepts 5 messages a day, fewer than the 6 subscribers of all reports. Ask AWS for more.',
  ]);
});

test('a domain signs for its addresses, for which it needs its DNS records, and an address that SES does not know is a fault', async () => {
  haveIdentity('digest@example.com', { DkimAttributes: unsigned });
  haveIdentity('example.com', { DkimAttributes: signed });
  expect(await additions()).toEqual([]);
  ses.on(GetEmailIdentityCommand, { EmailIdentity: 'digest@example.com' }).rejects(unknown);
  expect(await additions()).toEqual(['fault: SES does not know the address of "mail.from".']);
  const ofDomain = loadConfiguration({ overlay: { ...overlay, mail: { identity: { of: 'domain' } } } });
  haveIdentity('example.com', { DkimAttributes: { ...signed, Status: 'PENDING' } });
  expect(await additions(ofDomain)).toEqual([
    'good: SES has verified the domain example.com.',
    expect.stringMatching(/^look: SES does not sign .* Set the CNAME records of the stack's outputs/),
  ]);
});

test('schedules that are paused, off, deleted or other than configured are named, each by its report or as the watch’s', async () => {
  await pauseReport(ledger.table, { name: 'weekly' }, { at: '2026-11-18T10:00:00Z', by: 'grace' });
  expect(await additions()).toEqual([
    'look: Report "weekly" was paused by grace, 2026-11-18 10:00 Europe/London: its schedule triggers nothing. "resume weekly" ends that.',
  ]);
  haveSchedule('weekly', { ...schedules.weekly, ScheduleExpression: 'cron(0 9 ? * MON *)' });
  expect(await additions()).toEqual([
    'look: Report "weekly" fires at cron(0 9 ? * MON *) in Europe/London, and cdk.json says cron(0 8 ? * MON *) in Europe/London: deploy.',
  ]);
  haveSchedule('weekly', { ...schedules.weekly, ScheduleExpressionTimezone: 'UTC' });
  haveSchedule('daily', { ...schedules.daily, State: 'DISABLED' });
  const gone = { message: 'gone', Message: 'gone', $metadata: {} };
  scheduler.on(GetScheduleCommand, { Name: 'monthly' }).rejects(new ResourceNotFoundException(gone));
  haveSchedule('watch', { ...schedules.watch, State: 'DISABLED' });
  const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';
  expect(await additions()).toEqual([
    'look: Report "weekly" fires at cron(0 8 ? * MON *) in UTC, and cdk.json says cron(0 8 ? * MON *) in Europe/London: deploy.',
    `fault: The schedule of report "daily" is off. ${enable}`,
    'fault: Report "monthly" has no schedule: deploy.',
    `fault: The schedule of the watch is off: nobody is notified of a missing run. ${enable}`,
  ]);
});

test('a report that the ledger knows and cdk.json does not is worth a look, with the command that moves it', async () => {
  const period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');
  const run = { run: 'old_2026-W46', report: 'old', period, scheduledTime: period.end, plannedAt: period.end };
  await recordReportSeen(ledger.table, { name: 'old' }, '2026-11-01T00:00:00Z');
  await insertRun(ledger.table, run, 4_000_000_000);
  expect(await additions()).toEqual([
    'look: The ledger knows a report "old", which is not in cdk.json. If it has another name now: "move old NEW".',
  ]);
});

test('addresses for alarms are to be configured and confirmed, unless somebody is subscribed in another way', async () => {
  expect(await additions(loadConfiguration())).toEqual([]);
  haveSubscriptions({ 'grace@example.com': 'confirmed', 'alan@example.com': 'PendingConfirmation' });
  expect(await additions()).toEqual([expect.stringMatching(/^look: 1 of 2 alarm addresses get nothing: /)]);
  haveSubscriptions({ 'grace@example.com': 'Deleted', 'alan@example.com': 'PendingConfirmation' });
  expect(await additions()).toEqual([expect.stringMatching(/^fault: Nobody gets alarms and notices: /)]);
  expect(await additions(loadConfiguration())).toEqual([
    "look: Nobody gets alarms and notices. operations.alarmAddresses = the operators' addresses",
  ]);
});

test('another configuration, little room in Lambda, and what AWS does not let the operator look at are worth a look', async () => {
  haveConcurrency(10);
  const refusal = new AuthorizationErrorException({ message: 'User grace@example.com may not', $metadata: {} });
  sns.on(ListSubscriptionsByTopicCommand).rejects(refusal);
  expect(await additions(configuration, '0'.repeat(16))).toEqual([
    'look: The stack has a different configuration from cdk.json: deploy, or check out what was deployed.',
    expect.stringMatching(/^look: Lambda runs at most 10 functions of this account at once: /),
    'look: This was not checked: AWS does not allow you to look at it (AuthorizationErrorException).',
  ]);
});

test('a stack that does not exist is a fault, named with the account in which it was looked for', async () => {
  const error = new CloudFormationServiceException({ name: 'ValidationError', $fault: 'client', $metadata: {} });
  cloudFormation.on(DescribeStacksCommand).rejects(error);
  const deployment = { ...clients, dynamoDb: ledger.client, configuration, stack: 'Nowhere', now };
  const { findings, credentials } = await examineDeployment(deployment, () => undefined);
  expect([findings.map(({ check, verdict }) => [check, verdict]), credentials]).toEqual([
    [
      ['account', 'good'],
      ['stack', 'fault'],
    ],
    null,
  ]);
});
