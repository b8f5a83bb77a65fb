import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { configurationWith, templateOf } from '../support/template.ts';

const configuration = configurationWith({ operations: { alarmAddresses: ['operators@example.com'] } });
let template: Template;

beforeAll(() => {
  template = templateOf(configuration);
});

/** The properties of the one resource of a type. */
function propertiesOf(of: Template, type: string): Record<string, unknown>[] {
  return Object.values(of.findResources(type)).map((resource) => resource['Properties'] as Record<string, unknown>);
}

/** The names that a template gives itself. */
function namesIn(of: Template): string[] {
  return propertiesOf(of, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => JSON.stringify(AlarmName));
}

describe('the ledger’s table', () => {
  it('has point-in-time recovery, deletion protection and a time to live, and outlives the stack', () => {
    template.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });
});

describe('the secret', () => {
  it('begins empty and well-formed', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: '{"id":"","secret":""}' });
  });
});

/** What becomes of resources that are not simply deleted with the stack, by their types. */
function keptBy(of: Template): string[] {
  const resources = Object.values<Record<string, string>>(of.toJSON()['Resources']);
  return resources
    .filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete')
    .map(({ Type = '', DeletionPolicy, UpdateReplacePolicy }) => `${Type}: ${DeletionPolicy}, ${UpdateReplacePolicy}`)
    .toSorted((a, b) => a.localeCompare(b));
}

describe('a failed deployment', () => {
  it('leaves nothing that costs or is in the way: what it made itself goes, save the empty table', () => {
    expect(keptBy(template)).toEqual([
      // Its deletion protection would make the rollback fail.
      'AWS::DynamoDB::GlobalTable: Retain, Retain',
      'AWS::Lambda::Version: RetainExceptOnCreate, Retain',
      'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
      'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
    ]);
  });

  it('waits for no custom resource, which may take an hour to fail', () => {
    const types = Object.values<Record<string, string>>(template.toJSON()['Resources']).map(({ Type = '' }) => Type);
    expect(types.filter((type) => type.startsWith('Custom::') || type.endsWith('::CustomResource'))).toEqual([]);
  });
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
    const [collect, ...others] = propertiesOf(template, 'AWS::Lambda::Function').filter(
      ({ Description }) => Description === 'Collects deliveries and their engagement from the reporting service',
    );
    expect(others).toEqual([]);
    expect(collect).toMatchObject({
      MemorySize: 1024,
      Environment: {
        Variables: { NODE_OPTIONS: expect.stringMatching(/ --max-old-space-size=512$/), MALLOC_ARENA_MAX: '1' },
      },
    });
  });

  it('has a log group that forgets and goes with the stack', () => {
    const groups = Object.values(template.findResources('AWS::Logs::LogGroup'));
    expect(groups.map(({ DeletionPolicy, Properties }) => ({ DeletionPolicy, Properties }))).toEqual(
      Array.from({ length: 6 }, () => ({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 90 } })),
    );
  });

  it('has a dead-letter queue where it is invoked asynchronously', () => {
    const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
    const withQueue = functions.filter(([, { Properties }]) => Properties.DeadLetterConfig !== undefined);
    expect(withQueue.map(([id]) => id.replace(/Function.*/, '')).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'FeedbackTaker',
      'Run',
      'WatchWatcher',
    ]);
  });
});

describe('the run', () => {
  it('is durable, and invoked by the alias "live" of a version that a deployment keeps', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      DurableConfig: { ExecutionTimeout: 172_800, RetentionPeriodInDays: 30 },
    });
    template.hasResourceProperties('AWS::Lambda::Alias', { Name: 'live' });
    template.hasResource('AWS::Lambda::Version', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });
});

