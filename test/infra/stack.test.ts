import { Match, type Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import cdkJson from '../../cdk.json' with { type: 'json' };
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { stackName } from '../../infra/config.ts';
import { configurationWith, sampleTemplate, templateOf } from '../support/template.ts';

let template: Template;

beforeAll(() => {
  template = sampleTemplate();
});

const resourcesSchema = v.record(
  v.string(),
  v.object({
    Type: v.string(),
    Properties: v.optional(v.record(v.string(), v.unknown()), {}),
    DeletionPolicy: v.optional(v.string(), 'Delete'),
    UpdateReplacePolicy: v.optional(v.string()),
  }),
);

const resourcesOf = (of: Template) => Object.values(v.parse(resourcesSchema, of.toJSON()['Resources']));

function propertiesOf(of: Template, type: string): Record<string, unknown>[] {
  return resourcesOf(of).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
}

const byText = (a: string, b: string): number => a.localeCompare(b);
const onlyTls = Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });

it('the ledger’s table has point-in-time recovery, deletion protection and a time to live', () => {
  template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    Replicas: [
      Match.objectLike({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ],
  });
});

it('table, secrets and versions outlive the stack, and a failed deployment leaves nothing but the empty table', () => {
  const kept = resourcesOf(template)
    .filter(({ DeletionPolicy }) => DeletionPolicy !== 'Delete')
    .map(({ Type, DeletionPolicy, UpdateReplacePolicy }) => `${Type}: ${DeletionPolicy}, ${UpdateReplacePolicy}`);
  expect(kept.toSorted(byText)).toEqual([
    // Its deletion protection would make the rollback fail.
    'AWS::DynamoDB::GlobalTable: Retain, Retain',
    'AWS::Lambda::Version: RetainExceptOnCreate, Retain',
    'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
    'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
  ]);
});

it('a deployment waits for no custom resource, which may take an hour to fail', () => {
  const types = resourcesOf(template).map(({ Type }) => Type);
  expect(types.filter((type) => type.startsWith('Custom::') || type.endsWith('::CustomResource'))).toEqual([]);
});

it('the service’s secret begins empty and well-formed', () => {
  template.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: '{"id":"","secret":""}' });
});

describe('every function', () => {
  it('is on Node 24 and arm64, logs in JSON, and has source maps', () => {
    const functions = propertiesOf(template, 'AWS::Lambda::Function');
    expect(functions.length).toBe(6);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
        Environment: { Variables: { NODE_OPTIONS: expect.stringMatching(/^--enable-source-maps( |$)/) } },
      });
    }
  });

  it('that collects keeps its objects within half of its memory, and gives back the rest', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Collects deliveries and their engagement from the reporting service',
      MemorySize: 1024,
      Environment: {
        Variables: { NODE_OPTIONS: Match.stringLikeRegexp(' --max-old-space-size=512$'), MALLOC_ARENA_MAX: '1' },
      },
    });
  });

  it('has a log group that forgets and goes with the stack', () => {
    expect(propertiesOf(template, 'AWS::Logs::LogGroup')).toEqual(
      Array.from({ length: 6 }, () => ({ RetentionInDays: 90 })),
    );
  });

  it('has a dead-letter queue where it is invoked asynchronously', () => {
    const queued = propertiesOf(template, 'AWS::Lambda::Function').filter((one) => 'DeadLetterConfig' in one);
    expect(queued.map(({ Description }) => Description)).toEqual([
      expect.stringMatching(/^Plans/),
      expect.stringMatching(/^Writes what SES/),
      expect.stringMatching(/^Notifies/),
    ]);
  });
});

it('the run is durable, and invoked by the alias "live"', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    DurableConfig: { ExecutionTimeout: 172_800, RetentionPeriodInDays: 30 },
  });
  template.hasResourceProperties('AWS::Lambda::Alias', { Name: 'live' });
});

const schedule = (expression: string, zone: string, target: object): unknown =>
  expect.objectContaining({
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: zone,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: expect.objectContaining({
      RetryPolicy: { MaximumRetryAttempts: 10, MaximumEventAgeInSeconds: 3600 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^DeadLetters/), 'Arn'] } },
      ...target,
    }),
  });

it('the schedules fire in their report’s zone, on time, and hand on the instant they meant; the watch looks four times an hour', () => {
  const [aliasId = ''] = Object.keys(template.findResources('AWS::Lambda::Alias'));
  const ofReport = (report: string): object => ({
    Arn: { Ref: aliasId },
    Input: `{"trigger":"schedule","report":"${report}","scheduledTime":"<aws.scheduler.scheduled-time>"}`,
  });
  expect(propertiesOf(template, 'AWS::Scheduler::Schedule')).toEqual([
    schedule('cron(0 8 ? * MON *)', 'Europe/London', ofReport('weekly')),
    schedule('cron(30 7 * * ? *)', 'Europe/London', ofReport('daily')),
    schedule('cron(0 9 1 * ? *)', 'America/New_York', ofReport('monthly')),
    schedule('rate(15 minutes)', 'UTC', { Input: '{}' }),
  ]);
});

