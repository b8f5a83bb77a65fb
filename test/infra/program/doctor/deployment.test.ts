import { readFileSync } from 'node:fs';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parseCollectRequest } from '../../../../functions/collect/protocol.ts';
import { turnChannelOff } from '../../../../functions/ledger/channels.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { pauseReport, recordReportSeen, resumeReport } from '../../../../functions/ledger/reports.ts';
import { insertRun } from '../../../../functions/ledger/runs/runs.ts';
import { headersOfEveryResponse } from '../../../../functions/links/public-function.ts';
import { hashConfiguration, loadConfiguration } from '../../../../infra/config.ts';
import { chooseReport } from '../../../../infra/program/command-line/choices.ts';
import { examineDeployment } from '../../../../infra/program/doctor/deployment.ts';
import { askWorker } from '../../../../infra/program/doctor/doctor-command.ts';
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';
import { deployTemplate, functionsIn } from '../../../support/deployed-template.ts';
import { reset, startHttpStub, status } from '../../../support/http-stub.ts';
import { sampleTemplate } from '../../../support/template.ts';

type Input = Readonly<Record<string, string | undefined>>;
/** What AWS answers, by the operation. */
let answers: Record<string, (input: Input) => unknown> = {};
let ledger: Ledger;

/** A client whose operations the test answers. */
const scripted = <Client extends object>(client: Client): Client => Object.assign(client, { send });

async function send({ constructor, input }: { constructor: { name: string }; input: Input }): Promise<unknown> {
  const operation = constructor.name.replace(/Command$/, '');
  const answer = answers[operation];
  if (answer === undefined) throw new Error(`The test does not say what AWS answers to ${operation}.`);
  return await answer(input);
}

/** In what an answer differs, about the resources whose names begin like this; or the name of the error that there is instead. */
interface Differs {
  of?: string;
  answer?: Record<string, unknown>;
  refusal?: string | undefined;
}

/** Lets AWS answer otherwise. */
function differ(operation: string, { of = '', answer = {}, refusal }: Differs): void {
  const before = answers[operation];
  answers[operation] = (input) => {
    if (!(input['Name'] ?? input['FunctionName'] ?? '').startsWith(of)) return before?.(input);
    if (refusal !== undefined) throw Object.assign(new Error('grace@example.com'), { name: refusal, $metadata: {} });
    const { Target, ...others } = Object(before?.(input));
    return { ...others, ...answer, Target: { ...Target, ...Object(answer['Target']) } };
  };
}

const region = 'eu-west-1';
const clients = {
  cloudFormation: scripted(new CloudFormationClient({ region })),
  lambda: scripted(new LambdaClient({ region })),
  scheduler: scripted(new SchedulerClient({ region })),
  secrets: scripted(new SecretsManagerClient({ region })),
  ses: scripted(new SESv2Client({ region })),
  sns: scripted(new SNSClient({ region })),
  sqs: scripted(new SQSClient({ region })),
  sts: scripted(new STSClient({ region })),
};