describe('the schedules', () => {
  it('fire in their report’s zone, without a flexible window, and hand on the instant they meant', () => {
    const [aliasId = ''] = Object.keys(template.findResources('AWS::Lambda::Alias'));
    const [queueId = ''] = Object.keys(template.findResources('AWS::SQS::Queue'));
    const schedules = propertiesOf(template, 'AWS::Scheduler::Schedule').filter(
      ({ ScheduleExpression }) => ScheduleExpression !== 'rate(15 minutes)',
    );
    const target = (report: string): unknown => ({
      Arn: { Ref: aliasId },
      RoleArn: expect.anything(),
      Input: `{"trigger":"schedule","report":"${report}","scheduledTime":"<aws.scheduler.scheduled-time>"}`,
      RetryPolicy: { MaximumRetryAttempts: 10, MaximumEventAgeInSeconds: 3600 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } },
    });
    expect(schedules).toEqual(
      [
        { name: 'weekly', cron: 'cron(0 8 ? * MON *)', timeZone: 'Europe/London' },
        { name: 'daily', cron: 'cron(30 7 * * ? *)', timeZone: 'Europe/London' },
        { name: 'monthly', cron: 'cron(0 9 1 * ? *)', timeZone: 'America/New_York' },
      ].map(({ name, cron, timeZone }) => ({
        Description: `Report "${name}"`,
        ScheduleExpression: cron,
        ScheduleExpressionTimezone: timeZone,
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: target(name),
      })),
    );
  });

  it('let the watch look every quarter of an hour', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(15 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Input: '{}' },
    });
  });
});

describe('the dead-letter queue', () => {
  it('is encrypted, keeps for two weeks and takes nothing unencrypted', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
  });
});

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

  it.each([
    [{ of: 'address', setup: 'create' }, 'digest@example.com'],
    [{ of: 'domain', setup: 'create' }, 'example.com'],
  ])('has the identity %j created', (identity, name) => {
    templateOf(configurationWith({ mail: { identity } })).hasResourceProperties('AWS::SES::EmailIdentity', {
      EmailIdentity: name,
    });
  });

  it.each(['address', 'domain'])('finds an imported identity of the %s in the account', (of) => {
    templateOf(configurationWith({ mail: { identity: { of, setup: 'import' } } })).resourceCountIs(
      'AWS::SES::EmailIdentity',
      0,
    );
  });
});

describe('the topic of alarms and notices', () => {
  it('takes what CloudWatch publishes for this account’s alarms, over TLS, and needs no key that costs', () => {
    expect(template.findResources('AWS::KMS::Key')).toEqual({});
    expect(JSON.stringify(template.findResources('AWS::SNS::Topic'))).not.toContain('KmsMasterKeyId');
    template.resourceCountIs('AWS::SNS::Topic', 1);
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });

  it('has the configured addresses subscribed', () => {
    template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operators@example.com' });
  });
});

describe('the outputs', () => {
  it('are what an operator needs', () => {
    expect(Object.keys(template.toJSON()['Outputs']).toSorted((a, b) => a.localeCompare(b))).toEqual(
      expect.arrayContaining([
        'AlarmTopicArn',
        'CollectLogGroup',
        'ConfigurationSetName',
        'DeadLetterQueueUrl',
        'FeedbackLogGroup',
        'RunFunctionAlias',
        'RunLogGroup',
        'SecretName',
        'TableName',
        'UnsubscribeLogGroup',
        'WatchLogGroup',
      ]),
    );
  });
});

describe('two environments of one account', () => {
  it('have no name in common, and the one with a name has it in its notices’ commands', () => {
    const staging = templateOf(configuration, 'BroadcastDigest-staging');
    expect(namesIn(staging).length).toBe(7);
    expect(namesIn(template).filter((name) => namesIn(staging).includes(name))).toEqual([]);
    for (const { Environment } of propertiesOf(staging, 'AWS::Lambda::Function')) {
      expect(JSON.stringify(Environment)).not.toContain('"BroadcastDigest"');
    }
    const named = propertiesOf(staging, 'AWS::Lambda::Function').filter((properties) =>
      JSON.stringify(properties).includes('"ENVIRONMENT_NAME":"staging"'),
    );
    expect(named.map(({ Description }) => Description)).toEqual([expect.stringMatching(/^Notifies operators/)]);
    expect(JSON.stringify(template)).not.toContain('ENVIRONMENT_NAME');
    // Whatever else has a name gets it from CloudFormation, which makes it the stack's own.
    const fixed = ['FunctionName', 'TableName', 'RoleName', 'QueueName', 'TopicName', 'LogGroupName', 'GroupName'];
    const resources = Object.values(staging.toJSON()['Resources']) as Array<{ Properties?: object }>;
    const fixedNames = resources.filter(({ Properties = {} }) =>
      fixed.some((name) => typeof Object(Properties)[name] === 'string'),
    );
    expect(fixedNames).toEqual([]);
  });
});
