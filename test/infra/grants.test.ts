import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { deployTemplate, functionsIn } from '../support/aws/deployed-template.ts';
import { rightsOf, rightsOfPolicies, rightsOfRole, type Right } from '../support/aws/rights.ts';
import { configurationWith } from '../support/configuration.ts';
import { awsActionsIn, parts } from '../support/pages.ts';
import { sampleTemplate, templateOf } from '../support/aws/template.ts';

/** A right as a line: actions, resources by the names in their ARNs, and the keys of items or the sender that it is limited to. */
function lineOf({ actions, resources, on }: Right): string {
  const names = resources.map((arn) => arn.replace(/^arn:aws:\w*:[^:]*:\d*:/, '').replace(/[\dA-F]{8}(?=$|:|-)/, ''));
  const limit = on === resources ? '' : ` (${on.join(' ')})`;
  return `${actions.join(' ')}: ${names.join(' ')}${limit}`;
}

/** The rights of each function, in addition to that to its own log. */
function rightsIn(synthesized: Template): Record<string, string[]> {
  const template = deployTemplate(synthesized.toJSON());
  const rights = rightsOf(template);
  return Object.fromEntries(
    Object.entries(functionsIn(template)).map(([name, id]) => {
      const [log, ...others] = (rights[id] ?? []).map(lineOf);
      const logGroup = `${name.charAt(0).toUpperCase()}${name.slice(1)}Logs`;
      expect(log).toBe(`logs:CreateLogStream logs:PutLogEvents: log-group:${logGroup}:*`);
      return [name, others.map((line) => line.replaceAll('dynamodb:', '').replace('table/LedgerTable ', ''))];
    }),
  );
}

const rights = rightsIn(sampleTemplate());

// That a function has each right that it needs, on what it needs, and none beside, is in e2e/deployed.test.ts.

const [weekly] = configurationWith().reports;
const reports = [{ ...weekly, channels: [{ name: 'managers', kind: 'teams' }] }];
const identity = { arn: 'arn:aws:ses:eu-west-1:111122223333:identity/example.com' };
/** With all that a configuration can add to it. */
const complete = templateOf(configurationWith({ reports, mail: { identity } }));

test('the run alone reads the addresses of channels, where a report has one, and sends under an identity of another account, from the same address', () => {
  const { run = [], ...others } = rightsIn(complete);
  expect(others).toEqual({ ...rights, run: undefined });
  expect(run.filter((line) => !rights['run']?.includes(line))).toEqual([
    'ses:SendRawEmail: identity/example.com configuration-set/SenderConfigurationSet identity/* (digest@example.com)',
    'secretsmanager:GetSecretValue: secret:ChannelsSecret-a1b2c3 secret:LinkKeySecret-a1b2c3',
  ]);
});

test('a run that is on an earlier version may read the addresses of channels once the last channel is taken out', () => {
  const [policy] = Object.values(complete.findResources('AWS::SecretsManager::ResourcePolicy'));
  // All versions of a function have its role.
  const Principal = { AWS: { 'Fn::GetAtt': [expect.stringMatching(/^RunRole/), 'Arn'] } };
  const Statement = [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Principal, Resource: '*' }];
  expect(policy).toMatchObject({
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: { ResourcePolicy: { Statement } },
  });
});

test('the function of the pages is there only where the configuration wants pages, as its route and what leads to it are', () => {
  const without = templateOf(configurationWith({ mail: { page: false } }));
  expect(Object.keys(without.findResources('AWS::ApiGatewayV2::Route')).length).toBe(1);
  expect(JSON.stringify(without.toJSON())).not.toMatch(/"Page|\/page\//);
  // A run that is on an earlier version makes a link.
  expect(JSON.stringify(without.findResources('AWS::IAM::Policy'))).toContain('PAGE_LINKS');
});

test('under an identity of another account operators may send to SES’s simulator alone', () => {
  const [policy] = Object.values(complete.findResources('AWS::IAM::ManagedPolicy'));
  const Recipients = { 'ses:Recipients': ['success@simulator.amazonses.com'] };
  const StringEquals = { 'ses:FromAddress': 'digest@example.com' };
  const Condition = { StringEquals, 'ForAllValues:StringEquals': Recipients };
  const right = { Effect: 'Allow', Action: 'ses:SendRawEmail', Resource: identity.arn, Condition };
  expect(policy?.['Properties'].PolicyDocument.Statement).toContainEqual(right);
});

test('schedules invoke one function each, and leave what they could not hand over; the rule of alarms publishes to their topic', () => {
  const template = deployTemplate(sampleTemplate().toJSON());
  const roles = template.resourcesOf('AWS::IAM::Role').filter((id) => /Schedules|Alarms/.test(id));
  expect(roles.map((id) => rightsOfRole(template, id).map(lineOf))).toEqual([
    ['lambda:InvokeFunction: function:RunFunctionAliaslive:live', 'sqs:SendMessage: DeadLetters'],
    ['lambda:InvokeFunction: function:WatchFunction', 'sqs:SendMessage: DeadLetters'],
    ['sns:Publish: AlarmTopic'],
  ]);
});

/** The service that works under a role, by its logical id. */
const serviceOf = (id: string) =>
  id.includes('Schedules') ? 'scheduler' : id.startsWith('Alarms') ? 'events' : 'lambda';

test('each role is assumed by one service, and by the two that work for every account for this one alone, by schedules of the stack’s group', () => {
  const ofThisAccount = { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } };
  const ofThisGroup = { ...ofThisAccount, 'aws:SourceArn': { 'Fn::GetAtt': ['ScheduleGroup', 'Arn'] } };
  const conditions = {
    lambda: {},
    scheduler: { Condition: { StringEquals: ofThisGroup } },
    events: { Condition: { StringEquals: ofThisAccount } },
  };
  const trust = (service: keyof typeof conditions) => {
    const statement = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: `${service}.amazonaws.com` } };
    return { Version: '2012-10-17', Statement: [{ ...statement, ...conditions[service] }] };
  };
  const roles = Object.entries(complete.findResources('AWS::IAM::Role'));
  expect(roles.map(([id, { Properties }]) => [id, Properties.AssumeRolePolicyDocument])).toEqual(
    roles.map(([id]) => [id, trust(serviceOf(id))]),
  );
  expect(roles).toHaveLength(9);
});