const topic = 'arn:aws:sns:eu-west-1:111122223333:alarms';
const overlay = { operations: { alarmAddresses: ['grace@example.com', 'alan@example.com'] }, mail: { page: true } };
const configuration = loadConfiguration({ overlay });
/** What the stack was deployed with. */
let deployed = configuration;
const now = Temporal.Instant.from('2026-11-20T12:00:00Z');
const verified = { VerifiedForSendingStatus: true, DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' } };

const front = await startHttpStub();
afterAll(() => front.close());

// The stack is what its template makes of it.
const json = v.parse(
  v.object({ Resources: v.record(v.string(), v.looseObject({ Type: v.string() })) }),
  sampleTemplate().toJSON(),
);
const template = deployTemplate(json);
const functions = functionsIn(template);
const StackResourceSummaries = Object.entries(json.Resources).map(([LogicalResourceId, { Type: ResourceType }]) => ({
  LogicalResourceId,
  ResourceType,
  PhysicalResourceId: template.ref(LogicalResourceId),
}));
const [alias = ''] = template.resourcesOf('AWS::Lambda::Alias');

beforeEach(async () => {
  ledger = await openLedger();
  answers = {
    GetCallerIdentity: () => ({ Account: '111122223333', UserId: 'AROA:grace@example.com' }),
    DescribeStacks: () => ({ Stacks: [{ StackStatus: 'UPDATE_COMPLETE', Outputs: outputsOf(deployed) }] }),
    ListStackResources: () => ({ StackResourceSummaries }),
    GetSecretValue: () => ({ SecretString: '{"id": "client", "secret": "canary-secret"}' }),
    GetEmailIdentity: identities({ 'digest@example.com': verified }),
    GetAccount: () => ({ ProductionAccessEnabled: true, SendingEnabled: true, SendQuota: { Max24HourSend: 50_000 } }),
    GetAccountSettings: () => ({ AccountLimit: { UnreservedConcurrentExecutions: 1000 } }),
    ListSubscriptionsByTopic: subscriptions({ 'grace@example.com': 'confirmed', 'Alan@example.com': 'confirmed' }),
    GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    GetSchedule: ({ Name }) => ({ State: 'ENABLED', ...Object(template.properties(Name ?? '')) }),
  };
  for (const path of ['/unsubscribe/none', '/page/none']) front.answer(path, status(404, headersOfEveryResponse));
  for (const report of configuration.reports) await resumeReport(ledger.table, report, '2026-11-01T00:00:00Z');
});

/** The outputs of a stack with that configuration, or with another one. */
function outputsOf(by: typeof configuration, ConfigurationHash = hashConfiguration(by)) {
  const outputs = {
    TableName: 'ledger',
    RunFunctionAlias: template.ref(alias),
    SecretName: 'the-secret',
    AlarmTopicArn: topic,
    ConfigurationHash,
    PublicUrl: front.url,
    SenderAddress: configuration.mail.from,
  };
  return Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
}

/** The identities that SES knows. */
function identities(known: Readonly<Record<string, object>>): (input: Input) => unknown {
  return ({ EmailIdentity }) =>
    known[EmailIdentity ?? ''] ?? Promise.reject(Object.assign(new Error(), { name: 'NotFoundException' }));
}

/** Subscriptions by address, over two pages. */
function subscriptions(states: Readonly<Record<string, string>>): (input: Input) => unknown {
  const [first, ...others] = Object.entries(states).map(([Endpoint, state]) => ({
    SubscriptionArn: state === 'confirmed' ? `${topic}:${Endpoint}` : state,
    Endpoint,
  }));
  const isThere = first === undefined ? [] : [first];
  return ({ NextToken }) =>
    NextToken === undefined ? { Subscriptions: isThere, NextToken: 'more' } : { Subscriptions: others };
}

const deployment = { ...clients, stack: 'BroadcastDigest', now };

async function examine(by = configuration): Promise<string[]> {
  deployed = by;
  const { findings, credentials } = await examineDeployment(
    { ...deployment, dynamoDb: ledger.client, configuration: by },
    () => undefined,
    { worker: (stack) => ('Invoke' in answers ? askWorker(stack, chooseReport(by, 'weekly')) : []) },
  );
  expect(JSON.stringify(findings)).not.toMatch(/canary-secret|@example\.com/i);
  const ofSecret = findings.find(({ check }) => check === 'secret');
  expect(credentials === null).toBe(ofSecret?.verdict !== 'good');
  return findings.map(({ verdict, found, setting }) =>
    [`${verdict}: ${found}`, ...(setting === undefined ? [] : [`${setting.name} = ${setting.value}`])].join(' '),
  );
}

/** What is found beyond what a deployment that can work has. */
async function additions(by?: typeof configuration): Promise<string[]> {
  return (await examine(by)).filter((line) => !healthy.includes(line));
}

const healthy = [
  'good: This is account 111122223333, region eu-west-1.',
  'good: The stack is in state UPDATE_COMPLETE.',
  'good: The stack has the configuration of cdk.json.',
  'good: Secret "the-secret" has a client id and a secret.',
  'good: SES has verified the sender, and signs the mail as its domain.',
  "good: The account is out of SES's sandbox.",
  'good: SES accepts 50000 messages a day; the schedules need no more in the next quarter than the 6 mails due on 2027-02-01.',
  'good: Lambda runs at most 1000 functions of this account at once.',
  `good: ${front.url}/unsubscribe/ leads to the stack.`,
  `good: ${front.url}/page/ leads to the stack.`,
  'good: Alarms and notices go to 2 confirmed subscriptions.',
  'good: The dead-letter queue is empty.',
  'good: Report "weekly" is on, next at 2026-11-23 08:00 Europe/London (2026-11-23T08:00:00Z).',
  'good: Report "daily" is on, next at 2026-11-21 07:30 Europe/London (2026-11-21T07:30:00Z).',
  'good: Report "monthly" is on, next at 2026-12-01 09:00 America/New_York (2026-12-01T14:00:00Z).',
];

test('a channel without an https address, on a host that is no webhook’s, or off is found, and no address shown', async () => {
  const kinds = { managers: 'teams', desk: 'slack', old: 'teams', none: 'slack' };
  const channels = Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
  const [weekly] = configuration.reports;
  const by = loadConfiguration({ overlay: { ...overlay, reports: [{ ...weekly, channels }] } });
  const hook = 'https://prod-1.westeurope.logic.azure.com/canary-secret';
  const addresses = {
    managers: hook,
    desk: 'https://canary-secret.test/',
    old: hook,
    none: 'http://hooks.slack.com/x',
  };
  const credentials = answers['GetSecretValue'];
  answers['GetSecretValue'] = (input) =>
    input['SecretId'] === 'channels' ? { SecretString: JSON.stringify(addresses) } : credentials?.(input);
  const Outputs = [...outputsOf(by), { OutputKey: 'ChannelsSecretName', OutputValue: 'channels' }];
  answers['DescribeStacks'] = () => ({ Stacks: [{ StackStatus: 'UPDATE_COMPLETE', Outputs }] });
  const off = { channel: 'old', offSince: '2026-11-16T08:00:00Z', run: 'weekly_2026-W46', refusal: 'HTTP 404' };
  await turnChannelOff(ledger.table, off);
  expect((await examine(by)).filter((line) => line.includes('hannel'))).toEqual([
    'good: Channel "managers" has an address of teams.',
    'look: The address of channel "desk" is on no host of slack that is known here.',
    'fault: Channel "old" is off since run weekly_2026-W46 (HTTP 404): "npm run ops -- secret --channel old".',
    'fault: Channel "none" has no https address, and gets no card: "npm run ops -- secret --channel none".',
  ]);
});

test('a deployment that can work is good throughout, and says when each report fires next', async () => {
  expect(await examine()).toEqual(healthy);
});

const caseSchema = v.object({
  differs: v.string(),
  operation: v.string(),
  /** How the name begins of the resource that differs; all do, where there is none. */
  of: v.optional(v.string(), ''),
  answer: v.optional(v.record(v.string(), v.unknown()), {}),
  refusal: v.optional(v.string()),
  /** How the finding begins. */
  finding: v.string(),
});
const file = new URL('../../../fixtures/deployment-findings.json', import.meta.url);
const cases = v.parse(v.array(caseSchema), JSON.parse(readFileSync(file, 'utf8')));

test.each(cases)('where $differs, the doctor says so, and nothing else', async ({ finding, operation, ...differs }) => {
  differ(operation, differs);
  expect((await additions()).map((line) => line.slice(0, finding.length))).toEqual([finding]);
});

test('another sender while a run is in progress is worth a look', async () => {
  const by = loadConfiguration({ overlay: { ...overlay, mail: { ...overlay.mail, from: 'new@mail.example.com' } } });
  answers['GetEmailIdentity'] = identities({ 'example.com': verified });
  expect(await additions(by)).toEqual([]);
  const period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');
  const run = { run: 'weekly_2026-W46', report: 'weekly', period, scheduledTime: period.end, plannedAt: period.end };
  await insertRun(ledger.table, run, 4_000_000_000);
  const open = expect.stringMatching(/^look: cdk.json has another "mail.from" .* in progress: weekly_2026-W46\. /);
  expect(await additions(by)).toEqual([open]);
});

test('a deployment that failed is a fault; one that is in progress, or was rolled back, is worth a look', async () => {
  const verdicts = { UPDATE_ROLLBACK_FAILED: 'fault', UPDATE_ROLLBACK_COMPLETE: 'look', UPDATE_IN_PROGRESS: 'look' };
  for (const [StackStatus, verdict] of Object.entries(verdicts)) {
    differ('DescribeStacks', { answer: { Stacks: [{ StackStatus, Outputs: outputsOf(configuration) }] } });
    const begin = new RegExp(`^${verdict}: The stack is in state ${StackStatus}\\. `);
    expect(await additions()).toEqual([expect.stringMatching(begin)]);
  }
});

test('the deployed worker is asked as a run asks it, and says how many deliveries it reads, or why it reads none', async () => {
  const failure = { code: 'service-unavailable', message: 'No answer in time.' };
  const cannot = 'fault: The deployed worker cannot collect.';
  const rows = [
    { answer: { asked: 37, left: null }, says: 'good: The deployed worker reads 37 deliveries.' },
    { answer: { failure }, says: `${cannot} No answer in time.` },
    { answer: { errorType: 'Runtime.ExitError', errorMessage: 'It exited.' }, says: `${cannot} It exited.` },
  ];
  for (const { answer, says } of rows) {
    answers['Invoke'] = ({ FunctionName, Payload }) => {
      expect(FunctionName).toBe(functions.collect);
      expect(parseCollectRequest(JSON.parse(Payload ?? ''))).toMatchObject({ run: 'doctor', phase: 'list' });
      return { Payload: Buffer.from(JSON.stringify(answer)) };
    };
    expect(await additions()).toEqual([says]);
  }
});

test('links that lead to another page, to a function that is busy, or nowhere are a fault', async () => {
  front.answer('/unsubscribe/none', status(404));
  front.answer('/page/none', status(503, headersOfEveryResponse));
  const found = (path: string, met: string) => `fault: The links in mails do not work: ${front.url}${path} ${met}.`;
  expect(await additions()).toEqual([
    found('/unsubscribe/', "answers 404, and not with the stack's page"),
    found('/page/', "answers 503, and not with the stack's page"),
  ]);
  front.answer('/page/none', reset);
  expect(await additions()).toContain(found('/page/', 'does not answer'));
});

test('a secret that is not filled, an identity that is not verified, and a stopped account are faults', async () => {
  differ('GetSecretValue', { answer: { SecretString: '{"id": "", "secret": ""}' } });
  answers['GetEmailIdentity'] = identities({ 'digest@example.com': { VerifiedForSendingStatus: false } });
  const SendQuota = { Max24HourSend: 5 };
  differ('GetAccount', { answer: { ProductionAccessEnabled: false, SendingEnabled: false, SendQuota } });
  expect(await additions()).toEqual([
    'fault: Secret "the-secret" has no "id" and no "secret". Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service. Until then, nobody gets mail.',
    'fault: SES has not verified the address of "mail.from": "npm run ops -- sender" shows what to do.',
    'fault: SES has stopped this account from sending.',
    "look: The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.",
    'fault: SES accepts 5 messages a day, fewer than the 6 mails due on 2027-02-01. Ask AWS for more.',
  ]);
});

test('a domain is good for its addresses and subdomains, and signs for them; mail that is not signed is worth a look', async () => {
  const unsigned = { VerifiedForSendingStatus: true, DkimAttributes: { SigningEnabled: false, Status: 'NOT_STARTED' } };
  const ofDomain = { from: 'digest@news.example.com', identity: { of: 'domain' } };
  const rows = [
    { known: { 'example.com': verified }, found: [] },
    { known: { 'digest@example.com': unsigned, 'example.com': verified }, found: [] },
    { known: { 'example.com': verified }, changes: ofDomain, found: [] },
    { known: { 'digest@example.com': unsigned }, found: [/^look: .* does not sign .* mail\.identity\.of = "domain"$/] },
    { known: { 'news.example.com': unsigned }, changes: ofDomain, found: [/^look: .* does not sign .* sender/] },
    {
      known: { 'digest@news.example.com': verified },
      changes: ofDomain,
      found: [/^fault: .* the domain of "mail\.from"/],
    },
  ];
  for (const { known, changes = {}, found } of rows) {
    const by = loadConfiguration({ overlay: { ...overlay, mail: { page: true, ...changes } } });
    answers['GetEmailIdentity'] = identities(known);
    expect(await additions(by)).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
  }
});

test('a quota has to do for the busiest day, and not for all reports at once; what leaves the window makes room', async () => {
  const daily = { every: 'day', at: '07:30', timeZone: 'UTC' };
  const both = { title: 'Digest', subscribers: ['ada@example.com', 'alan@example.com'] };
  const reports = [
    { ...both, name: 'monday', schedule: { ...daily, every: 'week', on: 'monday' } },
    { ...both, name: 'friday', schedule: { ...daily, every: 'week', on: 'friday' } },
    { ...both, name: 'daily', schedule: daily, subscribers: ['ada@example.com'] },
  ];
  const by = loadConfiguration({ overlay: { ...overlay, reports } });
  const saidOf = async (SendQuota: object): Promise<string[]> => {
    differ('GetAccount', { answer: { SendQuota } });
    return (await additions(by)).filter((line) => line.includes('SES'));
  };
  const enough =
    'good: SES accepts 4 messages a day; the schedules need no more in the next quarter than the 3 mails due on 2026-11-23.';
  // It is Friday noon: the three mails of the morning do not count any more when that of Saturday is due.
  expect(await saidOf({ SentLast24Hours: 3, Max24HourSend: 4 })).toEqual([enough]);
  expect(await saidOf({ SentLast24Hours: 4, Max24HourSend: 4 })).toEqual([
    enough,
    expect.stringMatching(/^look: SES accepted 4 of 4 messages in the last 24 hours, and 1 are due/),
  ]);
  expect(await saidOf({ Max24HourSend: 2 })).toEqual([
    expect.stringMatching(/^fault: SES accepts 2 messages a day, fewer than the 3 mails due on 2026-11-23\. /),
  ]);
});

test('schedules that are paused, off or deleted are named, each by its report or as the watch’s', async () => {
  await pauseReport(ledger.table, { name: 'weekly' }, { at: '2026-11-18T10:00:00Z', by: 'grace' });
  expect(await additions()).toEqual([
    'look: Report "weekly" was paused by grace, 2026-11-18 10:00 Europe/London: its schedule triggers nothing. "resume weekly" ends that.',
  ]);
  differ('GetSchedule', { of: 'SchedulesReportdaily', answer: { State: 'DISABLED' } });
  differ('GetSchedule', { of: 'SchedulesReportmonthly', refusal: 'ResourceNotFoundException' });
  differ('GetSchedule', { of: 'Watch', answer: { State: 'DISABLED' } });
  const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';
  expect(await additions()).toEqual([
    'look: Report "weekly" was paused by grace, 2026-11-18 10:00 Europe/London: its schedule triggers nothing. "resume weekly" ends that.',
    `fault: The schedule of report "daily" is off. ${enable}`,
    'fault: The schedule of report "monthly" is missing. "npx cdk deploy --revert-drift" puts it back.',
    `fault: The schedule of the watch, which notices missing runs, is off. ${enable}`,
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
  const unconfigured = loadConfiguration({ overlay: { mail: { page: true } } });
  expect(await additions(unconfigured)).toEqual([]);
  const others = { 'alan@example.com': 'PendingConfirmation' };
  answers['ListSubscriptionsByTopic'] = subscriptions({ 'grace@example.com': 'confirmed', ...others });
  expect(await additions()).toEqual([expect.stringMatching(/^look: 1 of 2 alarm addresses get nothing: /)]);
  answers['ListSubscriptionsByTopic'] = subscriptions({ 'grace@example.com': 'Deleted', ...others });
  expect(await additions()).toEqual([expect.stringMatching(/^fault: Nobody gets alarms and notices: /)]);
  expect(await additions(unconfigured)).toEqual([
    "look: Nobody gets alarms and notices. operations.alarmAddresses = the operators' addresses",
  ]);
});

test('another configuration and little room in Lambda are worth a look; what AWS does not answer hides nothing of the rest', async () => {
  const Outputs = outputsOf(configuration, '0'.repeat(16));
  differ('DescribeStacks', { answer: { Stacks: [{ StackStatus: 'UPDATE_COMPLETE', Outputs }] } });
  differ('GetAccountSettings', { answer: { AccountLimit: { UnreservedConcurrentExecutions: 10 } } });
  differ('GetQueueAttributes', { refusal: 'ThrottlingException' });
  expect(await additions()).toEqual([
    'look: The stack has a different configuration from cdk.json: deploy, or check out what was deployed.',
    expect.stringMatching(/^look: Lambda runs at most 10 functions of this account at once: /),
    'look: This was not checked: AWS answered ThrottlingException.',
  ]);
});

test('a stack that does not exist, or was never there whole, is a fault, named with the account in which it was looked for', async () => {
  const rolledBack = { answer: { Stacks: [{ StackStatus: 'ROLLBACK_COMPLETE' }] } };
  for (const differs of [rolledBack, { refusal: 'ValidationError' }]) {
    differ('DescribeStacks', differs);
    const found = expect.stringMatching(/^fault: (?:Stack .* has no output .* ROLLBACK_COMPLETE: |There is no stack)/);
    expect(await examine()).toEqual([healthy[0], found]);
  }
});
