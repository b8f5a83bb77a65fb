import { CfnOutput, Duration, SecretValue, Stack, Validations, type StackProps } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Alias, DurableConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { timeZoneOf } from '../functions/domain/configuration/account.ts';
import type { Configuration } from '../functions/domain/configuration/configuration.ts';
import type { FunctionName } from './function-settings.ts';
import { environmentOf } from './config.ts';
import { Alarms, AlarmTopic } from './constructs/alarms.ts';
import { BundledFunction, type BundledFunctionProps, type FunctionsOfStack } from './constructs/bundled-function.ts';
import { KeptSecret } from './constructs/kept-secret.ts';
import { Ledger } from './constructs/ledger.ts';
import { OperatorsPolicy } from './constructs/operators-policy.ts';
import { PublicFront } from './constructs/public-front.ts';
import { Schedules } from './constructs/schedules.ts';
import { Sender } from './constructs/sender.ts';
import { scheduleExpression } from './schedule-expression.ts';

/** A run waits two days at most for SES's daily quota, half a day for an SES that comes and goes, and a day for SES's events. */
const durable: DurableConfig = { executionTimeout: Duration.days(5), retentionPeriod: Duration.days(30) };

const linkKeyVariable = 'UNSUBSCRIBE_SECRET_NAME';

/** Why a function that people wait for in front of a page has no dead-letter queue. */
const answersPeople = { none: 'It answers people who wait in front of a page: it is never invoked asynchronously.' };
const answersRuns = { none: 'Only runs invoke it, and they wait for its answer: its failures are theirs.' };

const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** What a stack is made of; `bundles` is the folder of the bundles, each in a folder of its function's name. */
type DigestStackProps = Pick<StackProps, 'synthesizer'> & { configuration: Configuration; bundles: string };

export class DigestStack extends Stack {
  readonly #props: DigestStackProps;
  readonly #ledger: Ledger;
  readonly #credentials: KeptSecret;
  readonly #linkKey: KeptSecret;
  readonly #sender: Sender;
  readonly #deadLetters = this.#addDeadLetters();
  // Named after the stack, so that rights to its schedules name it.
  readonly #schedules = new CfnScheduleGroup(this, 'ScheduleGroup', { name: this.stackName });
  readonly #alarms: AlarmTopic;
  readonly #channels: readonly KeptSecret[];
  readonly #behindLinks: Partial<BundledFunctionProps>;

