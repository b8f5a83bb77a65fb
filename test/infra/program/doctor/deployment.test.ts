import { SESServiceException } from '@aws-sdk/client-ses';
import { SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseObserveRequest } from '../../../../functions/collect/protocol.ts';
import { pauseReport, resumeReport } from '../../../../functions/ledger/reports.ts';
import { turnChannelOff } from '../../../../functions/ledger/channels.ts';
import { headersOfEveryResponse } from '../../../../functions/links/public-function.ts';
import { chooseReport } from '../../../../infra/program/command-line/choices.ts';
import { askWorker, examineDeployment, openDeployment } from '../../../../infra/program/doctor/deployment.ts';
import type { Finding } from '../../../../infra/program/doctor/finding.ts';
import { defaultFolders } from '../../../../infra/program/targets/place.ts';
import cases from '../../../fixtures/deployment-findings.json' with { type: 'json' };
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';
import { deployTemplate, functionsIn } from '../../../support/aws/deployed-template.ts';
import { reset, startHttpStub, status } from '../../../support/http-stub.ts';
import { configurationWith } from '../../../support/configuration.ts';
import { sampleTemplate } from '../../../support/aws/template.ts';
import { stackWith } from '../target.ts';

type Input = Readonly<Record<string, string | undefined>>;
/** What AWS answers, by the operation. */
let answers: Record<string, (input: Input) => unknown> = {};
let ledger: Ledger;

interface Case {
  differs: string;
  operation: string;
  /** How the name begins of the resource that differs; all do, where there is none. */
  of?: string;
  answer?: object;
  /** The name of the error that there is in place of an answer. */
  refusal?: string;
  finding: object;
  /** What the finding's sentence names, as a regular expression. */
  about?: string;
}

/** Lets AWS answer otherwise. */
function differ({ operation, of: begin = '', answer, refusal }: Case): void {
  const before = answers[operation];
  answers[operation] = (input) => {
    if (!(input['Name'] ?? '').startsWith(begin)) return before?.(input);
    if (refusal !== undefined) throw Object.assign(new Error('grace@example.com'), { name: refusal, $metadata: {} });
    return { ...Object(before?.(input)), ...answer };
  };
}

const topic = 'arn:aws:sns:eu-west-1:111122223333:alarms';
const overlay = { operations: { alarmAddresses: ['grace@example.com', 'alan@example.com'] }, mail: { page: true } };
const configuration = configurationWith(overlay);
const now = Temporal.Instant.from('2026-11-20T12:00:00Z');
const verified = { VerifiedForSendingStatus: true, DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' } };

const front = await startHttpStub();
const outputs = { AlarmTopicArn: topic, PublicUrl: front.url };
afterAll(() => front.close());

// The stack is what its template makes of it.
const template = deployTemplate(sampleTemplate().toJSON());

beforeEach(async () => {
  ledger = await openLedger();
  const everyClient: { send(command: { input: Input }): Promise<unknown> } = Object.getPrototypeOf(SNSClient.prototype);
  const askLedger = everyClient.send.bind(Object(ledger.client));
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.spyOn(everyClient, 'send').mockImplementation(async (command) => {
    const answer = answers[command.constructor.name.replace(/Command$/, '')];
    return await (answer === undefined ? askLedger(command) : answer(command.input));
  });
  answers = {
    GetCallerIdentity: () => ({ Account: '111122223333', UserId: 'AROA:grace@example.com' }),
    DescribeStacks: () => ({ Stacks: [stackWith(outputs)] }),
    ListStackResources: () => ({ StackResourceSummaries: template.summaries }),
    GetSecretValue: () => ({ SecretString: '{"id": "client", "secret": "canary-secret"}' }),
    GetEmailIdentity: identities({ 'digest@example.com': verified }),
    GetAccount: () => ({ ProductionAccessEnabled: true, SendingEnabled: true }),
    ListSubscriptionsByTopic: subscriptions({ 'grace@example.com': 'confirmed', 'Alan@example.com': 'confirmed' }),
    GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    GetSchedule: ({ GroupName, Name }) => {
      const schedule = Object(template.properties(Name ?? ''));
      // Without the name of its group AWS does not find it.
      if (schedule.GroupName === GroupName) return { State: 'ENABLED', ...schedule };
      throw Object.assign(new Error(), { name: 'ResourceNotFoundException' });
    },
  };
  for (const path of ['/unsubscribe/none', '/page/none']) front.answer(path, status(404, headersOfEveryResponse));
  for (const report of configuration.reports) await resumeReport(ledger.table, report, '2026-11-01T00:00:00Z');
});

afterEach(() => void vi.restoreAllMocks().unstubAllEnvs());

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
  return ({ NextToken }) =>
    NextToken === undefined ? { Subscriptions: [first], NextToken: 'more' } : { Subscriptions: others };
}

