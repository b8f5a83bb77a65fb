import { Match, type Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { stackName } from '../../infra/config.ts';
import { configurationWith } from '../support/configuration.ts';
import { pages } from '../support/pages.ts';
import { sampleTemplate, templateOf } from '../support/aws/template.ts';

const template = sampleTemplate();

interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

const resourcesOf = (synthesized: Template): Resource[] => Object.values(synthesized.toJSON()['Resources']);
const propertiesOf = (synthesized: Template, type: string) =>
  resourcesOf(synthesized).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));
const inputOfReport = (report: string): string =>
  `{"trigger":"schedule","report":"${report}","scheduledTime":"<aws.scheduler.scheduled-time>"}`;
const onlyTls = Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });

it('the ledger’s table has point-in-time recovery, deletion protection and a time to live; the service’s secret begins empty, and names its stack', () => {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    Replicas: [Match.objectLike({ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification })],
  });
  const Description = Match.stringLikeRegexp('^BroadcastDigest: ');
  template.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: '{"id":"","secret":""}', Description });
});

it('table, secrets and versions outlive the stack; a deployment that fails leaves the empty table alone, and waits for no custom resource', () => {
  const resources = resourcesOf(template);
  // It may take an hour to fail.
  expect(resources.filter(({ Type }) => /^Custom::|::CustomResource$/.test(Type))).toEqual([]);
  const kept = resources
    .filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete')
    .map(({ Type, DeletionPolicy, UpdateReplacePolicy }) => `${Type}: ${DeletionPolicy}, ${UpdateReplacePolicy}`);
  expect(kept.toSorted()).toEqual([
    // Its deletion protection would make the rollback fail.
    'AWS::DynamoDB::GlobalTable: Retain, Retain',
    'AWS::Lambda::Version: RetainExceptOnCreate, Retain',
    'AWS::Lambda::Version: RetainExceptOnCreate, Retain',
    'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
    'AWS::SecretsManager::Secret: RetainExceptOnCreate, Retain',
  ]);
});

it('every function is on Node 24 and arm64, logs in JSON for a time, has source maps, and a dead-letter queue where it is invoked asynchronously', () => {
  const functions = propertiesOf(template, 'AWS::Lambda::Function');
  const expected = {
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    LoggingConfig: { LogFormat: 'JSON' },
    Environment: { Variables: { NODE_OPTIONS: expect.stringMatching(/^--enable-source-maps( |$)/) } },
  };
  expect(functions).toMatchObject(Array.from({ length: 6 }, () => expected));
  // That of the public front is one more.
  const ofFront = { LogGroupName: '/aws/vendedlogs/BroadcastDigest', RetentionInDays: 90 };
  const logGroups = [...functions.map(() => ({ RetentionInDays: 90 })), ofFront];
  expect(propertiesOf(template, 'AWS::Logs::LogGroup')).toEqual(logGroups);
  const queued = functions.filter((properties) => 'DeadLetterConfig' in properties);
  expect(queued.map(({ Description }) => String(Description).split(' ')[0])).toEqual(['Plans,', 'Writes', 'Notifies']);
});

it('what could not be delivered is kept for as long as SQS keeps anything, and the pages say so', () => {
  template.hasResourceProperties('AWS::SQS::Queue', { MessageRetentionPeriod: 14 * 86_400 });
  expect(pages.get('infra/docs/operating.md')).toContain('| dead letters, with addresses | 14 days |');
  expect(pages.get('infra/docs/runbook.md')).toContain('expire after 14 days');
});

it('the run is durable and invoked by the alias "live"; what collects keeps its objects within half of its memory, and gives back the rest', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    DurableConfig: { ExecutionTimeout: 432_000, RetentionPeriodInDays: 30 },
  });
  template.hasResourceProperties('AWS::Lambda::Alias', { Name: 'live' });
  const NODE_OPTIONS = Match.stringLikeRegexp(' --max-old-space-size=512$');
  template.hasResourceProperties('AWS::Lambda::Function', {
    MemorySize: 1024,
    Environment: { Variables: Match.objectLike({ NODE_OPTIONS, MALLOC_ARENA_MAX: '1' }) },
  });
});

