import { CfnOutput, type CfnOutputProps, Duration, Stack, Validations, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Configuration } from '../functions/domain/configuration/configuration.ts';
import type { FunctionName } from './build/bundles.ts';
import { AlarmTopic } from './constructs/operations/alarm-topic.ts';
import { Alarms } from './constructs/operations/alarms.ts';
import { BundledFunction, type FunctionsOfStack } from './constructs/functions/bundled-function.ts';
import { CredentialsSecret } from './constructs/credentials-secret.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { Feedback } from './constructs/functions/feedback.ts';
import { Ledger } from './constructs/ledger.ts';
import { ReportSchedule } from './constructs/report-schedule.ts';
import { ScheduleRole } from './constructs/schedule.ts';
import { SendingIdentity } from './constructs/sending-identity.ts';
import { DigestPage } from './constructs/functions/digest-page.ts';
import { Unsubscribe } from './constructs/functions/unsubscribe.ts';
import { Watch } from './constructs/functions/watch.ts';
import { hashConfiguration } from './configuration-hash.ts';
import { functionSettings } from './function-settings.ts';

/** A run waits at most this long for SES's events and for its workers. */
const longestRun = Duration.days(2);

/** Items that a run writes and reads. The tokens are not among them. */
const itemsOfRuns = ['RUN#*', 'RUNS#*', 'DIGEST#*', 'COLLECTION#*', 'FIGURES#*', 'HISTORY#*', 'REPORT#*', 'ACTIONS#*'];
/** Items that others wrote for a run to read. */
const itemsForRuns = ['TRIGGER#*', 'ADDRESS#*', 'SUBSCRIBERS#*'];

/** What a stack is made of. */
interface DigestStackProps extends StackProps {
  configuration: Configuration;
  /** The folder of each function's bundle. */
  bundles: Record<FunctionName, string>;
}

/** Everything that is deployed, in the order the data takes. */
export class DigestStack extends Stack {
  readonly #props: DigestStackProps;
  readonly #ledger: Ledger;
  readonly #credentials: CredentialsSecret;
  readonly #sender: SendingIdentity;
  readonly #deadLetters: IQueue;

