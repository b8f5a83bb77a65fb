import { beforeAll, describe, expect, it } from 'vitest';
import type { AwsCall } from '../../infra/local/emulators/authorize.ts';
import { accessKeyIdOfFunction, functionArn } from '../../infra/local/emulators/lambda/lambda-function.ts';
import { authorizeBy, type Rights } from '../support/rights.ts';
import { statementsOfRole } from '../support/rights-statement.ts';
import { deployTemplate, type DeployedTemplate } from '../support/deployed-template.ts';
import { configurationWith, templateOf } from '../support/template.ts';

let template: DeployedTemplate;
let rights: Rights;
/** The logical id of each function. */
const ids = new Map<string, string>();
const names = ['run', 'collect', 'feedback', 'watch', 'unsubscribe', 'page'];

beforeAll(() => {
  template = deployTemplate(templateOf(configurationWith({ mail: { page: true } })).toJSON());
  const roles = template.resourcesOf('AWS::IAM::Role');
  const functions = template.resourcesOf('AWS::Lambda::Function');
  rights = Object.fromEntries(
    names.map((name) => {
      const role = roles.find((id) => id.toLowerCase().startsWith(name)) ?? '';
      const id = functions.find((candidate) => candidate.toLowerCase().startsWith(name)) ?? '';
      ids.set(name, id);
      return [id, statementsOfRole(template, role)];
    }),
  );
});

/** The functions that may make a call. */
function whoMay(action: string, parameters: unknown): string[] {
  const judge = authorizeBy(rights);
  const call = (name: string): AwsCall => ({
    accessKeyId: accessKeyIdOfFunction(ids.get(name) ?? ''),
    action,
    parameters,
  });
  return names.filter((name) => judge(call(name)) === true);
}

function only(type: string, prefix = ''): string {
  return template.resourcesOf(type).find((id) => id.startsWith(prefix)) ?? '';
}

const item = (pk: string): unknown => ({ TableName: only('AWS::DynamoDB::GlobalTable'), Key: { pk: { S: pk } } });
/** A request for many items. */
const batch = (...keys: string[]): unknown => ({
  RequestItems: {
    [only('AWS::DynamoDB::GlobalTable')]: { Keys: keys.map((pk) => ({ pk: { S: pk } })) },
  },
});
/** The logical id of a resource. */
const nameOf = (arn: string): string => (arn.split(/[:/]/).at(-1) ?? '').replace(/-a1b2c3$/, '');
const mail = (source: string): unknown => ({
  Source: source,
  'Destinations.member.1': 'ada@example.com',
  ConfigurationSetName: only('AWS::SES::ConfigurationSet'),
});

describe('no function', () => {
  it('can both read the service’s credentials and send mail', () => {
    const secret = { SecretId: template.ref(only('AWS::SecretsManager::Secret', 'Credentials')) };
    expect(whoMay('secretsmanager:GetSecretValue', secret)).toEqual(['collect']);
    expect(whoMay('ses:SendRawEmail', mail('digest@example.com'))).toEqual(['run']);
  });

  it('can send from another address, or under another configuration set', () => {
    expect(whoMay('ses:SendRawEmail', mail('someone-else@example.com'))).toEqual([]);
    expect(
      whoMay('ses:SendRawEmail', { ...Object(mail('digest@example.com')), ConfigurationSetName: 'other' }),
    ).toEqual([]);
  });

  it('can scan the table, or reach another one', () => {
    const other = { ...Object(item('RUN#weekly_2026-W46')), TableName: 'other' };
    expect(whoMay('dynamodb:GetItem', other)).toEqual([]);
    const actions = Object.values(rights).flatMap((of) => of.flatMap((statement) => statement.actions));
    expect(actions.filter((action) => action.includes('*') || action === 'dynamodb:Scan')).toEqual([]);
  });
});