  constructor(scope: Construct, id: string, props: DigestStackProps) {
    // With it go the links of all mails sent so far, of more than a year.
    super(scope, id, { ...props, terminationProtection: true });
    const { ledger, mail, operations } = props.configuration;
    this.#props = props;
    this.#ledger = new Ledger(this, 'Ledger', ledger.table);
    this.#credentials = new KeptSecret(this, 'Credentials', {
      existing: ledger.credentialsSecret,
      description: 'Client id and secret of the reporting service: {"id": "...", "secret": "..."}',
      // It begins empty but well-formed; an operator fills it in.
      secretObjectValue: { id: SecretValue.unsafePlainText(''), secret: SecretValue.unsafePlainText('') },
      notRotated:
        'The service gives out client secrets by hand: an operator puts a new one in, and the next run uses it.',
    });
    this.#linkKey = new KeptSecret(this, 'LinkKey', {
      existing: ledger.linkSecret,
      description: 'Generated. Unsubscribe links are made under it',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      notRotated: 'A new secret breaks the unsubscribe links in all mails already sent: it is changed only on purpose.',
    });
    this.#sender = new Sender(this, 'Sender', mail);
    this.#channels = this.#addChannels();
    this.#behindLinks = { deadLetters: answersPeople, reservedConcurrency: operations.reservedConcurrency };
    this.#alarms = new AlarmTopic(this, 'AlarmTopic', operations);

    const collect = this.#addCollect();
    const run = this.#addRun(collect);
    const live = this.#addSchedules(run);
    const behindLinks = { unsubscribe: this.#addUnsubscribe(), ...(mail.page ? { page: this.#addPage() } : {}) };
    const feedback = this.#addFeedback();
    const functions: FunctionsOfStack = { run, collect, feedback, watch: this.#addWatch(), ...behindLinks };
    const front = new PublicFront(this, 'PublicFront', functions, mail);
    run.function.addEnvironment('PUBLIC_URL', front.url);
    new Alarms(this, 'Alarms', { functions, front, alarms: this.#alarms, deadLetters: this.#deadLetters });
    this.#addOutputs(functions, live, front);
    const policy = new OperatorsPolicy(this, 'Operators', {
      functions,
      live,
      ledger: this.#ledger,
      front,
      secrets: [this.#credentials, ...this.#channels],
      topic: this.#alarms.topic,
      deadLetters: this.#deadLetters,
      sender: this.#sender,
    });
    this.#output('OperatorsPolicy', "All that npm run ops needs, for operators' roles", policy.managedPolicyArn);
  }

  /**
   * The queue of everything that could not be handed over: schedules' triggers, SES's events, and the events of functions
   * that failed. Each message says where it comes from. Everything in it needs a person's attention.
   */
  #addDeadLetters(): Queue {
    const queue = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // As long as SQS keeps anything: what is lost here cannot be asked for again.
      retentionPeriod: Duration.days(14),
    });
    const reason = 'It is itself the dead-letter queue.';
    for (const id of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy'])
      Validations.of(queue).acknowledge({ id, reason });
    return queue;
  }

  #addFunction(name: FunctionName, options: Partial<BundledFunctionProps> = {}): BundledFunction {
    const { bundles } = this.#props;
    return new BundledFunction(this, titleOf(name), { name, bundles, deadLetters: this.#deadLetters, ...options });
  }

  /** Alone reads the credentials and the tokens. */
  #addCollect(): BundledFunction {
    const collect = this.#addFunction('collect', { deadLetters: answersRuns });
    this.#credentials.allowRead(collect, 'SECRET_NAME');
    this.#ledger.allow(collect, ['TOKENS'], ['GetItem', 'UpdateItem']);
    this.#ledger.allow(collect, ['OBSERVATIONS#*'], ['Query', 'BatchWriteItem']);
    // In batches it deletes, too: a document of facts that another one has replaced.
    this.#ledger.allow(collect, ['FACTS#*'], ['GetItem', 'Query', 'BatchWriteItem', 'UpdateItem']);
    return collect;
  }

  /** Alone sends mail. Of the ledger it has runs with their messages, and what they are made of; the tokens are not in it. */
  #addRun(collect: BundledFunction): BundledFunction {
    const run = this.#addFunction('run', { durable });
    // By its version: a run keeps to the worker that it began with. All versions have one role, so it has the right to each, and
    // for the runs of the release before to the function itself.
    const resources = [collect.function.functionArn, collect.versionsFor(run.role)];
    const { functionName } = collect.function.currentVersion;
    run.allow({ actions: ['lambda:InvokeFunction'], resources }, { COLLECT_FUNCTION_NAME: functionName });
    this.#ledger.allow(run, ['RUN#*', 'RUNS#*', 'REPORTS', 'OBSERVATIONS#*', 'FACTS#*'], ['GetItem', 'Query']);
    this.#ledger.allow(run, ['RUN#*', 'RUNS#*', 'ACTIONS#*'], ['PutItem']);
    this.#ledger.allow(run, ['RUN#*', 'RUNS#*', 'REPORTS', 'OBSERVATIONS#*'], ['UpdateItem']);
    // It may delete, too: no batch has the rows that say who got what.
    this.#ledger.allow(run, ['DIGEST#*', 'OBSERVATIONS#*'], ['BatchWriteItem']);
    this.#ledger.allow(run, ['DIGEST#*', 'TRIGGER#*', 'MEMBERS#*'], ['Query']);
    this.#ledger.allow(run, ['PERSON#*', 'OPTOUT#*', 'MEMBERS#*'], ['BatchGetItem']);
    this.#ledger.allow(run, ['PERSON#*'], ['UpdateItem']);
    this.#ledger.allow(run, ['HASH_KEY'], ['GetItem', 'PutItem']);
    // Also without pages: a run that is on a version with them makes a link.
    this.#ledger.allow(run, ['PAGE_LINKS'], ['PutItem']);
    this.#ledger.allow(run, ['ACTIONS#*'], ['UpdateItem']);
    this.#sender.allowSend(run);
    this.#linkKey.allowRead(run, linkKeyVariable);
    for (const channels of this.#channels) {
      channels.allowRead(run, 'CHANNELS_SECRET_NAME');
      channels.keepReader(run);
    }
    return run;
  }

  /** The secret of channels' addresses, where there are channels: a secret is billed by the month. */
  #addChannels(): KeptSecret[] {
    if (this.#props.configuration.reports.every(({ channels }) => channels.length === 0)) return [];
    const channels = new KeptSecret(this, 'Channels', {
      description: 'The addresses of webhooks, which npm run ops -- secret --channel stores: {"NAME": "https://..."}',
      secretObjectValue: {},
      notRotated:
        'Teams and Slack give out addresses by hand: an operator puts a new one in, and the next run uses it.',
    });
    this.#output('ChannelsSecretName', 'The addresses of channels', channels.secret.secretName);
    return [channels];
  }

  /**
   * Each report has a schedule in its own zone, which hands on the instant it meant: that alone decides the period. A durable
   * function is invoked by an alias: a run stays on the version it began on.
   */
  #addSchedules(run: BundledFunction): Alias {
    const live = run.function.addAlias('live');
    const reason = 'The function has a dead-letter queue: with a destination too, each event would be reported twice.';
    Validations.of(live).acknowledge({ id: 'Serverless-LambdaAsyncFailureDestination', reason });
    const schedules = new Schedules(this.#schedules, 'Schedules', live.functionArn, this.#deadLetters);
    for (const { name, schedule } of this.#props.configuration.reports) {
      const { timeZone } = schedule;
      const when = { description: `Report "${name}"`, expression: scheduleExpression(schedule), timeZone };
      const input = { trigger: 'schedule', report: name, scheduledTime: '<aws.scheduler.scheduled-time>' };
      schedules.add(`Report-${name}`, when, input);
    }
    if (this.#props.configuration.service.observe === 'daily') {
      const timeZone = timeZoneOf(this.#props.configuration);
      const daily = { description: 'The account, every day', expression: 'cron(0 4 * * ? *)', timeZone };
      schedules.add('Observation', daily, { action: 'observe' });
    }
    return live;
  }

  /** Writes SES's events of this stack's own messages into the ledger. */
  #addFeedback(): BundledFunction {
    const feedback = this.#addFunction('feedback');
    // A message, and whom a complaint about it suppresses.
    this.#ledger.allow(feedback, ['RUN#*', 'OPTOUT#*'], ['GetItem', 'UpdateItem']);
    // What operators are to know of it.
    this.#ledger.allow(feedback, ['NOTICES'], ['PutItem']);
    const { configurationSetName: set } = this.#sender.configurationSet;
    const retries = { deadLetterQueue: this.#deadLetters, retryAttempts: 20, maxEventAge: Duration.hours(6) };
    new Rule(this, 'SesEvents', {
      description: 'What SES reports of the messages that were sent under this configuration set',
      eventPattern: { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [set] } } } },
      targets: [new LambdaFunction(feedback.function, retries)],
    });
    return feedback;
  }

  /** Looks every quarter of an hour for what operators should know, publishes it, and suppresses whose mail bounced. */
  #addWatch(): BundledFunction {
    const watch = this.#addFunction('watch');
    this.#ledger.allow(watch, ['REPORTS'], ['GetItem', 'UpdateItem', 'Query']);
    this.#ledger.allow(watch, ['RUNS#*', 'RUN#*', 'NOTICES'], ['Query']);
    this.#ledger.allow(watch, ['NOTICES', 'OPTOUT#*'], ['GetItem', 'UpdateItem']);
    this.#ledger.allow(watch, ['OBSERVATIONS#*'], ['GetItem']);
    const { topicArn } = this.#alarms.topic;
    watch.allow({ actions: ['sns:Publish'], resources: [topicArn] }, { NOTICE_TOPIC_ARN: topicArn });
    const environment = environmentOf(this.stackName);
    if (environment !== undefined) watch.function.addEnvironment('ENVIRONMENT_NAME', environment);
    const when = { description: 'Looks at all reports', expression: 'rate(15 minutes)', timeZone: 'UTC' };
    const schedules = new Schedules(this.#schedules, 'WatchSchedules', watch.function.functionArn, this.#deadLetters);
    schedules.add('EveryQuarterHour', when, {});
    return watch;
  }

  /** Where subscribers leave a report, or take one that comes less often. */
  #addUnsubscribe(): BundledFunction {
    const unsubscribe = this.#addFunction('unsubscribe', this.#behindLinks);
    this.#linkKey.allowRead(unsubscribe, linkKeyVariable);
    this.#ledger.allow(unsubscribe, ['OPTOUT#*'], ['GetItem', 'UpdateItem']);
    this.#ledger.allow(unsubscribe, ['REPORTS'], ['GetItem']);
    this.#ledger.allow(unsubscribe, ['MEMBERS#*'], ['UpdateItem']);
    return unsubscribe;
  }

  /**
   * Shows the whole digest to whoever has its link. It may read that link, stored digests and what runs there are, and nothing
   * else: no other link, no person, no opt-out and no token. It writes nothing.
   */
  #addPage(): BundledFunction {
    const page = this.#addFunction('page', this.#behindLinks);
    this.#ledger.allow(page, ['PAGE_LINKS', 'RUNS#*'], ['GetItem']);
    this.#ledger.allow(page, ['DIGEST#*', 'RUNS#*'], ['Query']);
    return page;
  }

  #addOutputs(functions: FunctionsOfStack, live: Alias, { url, cname, logGroup }: PublicFront): void {
    const { configurationSetName } = this.#sender.configurationSet;
    this.#output('RunFunctionAlias', 'Invoke it to trigger a run by hand', live.functionArn);
    this.#output('TableName', 'The ledger', this.#ledger.table.tableName);
    this.#output('SecretName', "Put the service's client id and secret in", this.#credentials.secret.secretName);
    this.#output('AlarmTopicArn', 'Where alarms and notices are published', this.#alarms.topic.topicArn);
    this.#output('DeadLetterQueueUrl', 'What could not be delivered', this.#deadLetters.queueUrl);
    this.#output('SenderAddress', 'Who mail comes from', this.#props.configuration.mail.from);
    this.#output('ConfigurationSetName', "SES's configuration set, under which all mail is sent", configurationSetName);
    this.#output('PublicUrl', 'Where the links in mails lead', url);
    this.#output('PublicLogGroup', 'The log of who followed a link, without link and person', logGroup.logGroupName);
    if (cname !== undefined)
      this.#output('LinksCname', 'DNS: the name in mail.links needs a CNAME record with this value', cname);
    for (const [name, { logGroup }] of Object.entries(functions)) {
      this.#output(`${titleOf(name)}LogGroup`, `The log of "${name}"`, logGroup.logGroupName);
    }
  }

  #output(name: string, description: string, value: string): void {
    new CfnOutput(this, name, { description, value });
  }
}