it('the schedules fire in their report’s zone, on time, and hand on the instant they meant; the account is observed daily, unless that is off, and the watch looks four times an hour', () => {
  const schedules = propertiesOf(template, 'AWS::Scheduler::Schedule');
  const times = schedules.map((schedule) => [schedule['ScheduleExpression'], schedule['ScheduleExpressionTimezone']]);
  expect(times).toEqual([
    ['cron(0 8 ? * MON *)', 'Europe/London'],
    ['cron(30 7 * * ? *)', 'Europe/London'],
    ['cron(0 9 1 * ? *)', 'America/New_York'],
    ['cron(0 4 * * ? *)', 'Europe/London'],
    ['rate(15 minutes)', 'UTC'],
  ]);
  const [Ref = ''] = Object.keys(template.findResources('AWS::Lambda::Alias'));
  const targets = [
    ...['weekly', 'daily', 'monthly'].map((name) => ({ Arn: { Ref }, Input: inputOfReport(name) })),
    { Arn: { Ref }, Input: '{"action":"observe"}' },
    { Input: '{}' },
  ];
  const common = {
    RetryPolicy: { MaximumRetryAttempts: 10, MaximumEventAgeInSeconds: 3600 },
    DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^DeadLetters/), 'Arn'] } },
  };
  expect(schedules).toMatchObject(
    // With its state, for which drift is looked only where the template has it.
    targets.map((target) => ({
      State: 'ENABLED',
      GroupName: { Ref: 'ScheduleGroup' },
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { ...common, ...target },
    })),
  );
  template.hasResourceProperties('AWS::Scheduler::ScheduleGroup', { Name: 'BroadcastDigest' });
  // Schedules without a group had ids that began with these words, and cannot be moved.
  expect(Object.keys(template.findResources('AWS::Scheduler::Schedule')).join(' ')).not.toMatch(
    /\b(?:Watch)?Schedules/,
  );
  const undisturbed = templateOf(configurationWith({ service: { observe: 'runs' } }));
  expect(propertiesOf(undisturbed, 'AWS::Scheduler::Schedule')).toHaveLength(targets.length - 1);
}, 60_000);

it('SES sends over TLS alone, lists who bounced or complained, tracks nobody whatever the account says, and publishes what became of each message on the default bus; the stack has no sender that it could lose', () => {
  template.hasResourceProperties('AWS::SES::ConfigurationSet', {
    DeliveryOptions: { TlsPolicy: 'REQUIRE' },
    ReputationOptions: { ReputationMetricsEnabled: false },
    SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    VdmOptions: { DashboardOptions: { EngagementMetrics: 'DISABLED' } },
  });
  const MatchingEventTypes = ['send', 'delivery', 'bounce', 'complaint', 'reject', 'renderingFailure'];
  const EventDestination = { Enabled: true, MatchingEventTypes };
  template.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', { EventDestination });
  const tags = { 'ses:configuration-set': [{ Ref: Match.stringLikeRegexp('SenderConfigurationSet') }] };
  const RetryPolicy = { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 20 };
  template.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: { source: ['aws.ses'], detail: { mail: { tags } } },
    Targets: [Match.objectLike({ DeadLetterConfig: Match.anyValue(), RetryPolicy })],
  });
  expect(propertiesOf(template, 'AWS::SES::EmailIdentity')).toEqual([]);
});

it('the topic takes from services what CloudWatch publishes for this account’s alarms alone, over TLS, and needs no key that costs', () => {
  expect(propertiesOf(template, 'AWS::KMS::Key')).toEqual([]);
  expect(propertiesOf(template, 'AWS::SNS::Topic')).toEqual([{}]);
  const ofAlarms = Match.objectLike({
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Action: 'sns:Publish',
    Condition: { ArnLike: { 'aws:SourceArn': { 'Fn::Join': ['', Match.arrayWith([':alarm:BroadcastDigest-*'])] } } },
  });
  const PolicyDocument = { Statement: [onlyTls, ofAlarms] };
  template.hasResourceProperties('AWS::SNS::TopicPolicy', { PolicyDocument });
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operators@example.com' });
});

it('the public front may invoke each function behind links by its route, limits unsubscribing apart, and logs neither link nor person', () => {
  const routes = ['/page/{link+}', '/unsubscribe/{link+}'];
  const keys = propertiesOf(template, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
  expect(keys).toEqual(routes.map((route) => `ANY ${route}`));
  const [{ ApiId, AccessLogSettings } = {}] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage');
  const sources = propertiesOf(template, 'AWS::Lambda::Permission').flatMap(({ Principal, SourceArn }) =>
    Principal === 'apigateway.amazonaws.com' ? [SourceArn] : [],
  );
  expect(sources).toEqual(
    routes.map((route) => ({ 'Fn::Join': ['', expect.arrayContaining([ApiId, `/*/*${route}`])] })),
  );
  template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 50 },
    RouteSettings: { 'ANY /unsubscribe/{link+}': { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 } },
  });
  // What a flood can cost, as the page that names accepted risks has it.
  expect(pages.get('infra/docs/operating.md')).toContain('limits, 200 requests a second and 5 of pages:');
  const logged = String(Object(AccessLogSettings).Format).match(/\$context\.\w+/g);
  const failure = ['integrationStatus', 'integrationErrorMessage'];
  const harmless = ['requestTime', 'requestId', 'routeKey', 'status', 'responseLatency', ...failure];
  expect(logged).toEqual(harmless.map((name) => `$context.${name}`));
});