const page = readFileSync('infra/docs/permissions.md', 'utf8');
const policies = [...page.matchAll(/^```json\n(\{\s*"Version".*?)^```/gms)].map(([, json = '']) => JSON.parse(json));
const [, deployer = [], boundary = []] = policies.map(({ Statement }): string[] =>
  Statement.flatMap(({ Action }: { Action: string[] }) => Action),
);

test('the policy of who deploys has actions of each service whose resources the stack has, and is no longer than IAM takes', () => {
  const types = Object.values<{ Type: string }>(complete.toJSON()['Resources']).map(({ Type }) => Type);
  const services = types.map((type) => (type.split('::')[1] ?? '').toLowerCase().replace('apigatewayv2', 'apigateway'));
  const allowed = new Set(deployer.map((action) => action.split(':')[0]));
  expect([...new Set(services)].filter((service) => !allowed.has(service))).toEqual([]);
  // The first name of one's own in an account: https://docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
  expect(deployer).toContain('iam:CreateServiceLinkedRole');
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  expect(JSON.stringify(policies[1]).length).toBeLessThan(6_144);
});

test('who deploys may do by the AWS CLI what the pages say needs that right', () => {
  // Of these AWS knows no resource.
  const ofTheAccount = ['dynamodb:ListTables', 'secretsmanager:ListSecrets'];
  const statements: Array<{ Action: string | string[]; Resource: unknown }> = policies[1].Statement;
  const isAllowed = (action: string): boolean =>
    statements.some(
      ({ Action, Resource }) =>
        (Resource === '*' || !ofTheAccount.includes(action)) &&
        [Action].flat().some((name) => matchesGlob(action, name)),
    );
  const told = awsActionsIn(parts.filter((part) => part.includes('right to deploy')).join('\n'));
  // An administrator attaches the operators' policy.
  expect(told.filter((action) => !action.startsWith('iam:') && !isAllowed(action))).toEqual([]);
  expect(told).toEqual(expect.arrayContaining([...ofTheAccount, 'dynamodb:RestoreTableToPointInTime']));
});

test('operators change the deployed sender alone, stop what this stack sends, and read its schedules and its logs', () => {
  const template = deployTemplate(sampleTemplate().toJSON());
  const ofOperators = rightsOfPolicies(template, 'AWS::IAM::ManagedPolicy');
  const logs = ofOperators.find(({ actions }) => actions.includes('logs:FilterLogEvents'))?.resources;
  const logGroups = template.resourcesOf('AWS::Logs::LogGroup').map((id) => template.arn(id));
  expect(logs?.toSorted()).toEqual(logGroups.toSorted());
  const lines = ofOperators.map(lineOf);
  const narrow = /^(?:ses:Put|scheduler|lambda:(?:List|GetDurable))/;
  expect(lines.filter((line) => narrow.test(line))).toEqual([
    'lambda:ListVersionsByFunction: function:RunFunction',
    'lambda:GetDurableExecution lambda:ListDurableExecutionsByFunction lambda:StopDurableExecution: function:RunFunction:*',
    'ses:PutConfigurationSetSendingOptions: configuration-set/SenderConfigurationSet',
    'scheduler:GetSchedule: schedule/BroadcastDigest/*',
    'ses:PutEmailIdentityFeedbackAttributes: identity/digest@example.com identity/example.com',
  ]);
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  // With names half as long again.
  const { PolicyDocument } = Object(template.properties(template.resourcesOf('AWS::IAM::ManagedPolicy')[0] ?? ''));
  expect(JSON.stringify(PolicyDocument).length).toBeLessThan(6_144 / 1.5);
});

test('the boundary allows what the policies of the stack’s roles allow, and nothing else', () => {
  const template = deployTemplate(complete.toJSON());
  const allowed = template.resourcesOf('AWS::IAM::Role').flatMap((id) => rightsOfRole(template, id));
  expect(new Set(boundary)).toEqual(new Set(allowed.flatMap(({ actions }) => actions)));
});
