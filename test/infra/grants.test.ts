import { describe, expect, it } from 'vitest';
import { functionNames } from '../../infra/build/bundles.ts';
import { functionArn } from '../../infra/local/emulators/lambda/function-thread.ts';
import { accessKeyIdOfFunction } from '../support/aws-front.ts';
import { deployTemplate, functionsIn } from '../support/deployed-template.ts';
import { authorizeBy, rightsOf, statementsOfRole } from '../support/rights.ts';
import { configurationWith, sampleTemplate, templateOf } from '../support/template.ts';

const template = deployTemplate(sampleTemplate().toJSON());
const rights = rightsOf(template);
const ids = functionsIn(template);

/** The names of the functions that may make a call, with spaces between them. */
function whoMay(action: string, parameters: unknown): string {
  const judge = authorizeBy(rights);
  const allowed = functionNames.filter(
    (name) => judge({ accessKeyId: accessKeyIdOfFunction(ids[name]), action, parameters }) === true,
  );
  return allowed.join(' ');
}

const only = (type: string, prefix = ''): string =>
  template.resourcesOf(type).find((id) => id.startsWith(prefix)) ?? '';
const table = only('AWS::DynamoDB::GlobalTable');
const item = (pk: string): unknown => ({ TableName: table, Key: { pk: { S: pk } } });
const query = (pk: string): unknown => ({
  TableName: table,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});
const batch = (...keys: string[]): unknown => ({
  RequestItems: { [table]: { Keys: keys.map((pk) => ({ pk: { S: pk } })) } },
});
const mail = (Source: string, ConfigurationSetName = only('AWS::SES::ConfigurationSet')): unknown => ({
  Source,
  'Destinations.member.1': 'ada@example.com',
  ConfigurationSetName,
});

describe('no function', () => {
  it('can both read the service’s credentials and send mail, or send from another address or under another configuration set', () => {
    const secret = { SecretId: template.ref(only('AWS::SecretsManager::Secret', 'Credentials')) };
    expect(whoMay('secretsmanager:GetSecretValue', secret)).toBe('collect');
    expect(whoMay('ses:SendRawEmail', mail('digest@example.com'))).toBe('run');
    expect(whoMay('ses:SendRawEmail', mail('someone-else@example.com'))).toBe('');
    expect(whoMay('ses:SendRawEmail', mail('digest@example.com', 'other'))).toBe('');
  });

  it('can scan the table, or reach another one', () => {
    expect(whoMay('dynamodb:GetItem', { ...Object(item('RUN#weekly_2026-W46')), TableName: 'other' })).toBe('');
    const actions = Object.values(rights).flatMap((of) => of.flatMap((statement) => statement.actions));
    expect(actions.filter((action) => action.includes('*') || action === 'dynamodb:Scan')).toEqual([]);
  });
});

describe('the items of the ledger', () => {
  it.each([
    { pk: 'TOKENS', read: 'collect', changed: 'collect' },
    { pk: 'COLLECTION#weekly_2026-W46#1', read: 'run', queried: 'run collect', changed: 'run', put: 'run' },
    {
      pk: 'RUN#weekly_2026-W46',
      read: 'run feedback',
      queried: 'run watch',
      changed: 'run feedback',
      put: 'run',
    },
    { pk: 'RUNS#weekly', read: 'run page', queried: 'run watch page', changed: 'run', put: 'run' },
    { pk: 'DIGEST#weekly_2026-W46', read: 'run', queried: 'run page', changed: 'run', put: 'run' },
    { pk: 'REPORTS', read: 'run watch unsubscribe', queried: 'run watch', changed: 'run watch', put: 'run' },
    { pk: 'ACTIONS#weekly', changed: 'run' },
    { pk: 'PERSON#0123', changed: 'run' },
    { pk: 'OPTOUT#0123', read: 'unsubscribe', changed: 'unsubscribe', put: 'feedback' },
    { pk: 'MEMBERS#weekly', queried: 'run' },
    { pk: 'HASH_KEY', read: 'run', put: 'run' },
    { pk: 'TRIGGER#0123', queried: 'run' },
    { pk: 'NOTICES', read: 'watch', queried: 'watch', changed: 'watch', put: 'feedback' },
    { pk: 'PAGE_LINKS', read: 'page', put: 'run' },
  ])(
    'under $pk are read by "$read", queried by "$queried", changed by "$changed", put by "$put", removed by nobody',
    ({ pk, read = '', queried = '', changed = '', put = '' }) => {
      expect({
        read: whoMay('dynamodb:GetItem', item(pk)),
        queried: whoMay('dynamodb:Query', query(pk)),
        changed: whoMay('dynamodb:UpdateItem', item(pk)),
        put: whoMay('dynamodb:PutItem', item(pk)),
        removed: whoMay('dynamodb:DeleteItem', item(pk)),
      }).toEqual({ read, queried, changed, put, removed: '' });
    },
  );

  it('are asked for in a batch only where every one of them is allowed', () => {
    expect(whoMay('dynamodb:BatchGetItem', batch('PERSON#0', 'OPTOUT#0'))).toBe('run');
    expect(whoMay('dynamodb:BatchGetItem', batch('PERSON#0', 'TOKENS'))).toBe('');
  });
});