it('links have the company’s own name where it is configured, whose DNS record is an output, and API Gateway’s stays open', () => {
  const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
  const links = { domainName: 'news.example.com', certificateArn };
  const withDomain = templateOf(configurationWith({ mail: { links } }));
  withDomain.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
    DomainName: links.domainName,
    DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
  });
  withDomain.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { Stage: Match.anyValue() });
  withDomain.hasOutput('PublicUrl', { Value: 'https://news.example.com' });
  withDomain.hasOutput('LinksCname', { Value: { 'Fn::GetAtt': [Match.anyValue(), 'RegionalDomainName'] } });
  const Environment = { Variables: { PUBLIC_URL: 'https://news.example.com' } };
  withDomain.hasResourceProperties('AWS::Lambda::Function', { Environment });
  expect(JSON.stringify(withDomain)).not.toContain('DisableExecuteApiEndpoint');
});

it('two environments of one account have no name in common, and the one with a name has it in its notices’ commands', () => {
  expect([undefined, 'staging', 'eu-2'].map(stackName)).toEqual(
    ['', '-staging', '-eu-2'].map((ending) => `BroadcastDigest${ending}`),
  );
  for (const environment of ['', '2eu', 'a_b', 'a'.repeat(32), 7, null]) {
    expect(() => stackName(environment), String(environment)).toThrow(ConfigurationError);
  }
  const staging = templateOf(configurationWith(), 'BroadcastDigest-staging');
  const alarms = propertiesOf(staging, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
  expect(alarms).toEqual(alarms.map(() => expect.stringMatching(/^BroadcastDigest-staging-/)));
  const texts = JSON.stringify(propertiesOf(staging, 'AWS::CloudWatch::Alarm'));
  const commands = texts.match(/ops -- [\w ]+(?:--env staging)?/g);
  expect(commands).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(/ --env staging$/)));
  // Whatever else has a name gets it from CloudFormation, which makes it the stack's own.
  const fixed = ['FunctionName', 'TableName', 'RoleName', 'QueueName', 'TopicName', 'GroupName'];
  const named = resourcesOf(staging).flatMap(({ Properties = {} }) => fixed.map((name) => typeof Properties[name]));
  expect(named).not.toContain('string');
  const functions = propertiesOf(staging, 'AWS::Lambda::Function');
  const withName = functions.filter((properties) =>
    JSON.stringify(properties).includes('"ENVIRONMENT_NAME":"staging"'),
  );
  expect(withName.map(({ Description }) => Description)).toEqual([expect.stringMatching(/^Notifies operators/)]);
  expect(JSON.stringify(template)).not.toContain('ENVIRONMENT_NAME');
});

it('the two functions behind links have a part of the account’s concurrency, where that is configured', () => {
  const reserved = templateOf(configurationWith({ operations: { reservedConcurrency: 20 } }));
  const Description = Match.stringLikeRegexp('^Shows');
  reserved.resourcePropertiesCountIs('AWS::Lambda::Function', { Description, ReservedConcurrentExecutions: 20 }, 2);
  expect(JSON.stringify(template)).not.toContain('ReservedConcurrentExecutions');
});

it('from another bucket, by bootstrap in place of one, or asked for again, the same code has another setting: Lambda makes no second version without', () => {
  const contexts = [{}, { assets: 'a' }, { assets: 'b' }, { again: 'one' }, { assets: 'b', again: 'two' }];
  const settings = contexts.map((context) => {
    const deployed = templateOf(configurationWith(), 'BroadcastDigest', context);
    return propertiesOf(deployed, 'AWS::Lambda::Function').map(({ Environment }) => JSON.stringify(Environment));
  });
  expect(new Set(settings.flat()).size).toBe(contexts.length * 6);
}, 60_000);

it('every description is in ASCII, as CloudFormation keeps no other letters', () => {
  const texts = JSON.stringify(template.toJSON(), null, 1).match(/"(?:Alarm)?Description": .*/g);
  expect(texts).toEqual(texts?.map(() => expect.stringMatching(/^[ -~]+$/)));
});