it('the dead-letter queue is encrypted, keeps for two weeks and takes nothing unencrypted', () => {
  template.hasResourceProperties('AWS::SQS::Queue', {
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 1_209_600,
  });
  template.hasResourceProperties('AWS::SQS::QueuePolicy', {
    PolicyDocument: { Statement: Match.arrayWith([onlyTls]) },
  });
});

const identities = (identity: object): unknown[] =>
  propertiesOf(templateOf(configurationWith({ mail: { identity } })), 'AWS::SES::EmailIdentity');

describe('SES', () => {
  it('sends over TLS alone, and publishes what became of each message on the default bus', () => {
    template.hasResourceProperties('AWS::SES::ConfigurationSet', {
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
    });
    template.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['send', 'delivery', 'bounce', 'complaint', 'reject', 'renderingFailure'],
      },
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ses'],
        detail: {
          mail: { tags: { 'ses:configuration-set': [{ Ref: Match.stringLikeRegexp('SenderConfigurationSet') }] } },
        },
      },
      Targets: [
        Match.objectLike({
          DeadLetterConfig: Match.anyValue(),
          RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 20 },
        }),
      ],
    });
  });

  it('has the identity of an address created, that of a domain where it is configured, and an imported one left alone', () => {
    template.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'digest@example.com' });
    expect(identities({ of: 'domain' })).toEqual([{ EmailIdentity: 'example.com' }]);
    expect(identities({ of: 'domain', setup: 'import' })).toEqual([]);
  });
});

it('the topic takes what CloudWatch publishes for this account’s alarms, over TLS, and needs no key that costs', () => {
  expect(propertiesOf(template, 'AWS::KMS::Key')).toEqual([]);
  expect(propertiesOf(template, 'AWS::SNS::Topic')).toEqual([{}]);
  template.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        onlyTls,
        Match.objectLike({
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
      ]),
    },
  });
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operators@example.com' });
});

it('the outputs are what an operator and the commands need', () => {
  const names =
    'AlarmTopicArn CollectLogGroup ConfigurationHash ConfigurationSetName DeadLetterQueueUrl FeedbackLogGroup';
  const others = 'LinkSecretName PageLogGroup PageUrl RunFunctionAlias RunLogGroup SecretName TableName';
  expect(Object.keys(template.toJSON()['Outputs']).toSorted(byText)).toEqual(
    [...names.split(' '), ...others.split(' '), 'UnsubscribeLogGroup', 'WatchLogGroup'].toSorted(byText),
  );
});

it('two environments of one account have no name in common, and the one with a name has it in its notices’ commands', () => {
  const staging = templateOf(configurationWith(), 'BroadcastDigest-staging');
  const alarmNames = (of: Template) => propertiesOf(of, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
  expect(alarmNames(staging).every((name) => String(name).startsWith('BroadcastDigest-staging-'))).toBe(true);
  expect(alarmNames(template).filter((name) => alarmNames(staging).includes(name))).toEqual([]);
  // Whatever else has a name gets it from CloudFormation, which makes it the stack's own.
  const fixed = ['FunctionName', 'TableName', 'RoleName', 'QueueName', 'TopicName', 'LogGroupName', 'GroupName'];
  const withFixedName = resourcesOf(staging).filter(({ Properties }) =>
    fixed.some((name) => typeof Properties[name] === 'string'),
  );
  expect(withFixedName).toEqual([]);
  const functions = propertiesOf(staging, 'AWS::Lambda::Function');
  const named = functions.filter((one) => JSON.stringify(one).includes('"ENVIRONMENT_NAME":"staging"'));
  expect(named.map(({ Description }) => Description)).toEqual([expect.stringMatching(/^Notifies operators/)]);
  expect(JSON.stringify(template)).not.toContain('ENVIRONMENT_NAME');
});

it('an environment’s stack is named after it, and the one without has the name alone', () => {
  expect([undefined, 'staging', 'eu-2'].map(stackName)).toEqual([
    'BroadcastDigest',
    'BroadcastDigest-staging',
    'BroadcastDigest-eu-2',
  ]);
});

it.each(['', '2eu', 'a_b', 'a'.repeat(32), 7, null])('%j is no name of an environment', (environment) => {
  expect(() => stackName(environment)).toThrow(ConfigurationError);
});

/** Flags of the CDK that are not set as it recommends, and why. */
const others: Record<string, { value: unknown; reason: string }> = {
  '@aws-cdk/aws-lambda:recognizeLayerVersion': {
    value: false,
    reason:
      'No function has a layer. It renames the version of a function that is deployed, and Lambda makes no second one.',
  },
  '@aws-cdk/core:target-partitions': { value: ['aws'], reason: 'The stack is made for the commercial regions.' },
};

it('every feature flag that the CDK recommends is set as it recommends, save a few', () => {
  const context: Record<string, unknown> = cdkJson.context;
  const set = Object.fromEntries(Object.entries(context).filter(([name]) => name.startsWith('@aws-cdk')));
  const exceptions = Object.fromEntries(Object.entries(others).map(([name, { value }]) => [name, value]));
  expect(set).toEqual({ ...recommended, ...exceptions });
});