describe('the items of the ledger', () => {
  it.each([
    ['TOKENS', ['collect']],
    ['COLLECTION#weekly_2026-W46#1', ['run']],
    ['RUN#weekly_2026-W46', ['run', 'feedback', 'watch']],
    ['FORGOTTEN_ROWS', []],
    ['RUNS#weekly', ['run', 'page']],
    ['DIGEST#weekly_2026-W46', ['run']],
    ['REPORT#weekly', ['run', 'watch']],
    ['ADDRESS#0123', ['unsubscribe']],
    ['PAGE_LINKS', []],
  ])('under %s are read one by one by %j alone', (pk, readers) => {
    expect(whoMay('dynamodb:GetItem', item(pk))).toEqual(readers);
  });

  it.each([
    ['TOKENS', []],
    ['RUN#weekly_2026-W46', ['run', 'watch']],
    ['RUNS#weekly', ['run', 'watch', 'page']],
    ['DIGEST#weekly_2026-W46', ['run', 'page']],
    ['COLLECTION#weekly_2026-W46#1', ['run', 'collect']],
    ['ADDRESS#0123', ['run']],
    ['SUBSCRIBERS#weekly', ['run']],
    ['TRIGGER#0123', ['run']],
    ['ACTIONS#weekly', ['run']],
    ['NOTICES', ['watch']],
    ['PAGE_LINKS', ['page']],
  ])('under %s are queried by %j alone', (pk, readers) => {
    const TableName = only('AWS::DynamoDB::GlobalTable');
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } };
    expect(whoMay('dynamodb:Query', { TableName, ...query })).toEqual(readers);
  });

  it.each([
    ['TOKENS', ['collect']],
    ['RUN#weekly_2026-W46', ['run', 'feedback', 'watch']],
    ['FORGOTTEN_ROWS', []],
    ['RUNS#weekly', ['run']],
    ['PAGE_LINKS', []],
    ['REPORT#weekly', ['run']],
    ['ADDRESS#0123', ['unsubscribe']],
    ['SUBSCRIBERS#weekly', []],
    ['NOTICES', ['watch']],
  ])('under %s are changed by %j alone', (pk, writers) => {
    expect(whoMay('dynamodb:UpdateItem', item(pk))).toEqual(writers);
  });

  it('are removed by the watch alone, and of them only rows of runs, to which it gives another key', () => {
    expect(whoMay('dynamodb:DeleteItem', item('RUN#weekly_2026-W46'))).toEqual(['watch']);
    expect(whoMay('dynamodb:DeleteItem', item('FORGOTTEN_ROWS'))).toEqual(['watch']);
    for (const pk of ['RUNS#weekly', 'REPORT#weekly', 'ADDRESS#0123', 'SUBSCRIBERS#weekly', 'TOKENS'])
      expect(whoMay('dynamodb:DeleteItem', item(pk))).toEqual([]);
  });

  it('that say what operators know are added by feedback, and are removed by nobody', () => {
    expect(whoMay('dynamodb:PutItem', item('NOTICES'))).toEqual(['feedback']);
    expect(whoMay('dynamodb:DeleteItem', item('NOTICES'))).toEqual([]);
  });

  it('are asked for in a batch only where every one of them is allowed', () => {
    expect(whoMay('dynamodb:BatchGetItem', batch('ADDRESS#0', 'ADDRESS#1'))).toEqual(['run']);
    expect(whoMay('dynamodb:BatchGetItem', batch('ADDRESS#0', 'TOKENS'))).toEqual([]);
  });
});

describe('the function of the pages', () => {
  it('may read stored digests, the runs there are, which links are revoked and the secret of links, and nothing else', () => {
    const statements = rights[ids.get('page') ?? ''] ?? [];
    const allowed = statements.flatMap(({ actions, resources, conditions }) =>
      actions.map((action) => {
        const keys = conditions['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
        return [action, ...resources.map(nameOf), ...keys].join(' ');
      }),
    );
    const secret = only('AWS::SecretsManager::Secret', 'Unsubscribe');
    const table = only('AWS::DynamoDB::GlobalTable');
    expect(allowed.filter((right) => !right.startsWith('logs:')).toSorted()).toEqual([
      `dynamodb:GetItem ${table} RUNS#*`,
      `dynamodb:Query ${table} DIGEST#* RUNS#* PAGE_LINKS`,
      `secretsmanager:GetSecretValue ${secret}`,
    ]);
    expect(allowed.length).toBe(3 + 2);
  });

  it('is there only where the configuration wants pages, as its URL and what leads to it are', () => {
    const without = templateOf(configurationWith({ mail: { page: false } }));
    const [withPages, withNone] = [template.resourcesOf('AWS::Lambda::Url'), without.findResources('AWS::Lambda::Url')];
    expect([withPages.length, Object.keys(withNone).length]).toEqual([2, 1]);
    expect(JSON.stringify(without.toJSON())).not.toMatch(/"Page|PAGE_|PageUrl|LinkSecretName/);
  });
});

describe('a notice', () => {
  it('is published by the watch alone, to the topic of the alarms', () => {
    const topic = template.arn(only('AWS::SNS::Topic'));
    expect(whoMay('sns:Publish', { Resource: topic })).toEqual(['watch']);
    expect(whoMay('sns:Publish', { Resource: `${topic}-other` })).toEqual([]);
  });
});

describe('a durable execution', () => {
  it('is written by the run alone, and the worker is invoked by the run alone', () => {
    expect(whoMay('lambda:CheckpointDurableExecution', {})).toEqual(['run']);
    const collect = ids.get('collect') ?? '';
    expect(functionArn(collect)).toBe(template.arn(collect));
    expect(whoMay('lambda:InvokeFunction', { FunctionName: collect })).toEqual(['run']);
    expect(whoMay('lambda:InvokeFunction', { FunctionName: 'other' })).toEqual([]);
  });
});

describe('"*" as a resource', () => {
  it('is left only where AWS knows no resource', () => {
    const actions = Object.values(rights).flatMap((of) =>
      of.filter(({ resources }) => resources.includes('*')).flatMap((statement) => statement.actions),
    );
    expect(actions).toEqual(['ses:GetSendQuota']);
  });

  it('is nowhere in what schedules may invoke', () => {
    const roles = template.resourcesOf('AWS::IAM::Role').filter((id) => /Schedules|WatchInvoke/.test(id));
    const resources = roles.flatMap((id) => statementsOfRole(template, id).flatMap((statement) => statement.resources));
    expect(resources.length).toBe(4);
    expect(resources.filter((resource) => resource.includes('*'))).toEqual([]);
  });
});
