import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { functionSettings } from '../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Ledger } from './ledger.ts';
import { Schedule, ScheduleRole } from './schedule.ts';

/** Checks every hour for what did not happen, and gives the rows of forgotten addresses another key. */
export class Watch extends Construct {
  readonly bundled: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    props: { bundle: string; environment: Record<string, string>; ledger: Ledger; deadLetters: IQueue },
  ) {
    super(scope, id);
    const { ledger, deadLetters } = props;
    this.bundled = new BundledFunction(this, 'Watcher', {
      description: 'Reports runs that are overdue or held, and messages whose outcome is unknown',
      bundle: props.bundle,
      settings: functionSettings.watch,
      environment: props.environment,
      deadLetters,
    });
    ledger.grantItems(this.bundled.role, ['REPORT#*'], ['GetItem', 'PutItem']);
    ledger.grantItems(this.bundled.role, ['RUNS#*', 'RUN#*', 'FORGOTTEN_ROWS'], ['Query']);
    ledger.grantItems(this.bundled.role, ['RUN#*'], ['GetItem', 'PutItem', 'UpdateItem']);
    ledger.grantItems(this.bundled.role, ['RUN#*', 'FORGOTTEN_ROWS'], ['DeleteItem']);
    new Schedule(this, 'Hourly', {
      description: 'Checks all reports',
      expression: 'rate(1 hour)',
      timeZone: 'UTC',
      input: {},
      role: new ScheduleRole(this, 'Invoke', { functionArn: this.bundled.function.functionArn, deadLetters }),
      deadLetters,
    });
  }
}