/** What the doctor says of a stack, where `cdk.json` has that configuration. It shows no secret and no address. */
async function examine(cdkJson = configuration): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const place = { ...defaultFolders, local: false, configuration: cdkJson };
  const { findings, credentials } = await examineDeployment(
    { ...openDeployment(place, open), now, dynamoDb: ledger.client },
    () => undefined,
    { worker: (stack) => ('Invoke' in answers ? askWorker(stack, chooseReport(cdkJson, 'weekly')) : null) },
  );
  expect(JSON.stringify(findings)).not.toMatch(/canary-secret|@example\.com/i);
  expect(credentials !== null).toBe(findings.some(({ check, verdict }) => check === 'secret' && verdict === 'good'));
  return findings;
}

/** The verdict and the check of what is not good. */
async function troubles(cdkJson = configuration): Promise<string[]> {
  const findings = await examine(cdkJson);
  return findings.flatMap(({ verdict, check }) => (verdict === 'good' ? [] : [`${verdict} ${check}`]));
}

test('a deployment that can work is good throughout, and says when each report fires next', async () => {
  const findings = await examine();
  expect(findings.filter(({ verdict }) => verdict !== 'good')).toEqual([]);
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set(['account', 'secret', 'identity', 'sending', 'links', 'alarms', 'dead letters', 'schedules']),
  );
  expect(findings.flatMap(({ check, sentence }) => (check === 'schedules' ? [sentence] : []))).toEqual([
    `Report "weekly" is on, next at 2026-11-23 08:00 Europe/London (2026-11-23T08:00:00Z) by this machine's time zones.`,
    `Report "daily" is on, next at 2026-11-21 07:30 Europe/London (2026-11-21T07:30:00Z) by this machine's time zones.`,
    `Report "monthly" is on, next at 2026-12-01 09:00 America/New_York (2026-12-01T14:00:00Z) by this machine's time zones.`,
  ]);
});

test.each<Case>(cases)('where $differs, the doctor says so, and nothing else', async (differs) => {
  differ(differs);
  const findings = (await examine()).filter(({ verdict }) => verdict !== 'good');
  const { finding, about = '' } = differs;
  expect(findings).toEqual([{ ...finding, sentence: expect.stringMatching(about) }]);
});

const unsigned = { VerifiedForSendingStatus: true, DkimAttributes: { SigningEnabled: false, Status: 'NOT_STARTED' } };
const ofDomain = { from: 'digest@news.example.com', identity: { of: 'domain' } };
test.each([
  { known: { 'example.com': verified }, found: [] },
  { known: { 'digest@example.com': unsigned, 'example.com': verified }, found: [] },
  { known: { 'example.com': verified }, mail: ofDomain, found: [] },
  { known: { 'digest@example.com': unsigned }, found: ['look identity'] },
  { known: { 'digest@example.com': { VerifiedForSendingStatus: false } }, found: ['fault identity'] },
  { known: { 'digest@news.example.com': verified }, mail: ofDomain, found: ['fault identity'] },
])('a domain is good for its addresses and subdomains, and signs for them: $known, $mail', async (row) => {
  answers['GetEmailIdentity'] = identities(row.known);
  expect(await troubles(configurationWith({ ...overlay, mail: { page: true, ...row.mail } }))).toEqual(row.found);
});

const refusal = (name: string, httpStatusCode = 400) =>
  new SESServiceException({ name, message: '', $fault: 'client', $metadata: { httpStatusCode } });

