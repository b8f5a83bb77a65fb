import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { environmentOf } from '../../environment-name.ts';
import { functionSettings } from '../../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Ledger } from '../ledger.ts';
import { Schedule, ScheduleRole } from '../schedule.ts';

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
      /** Where notices are published. */
      notices: ITopic;
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
        NOTICE_TOPIC_ARN: notices.topicArn,
        ...(environment === undefined ? {} : { ENVIRONMENT_NAME: environment }),
      },
      deadLetters,
    });
    ledger.grantItems(this.bundled.role, ['REPORT#*'], ['GetItem', 'PutItem']);
    ledger.grantItems(this.bundled.role, ['RUNS#*', 'RUN#*', 'FORGOTTEN_ROWS', 'NOTICES'], ['Query']);
    ledger.grantItems(this.bundled.role, ['RUN#*'], ['GetItem', 'PutItem']);
    ledger.grantItems(this.bundled.role, ['RUN#*', 'NOTICES'], ['UpdateItem']);
    ledger.grantItems(this.bundled.role, ['RUN#*', 'FORGOTTEN_ROWS'], ['DeleteItem']);
    this.bundled.role.addToPolicy(new PolicyStatement({ actions: ['sns:Publish'], resources: [notices.topicArn] }));
    new Schedule(this, 'EveryQuarterHour', {
      description: 'Looks at all reports',
      expression: 'rate(15 minutes)',
      timeZone: 'UTC',
      input: {},
      role: new ScheduleRole(this, 'Invoke', { functionArn: this.bundled.function.functionArn, deadLetters }),
      deadLetters,
    });
  }
}