it('the run alone reads the addresses of channels, whose secret is there only where a report has some', () => {
  expect(only('AWS::SecretsManager::Secret', 'Channels')).toBe('');
  const [weekly] = configurationWith().reports;
  const reports = [{ ...weekly, channels: [{ name: 'managers', kind: 'teams' }] }];
  const withChannels = deployTemplate(templateOf(configurationWith({ reports })).toJSON());
  const secrets = withChannels.resourcesOf('AWS::SecretsManager::Secret');
  const secret = secrets.find((id) => id.startsWith('Channels')) ?? '';
  const judge = authorizeBy(rightsOf(withChannels));
  const ofSecret = { action: 'secretsmanager:GetSecretValue', parameters: { SecretId: withChannels.ref(secret) } };
  const allowed = Object.entries(functionsIn(withChannels)).filter(
    ([, id]) => judge({ accessKeyId: accessKeyIdOfFunction(id), ...ofSecret }) === true,
  );
  expect(allowed.map(([name]) => name)).toEqual(['run']);
});

describe('the function of the pages', () => {
  it('may read what pages show, and write nothing; the secret of unsubscribe links is not its', () => {
    const actions = (rights[ids.page] ?? []).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => !action.startsWith('logs:')).toSorted()).toEqual([
      'dynamodb:GetItem',
      'dynamodb:Query',
    ]);
    const secret = { SecretId: template.ref(only('AWS::SecretsManager::Secret', 'LinkKey')) };
    expect(whoMay('secretsmanager:GetSecretValue', secret)).toBe('run unsubscribe');
  });

  it('is there only where the configuration wants pages, as its route and what leads to it are', () => {
    const without = templateOf(configurationWith({ mail: { page: false } }));
    expect(template.resourcesOf('AWS::ApiGatewayV2::Route').length).toBe(2);
    expect(Object.keys(without.findResources('AWS::ApiGatewayV2::Route')).length).toBe(1);
    expect(JSON.stringify(without.toJSON())).not.toMatch(/"Page|PAGE_|\/page\//);
  });
});

it('the watch alone publishes notices, to the topic of the alarms; the run alone writes durable executions and invokes the worker', () => {
  const topic = template.arn(only('AWS::SNS::Topic'));
  expect(whoMay('sns:Publish', { Resource: topic })).toBe('watch');
  expect(whoMay('sns:Publish', { Resource: `${topic}-other` })).toBe('');
  expect(whoMay('lambda:CheckpointDurableExecution', {})).toBe('run');
  expect(functionArn(ids.collect)).toBe(template.arn(ids.collect));
  expect(whoMay('lambda:InvokeFunction', { FunctionName: ids.collect })).toBe('run');
  expect(whoMay('lambda:InvokeFunction', { FunctionName: 'other' })).toBe('');
});

it('"*" as a resource is left only where AWS knows no resource, and nowhere in what schedules may invoke', () => {
  const statements = Object.values(rights).flat();
  const unbounded = statements.filter(({ resources }) => resources.includes('*'));
  const actions = unbounded.flatMap((statement) => statement.actions);
  expect(actions.join(' ')).toBe('ses:GetIdentityVerificationAttributes ses:GetSendQuota');
  const ofSchedules = template.resourcesOf('AWS::IAM::Role').filter((id) => /Schedules/.test(id));
  const resources = ofSchedules.flatMap((id) => statementsOfRole(template, id).flatMap((one) => one.resources));
  expect(resources.length).toBe(4);
  expect(resources.filter((resource) => resource.includes('*'))).toEqual([]);
});
