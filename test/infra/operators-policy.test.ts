import { SNSClient } from '@aws-sdk/client-sns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordSuppressed } from '../../functions/ledger/notices.ts';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { putNote, resumeReport } from '../../functions/ledger/reports.ts';
import { turnChannelOff } from '../../functions/ledger/channels.ts';
import { bindNote, holdRun, requireRun } from '../../functions/ledger/runs/runs.ts';
import { createTable } from '../../functions/ledger/table.ts';
import { ensureTable } from '../../infra/local/emulators/dynamodb.ts';
import { buildProgram, runProgram } from '../../infra/program/program.ts';
import { planKeptRun } from '../functions/run/kept-run.ts';
import { deployTemplate, functionsIn } from '../support/aws/deployed-template.ts';
import { keysAsked } from '../support/aws/aws-front.ts';
import { createDynamoDbInProcess } from '../support/aws/dynamodb-in-process.ts';
import { rightsOfPolicies } from '../support/aws/rights.ts';
import { sampleTemplate } from '../support/aws/template.ts';
import { cdkJsonPath } from '../support/configuration.ts';
import { awsActionsIn, parts } from '../support/pages.ts';
import { stackWith } from './program/target.ts';

vi.mock(import('../../infra/config.ts'), async (original) => {
  const config = await original();
  const channels = [{ name: 'managers', kind: 'teams' as const, link: false }];
  return {
    ...config,
    loadConfiguration: (environment) => {
      const { reports, ...settings } = config.loadConfiguration(environment, cdkJsonPath);
      return { ...settings, reports: reports.map((report) => Object.assign(report, { channels })) };
    },
  };
});

const template = deployTemplate(sampleTemplate().toJSON());
const rights = rightsOfPolicies(template, 'AWS::IAM::ManagedPolicy');
const allowed = rights.flatMap(({ actions }) => actions);
/** What it allows on items of certain keys alone: "UpdateItem REPORTS". */
const allowedOnItems = rights.flatMap(({ actions, resources, on }) =>
  on === resources ? [] : on.flatMap((key) => actions.map((action) => `${action.replace('dynamodb:', '')} ${key}`)),
);

/** What the clients of all services have in common. */
interface AwsClient {
  config: { serviceId: string };
  send(command: { input: unknown }): Promise<unknown>;
}
const everyClient: AwsClient = Object.getPrototypeOf(SNSClient.prototype);

/** IAM's names of services and actions, where they are not the clients' own. */
const inIam: Readonly<Record<string, string>> = {
  EventBridge: 'events',
  SESv2: 'ses',
  'Secrets Manager': 'secretsmanager',
  InvokeCommand: 'InvokeFunction',
};

// In the template the secret's name is cut out of its ARN.
const SecretName = template.resourcesOf('AWS::SecretsManager::Secret').find((id) => id.startsWith('Credentials')) ?? '';
const answers: Readonly<Record<string, object>> = {
  DescribeStacksCommand: { Stacks: [stackWith({ ...template.outputs, SecretName })] },
  ListStackResourcesCommand: { StackResourceSummaries: template.summaries },
  InvokeCommand: { DurableExecutionArn: `${template.arn(functionsIn(template).run)}:7/durable-execution/x/y` },
  GetSecretValueCommand: { SecretString: '{}' },
  GetDurableExecutionCommand: { Status: 'SUCCEEDED', Result: '{"kept":true,"sent":1,"notSent":0,"unknown":0}' },
};

/** Calls of all commands, which ask for all that they ever ask for. */
const calls = `subscribers weekly add ada@example.com; status; doctor --deployed; sender; runs; run weekly --at 2026-11-16T08:00:00Z --yes; show weekly_2026-W46 --messages --no-view;
  discard weekly_2026-W46 --yes; release weekly_2026-W46 --yes; test weekly --at 2026-11-16T08:00:00Z --to ada@example.com;
  subscribers weekly add bo@example.com; addresses list; addresses show bo@example.com; addresses lift bo@example.com --yes;
  subscribers weekly remove ada@example.com; addresses forget bo@example.com --yes; pages revoke weekly --yes; pause --all; resume weekly;
  resume --channel managers; secret; note weekly Back!;
  note weekly --clear; retire gone --yes; recover ${template.outputs['TableName']}`;

