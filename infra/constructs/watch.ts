import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { environmentOf } from '../environment-name.ts';
import { functionSettings } from '../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Ledger } from './ledger.ts';
import { Schedule, ScheduleRole } from './schedule.ts';

/**
 * Looks every quarter of an hour for what operators should know, publishes it, and gives the rows of forgotten addresses
 * another key.
 */
export class Watch extends Construct {
  readonly bundled: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    props: {
      bundle: string;
      ledger: Ledger;
      deadLetters: IQueue;
      /** Where notices are published, and the key that encrypts them. */
      notices: { topic: ITopic; key: IKey };
    },
  ) {
    super(scope, id);
    const { ledger, deadLetters, notices } = props;
    const environment = environmentOf(Stack.of(this).stackName);
    this.bundled = new BundledFunction(this, 'Watcher', {
      description: 'Notifies operators of what they should know: runs that failed, are overdue or held, and the like',
      bundle: props.bundle,
      settings: functionSettings.watch,
      environment: {
        TABLE_NAME: ledger.table.tableName,
        NOTICE_TOPIC_ARN: notices.topic.topicArn,
        ...(environment === undefined ? {} : { ENVIRONMENT_NAME: environment }),
      },
      deadLetters,
    });
    ledger.grantItems(this.bundled.role, ['REPORT#*'], ['GetItem', 'PutItem']);
    ledger.grantItems(this.bundled.role, ['RUNS#*', 'RUN#*', 'FORGOTTEN_ROWS', 'NOTICES'], ['Query']);
    ledger.grantItems(this.bundled.role, ['RUN#*'], ['GetItem', 'PutItem']);
    ledger.grantItems(this.bundled.role, ['RUN#*', 'NOTICES'], ['UpdateItem']);
    ledger.grantItems(this.bundled.role, ['RUN#*', 'FORGOTTEN_ROWS'], ['DeleteItem']);
    this.#grantPublish(notices);
    new Schedule(this, 'EveryQuarterHour', {
      description: 'Looks at all reports',
      expression: 'rate(15 minutes)',
      timeZone: 'UTC',
      input: {},
      role: new ScheduleRole(this, 'Invoke', { functionArn: this.bundled.function.functionArn, deadLetters }),
      deadLetters,
    });
  }

  /** https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html: who publishes to an encrypted topic also uses its key. */
  #grantPublish({ topic, key }: { topic: ITopic; key: IKey }): void {
    const { role } = this.bundled;
    role.addToPolicy(new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }));
    role.addToPolicy(new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [key.keyArn] }));
  }
}