test.each([
  ['it takes the mail', 'eu-west-1', { MessageId: '1' }, 'good', /account 444455556666\. Whether .* sandbox/],
  ['its policy is missing, or for another address', 'eu-west-1', refusal('AccessDenied'), 'fault', /6 \(Acc.*"npm/],
  ['it is unknown or unverified there', 'eu-west-1', refusal('MessageRejected'), 'fault', /6 \(Mes.* verify .*sandbox/],
  ['SES does not answer', 'eu-west-1', refusal('InternalFailure', 500), 'look', /6\. Try again/],
  ['it is of another region', 'eu-north-1', { MessageId: '1' }, 'fault', /eu-north-1, .*6 for one in eu-west-1/],
])('of an identity of another account, where %s, the doctor names the account', async (...row) => {
  const [, region, answer, verdict, says] = row;
  answers['SendRawEmail'] = () => (answer instanceof Error ? Promise.reject(answer) : answer);
  answers['GetEmailIdentity'] = () => Promise.reject(new Error('It is not asked.'));
  const identity = { arn: `arn:aws:ses:${region}:444455556666:identity/example.com` };
  const findings = await examine(configurationWith({ ...overlay, mail: { page: true, identity } }));
  expect(findings).toContainEqual({ check: 'identity', verdict, sentence: expect.stringMatching(says) });
});

test.each([
  ['confirmed', 'Pending', ['look alarms'], []],
  ['Deleted', 'Pending', ['fault alarms'], ['look alarms']],
])(
  'addresses for alarms (%s, %s) are to be confirmed, and configured unless somebody is subscribed',
  async (...row) => {
    const [grace, alan, configured, unconfigured] = row;
    answers['ListSubscriptionsByTopic'] = subscriptions({ 'grace@example.com': grace, 'alan@example.com': alan });
    expect(await troubles()).toEqual(configured);
    expect(await troubles(configurationWith({ mail: { page: true } }))).toEqual(unconfigured);
  },
);

test('a paused report is worth a look', async () => {
  await pauseReport(ledger.table, { name: 'weekly' }, { at: '2026-11-18T10:00:00Z', by: 'grace' });
  const findings = await examine();
  expect(findings.filter(({ verdict }) => verdict !== 'good')).toMatchObject([
    { verdict: 'look', check: 'schedules', sentence: expect.stringMatching(/by grace, .*"resume weekly"/) },
  ]);
});

test('links that lead to another page, to a function that is busy, or nowhere are a fault', async () => {
  front.answer('/unsubscribe/none', status(404));
  front.answer('/page/none', status(503, headersOfEveryResponse));
  expect(await troubles()).toEqual(['fault links', 'fault links']);
  front.answer('/unsubscribe/none', status(404, headersOfEveryResponse));
  front.answer('/page/none', reset);
  expect(await troubles()).toEqual(['fault links']);
});

test('a channel without an https address, or off, is a fault', async () => {
  const channels = ['managers', 'old', 'none'].map((name) => ({ name, kind: 'teams' }));
  const [weekly] = configuration.reports;
  const withChannels = configurationWith({ ...overlay, reports: [{ ...weekly, channels }] });
  const hook = 'https://prod-1.westeurope.logic.azure.com/canary-secret';
  const addresses = { managers: hook, old: hook, none: 'http://example.test/canary-secret' };
  const credentials = answers['GetSecretValue'];
  answers['GetSecretValue'] = (input) =>
    input['SecretId'] === 'channels' ? { SecretString: JSON.stringify(addresses) } : credentials?.(input);
  answers['DescribeStacks'] = () => ({ Stacks: [stackWith({ ...outputs, ChannelsSecretName: 'channels' })] });
  const off = { channel: 'old', offSince: '2026-11-16T08:00:00Z', run: 'weekly_2026-W46', refusal: 'HTTP 404' };
  await turnChannelOff(ledger.table, off);
  expect((await examine(withChannels)).filter(({ check }) => check === 'channels')).toMatchObject([
    { verdict: 'good', sentence: expect.stringContaining('"managers"') },
    { verdict: 'fault', sentence: expect.stringMatching(/"old" .*weekly_2026-W46 \(HTTP 404\).* --channel old/) },
    { verdict: 'fault', sentence: expect.stringMatching(/"none" .* --channel none/) },
  ]);
});

test.each([
  { answer: { deliveries: 37, batches: 1 }, verdict: 'good', says: '37 deliveries' },
  { answer: { failure: { code: 'service-unavailable', message: 'Too slow.' } }, verdict: 'fault', says: 'Too slow.' },
  { answer: { errorType: 'Runtime.ExitError', errorMessage: 'It exited.' }, verdict: 'fault', says: 'It exited.' },
])('the deployed worker is asked as a run asks it, and says: $says', async ({ answer, verdict, says }) => {
  answers['Invoke'] = ({ FunctionName, Payload }) => {
    expect(FunctionName).toBe(functionsIn(template).collect);
    expect(parseObserveRequest(JSON.parse(Payload ?? ''))).toMatchObject({ account: 'doctor', phase: 'list' });
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  };
  const finding = { check: 'worker', verdict, sentence: expect.stringContaining(says) };
  expect(await examine()).toContainEqual(finding);
});

test.each([
  [() => ({ Stacks: [{ StackStatus: 'ROLLBACK_COMPLETE' }] }), 'ROLLBACK_COMPLETE'],
  [
    () => Promise.reject(Object.assign(new Error(), { name: 'ValidationError' })),
    'There is no stack "BroadcastDigest"',
  ],
])('a stack that was never there whole, or does not exist, is a fault beside its account: %o', async (answer, says) => {
  const account = { check: 'account', verdict: 'good', sentence: 'This is account 111122223333, region eu-west-1.' };
  answers['DescribeStacks'] = answer;
  const stack = { check: 'stack', verdict: 'fault', sentence: expect.stringContaining(says) };
  // The sender can be made ready before.
  expect(await examine()).toMatchObject([account, stack, { check: 'identity' }]);
});