/** What operators are told to do by hand: by alarms, and by each part of a page that does not ask for more than their policy. */
const alarms = JSON.stringify(sampleTemplate().findResources('AWS::CloudWatch::Alarm'));
const told = parts.filter((part) => !/right to deploy|[Aa]n administrator|aws configure sso/.test(part)).concat(alarms);
const byHand = awsActionsIn(told.join('\n'));
test('the policy allows operators what the program asks of AWS, whichever its command is, and what alarms and pages have them do by hand, and nothing else', async () => {
  onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs());
  const dynamoDb = createDynamoDbInProcess()();
  const tableName = template.outputs['TableName'] ?? '';
  await ensureTable(dynamoDb, tableName);
  const table = createTable(dynamoDb, tableName);
  const at = '2026-11-01T00:00:00Z';
  const prepareLedger = async () => {
    const plan = await planKeptRun(table, 1);
    await putNote(table, { name: 'weekly' }, { text: 'Hello!', by: 'ada', at });
    await bindNote(table, await requireRun(table, 'weekly', plan.period));
    await holdRun(table, plan);
    const about = { run: plan.run, message: 'm', hash: (await openHashes(table))('bo@example.com'), at };
    await recordSuppressed(table, { ...about, reason: 'bounce', expiresAt: 2_000_000_000 });
    await turnChannelOff(table, { channel: 'managers', offSince: at, run: plan.run, refusal: 'HTTP 404' });
    for (const name of ['old', 'gone']) await resumeReport(table, { name }, at);
  };
  const askLedger = everyClient.send.bind(Object(dynamoDb));
  // That one needs no right: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
  const asked = new Set(['sts:GetCallerIdentity']);
  const written = new Set<string>();
  vi.spyOn(everyClient, 'send').mockImplementation(async function (this: AwsClient, command) {
    if (Object.is(this, dynamoDb)) return await askLedger(command);
    const { serviceId } = this.config;
    const { name } = command.constructor;
    const action = `${inIam[serviceId] ?? serviceId.toLowerCase()}:${inIam[name] ?? name.replace(/Command$/, '')}`;
    asked.add(action);
    const isUnknown = name === 'GetEmailIdentityCommand' && !asked.has('ses:CreateEmailIdentity');
    if (isUnknown) throw Object.assign(new Error('No such identity.'), { name: 'NotFoundException', $metadata: {} });
    if (serviceId !== 'DynamoDB') return answers[name] ?? {};
    const kinds =
      action === 'dynamodb:Scan' ? [] : keysAsked(action, command.input).map((key) => key.replace(/#.*/, '#*'));
    if (!/Get|Query/.test(name)) for (const kind of kinds) written.add(`${action.replace('dynamodb:', '')} ${kind}`);
    return await askLedger(command);
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({ token: 'a-token' })));
  for (const name of ['stdout', 'stderr'] as const) vi.spyOn(process[name], 'write').mockReturnValue(true);
  for (const name of ['AWS_REGION', 'SERVICE_CLIENT_ID', 'SERVICE_CLIENT_SECRET']) vi.stubEnv(name, 'eu-west-1');

  // The first one finds an empty ledger.
  for (const [place, call] of calls.split(/;\s+/).entries()) {
    expect(await runProgram(call.split(' ')), call).toBeLessThan(64);
    if (place === 0) await prepareLedger();
  }
  const { commands: all } = await buildProgram(() => undefined);
  const commands = all.map((command) => command.name());
  expect(new Set(['start', ...calls.split(/;\s+/).map((call) => call.split(' ')[0])])).toEqual(new Set(commands));
  expect([...new Set([...asked, ...byHand])].toSorted()).toEqual(
    [...new Set([...allowed, 'sts:GetCallerIdentity'])].toSorted(),
  );
  // Of all else in the ledger, as the tokens, what runs wrote and what operators did, they change nothing.
  expect([...written].toSorted()).toEqual(allowedOnItems.toSorted());
});