  constructor(scope: Construct, id: string, props: DigestStackProps) {
    super(scope, id, props);
    this.#props = props;
    this.#ledger = new Ledger(this, 'Ledger');
    this.#credentials = new CredentialsSecret(this, 'Credentials');
    this.#sender = new SendingIdentity(this, 'Sender', props.configuration.mail);
    this.#deadLetters = new DeadLetters(this, 'DeadLetters').queue;

    const unsubscribe = new Unsubscribe(this, 'Unsubscribe', {
      bundle: props.bundles.unsubscribe,
      ledger: this.#ledger,
      environment: { TABLE_NAME: this.#ledger.table.tableName },
    });
    const page = this.#addPage(unsubscribe);
    const collect = this.#addCollect();
    const run = this.#addRun(collect, { ...unsubscribe.environment, ...(page === null ? {} : { PAGE_URL: page.url }) });
    unsubscribe.grantReadSecret(run.role);
    const live = this.#addSchedules(run);
    const parts = {
      environment: this.#environment(),
      ledger: this.#ledger,
      deadLetters: this.#deadLetters,
    };
    const { configurationSetName } = this.#sender.configurationSet;
    const feedback = new Feedback(this, 'Feedback', { ...parts, bundle: props.bundles.feedback, configurationSetName });
    const { alarmAddresses } = props.configuration.operations;
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { addresses: alarmAddresses });
    const watch = new Watch(this, 'Watch', {
      bundle: props.bundles.watch,
      ledger: this.#ledger,
      deadLetters: this.#deadLetters,
      notices: topic,
    });
    this.#addOperations(
      {
        run,
        collect,
        feedback: feedback.bundled,
        watch: watch.bundled,
        unsubscribe: unsubscribe.bundled,
        ...(page === null ? {} : { page: page.bundled }),
      },
      { live, topic },
    );
    if (page !== null) this.#putOutLinks(page, unsubscribe);
  }

  /** Alone reads the credentials and the tokens. */
  #addCollect(): BundledFunction {
    const collect = new BundledFunction(this, 'Collect', {
      description: 'Collects deliveries and their engagement from the reporting service',
      bundle: this.#props.bundles.collect,
      settings: functionSettings.collect,
      environment: { ...this.#environment(), SECRET_NAME: this.#credentials.secret.secretArn },
    });
    Validations.of(collect.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Only runs invoke it, and they wait for its answer: its failures are theirs.',
    });
    this.#credentials.grantRead(collect.role);
    this.#ledger.grantItems(collect.role, ['TOKENS'], ['GetItem', 'UpdateItem']);
    this.#ledger.grantItems(collect.role, ['COLLECTION#*'], ['Query', 'BatchWriteItem']);
    return collect;
  }

  /** Only where the configuration wants mails to lead to a page: its links open it for everybody. */
  #addPage(unsubscribe: Unsubscribe): DigestPage | null {
    const { configuration, bundles } = this.#props;
    if (!configuration.mail.page) return null;
    const environment = this.#environment();
    return new DigestPage(this, 'Page', { bundle: bundles.page, ledger: this.#ledger, environment, unsubscribe });
  }

  /** What the operators' command makes the link of a page with. */
  #putOutLinks({ url }: DigestPage, { environment }: Unsubscribe): void {
    new CfnOutput(this, 'PageUrl', { description: 'Where the pages behind mails are', value: url });
    new CfnOutput(this, 'LinkSecretName', {
      description: 'The generated secret that links in mails are made under',
      value: environment.SIGNING_SECRET_NAME,
    });
  }

  /** Alone sends mail. `links` are the variables of what makes the links in it. */
  #addRun(collect: BundledFunction, links: Readonly<Record<string, string>>): BundledFunction {
    const run = new BundledFunction(this, 'Run', {
      description: 'Plans, composes and sends the digest of one report for one period',
      bundle: this.#props.bundles.run,
      settings: functionSettings.run,
      environment: {
        ...this.#environment(),
        COLLECT_FUNCTION_NAME: collect.function.functionName,
        CONFIGURATION_SET: this.#sender.configurationSet.configurationSetName,
        ...links,
      },
      deadLetters: this.#deadLetters,
      durable: { executionTimeout: longestRun, retentionPeriod: Duration.days(30) },
    });
    run.role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [collect.function.functionArn] }),
    );
    const { role } = run;
    const readAndWrite = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'] as const;
    this.#ledger.grantItems(role, itemsOfRuns, readAndWrite);
    this.#ledger.grantItems(role, itemsForRuns, ['BatchGetItem', 'Query']);
    this.#sender.grantSend(role);
    return run;
  }

  /** A durable function is invoked by an alias: a run stays on the version it began on. */
  #addSchedules(run: BundledFunction): Alias {
    const live = run.function.addAlias('live');
    const { deadLetters, reports } = { deadLetters: this.#deadLetters, ...this.#props.configuration };
    const role = new ScheduleRole(this, 'Schedules', { functionArn: live.functionArn, deadLetters });
    for (const report of reports) new ReportSchedule(this, `Schedule-${report.name}`, { report, role, deadLetters });
    return live;
  }

  #addOperations(functions: FunctionsOfStack, { live, topic }: { live: Alias; topic: ITopic }): void {
    new Alarms(this, 'Alarms', { functions, topic, deadLetters: this.#deadLetters });
    const outputs: Record<string, CfnOutputProps> = {
      RunFunctionAlias: { description: 'Invoke it to trigger a run by hand', value: live.functionArn },
      TableName: { description: 'The ledger', value: this.#ledger.table.tableName },
      SecretName: {
        description: 'Put the service’s client id and secret in',
        value: this.#credentials.secret.secretName,
      },
      AlarmTopicArn: { description: 'Where alarms and notices are published', value: topic.topicArn },
      DeadLetterQueueUrl: { description: 'What could not be delivered', value: this.#deadLetters.queueUrl },
      ConfigurationSetName: {
        description: 'SES’s configuration set, under which all mail is sent',
        value: this.#sender.configurationSet.configurationSetName,
      },
      ConfigurationHash: {
        description: 'A hash of the configuration: the doctor compares it with that of cdk.json',
        value: hashConfiguration(this.#props.configuration),
      },
    };
    for (const [name, output] of Object.entries(outputs)) new CfnOutput(this, name, output);
    for (const [name, { logGroup }] of Object.entries(functions)) {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      new CfnOutput(this, `${title}LogGroup`, { description: `The log of "${name}"`, value: logGroup.logGroupName });
    }
  }

  #environment(): Record<string, string> {
    return { TABLE_NAME: this.#ledger.table.tableName };
  }
}
