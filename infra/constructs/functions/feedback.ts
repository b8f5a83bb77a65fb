import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { functionSettings } from '../../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Ledger } from '../ledger.ts';
import { sesEventPattern } from '../ses-event-pattern.ts';

/** Writes SES's events of this stack's own messages into the ledger. */
export class Feedback extends Construct {
  readonly bundled: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    props: {
      bundle: string;
      environment: Record<string, string>;
      ledger: Ledger;
      configurationSetName: string;
      deadLetters: IQueue;
    },
  ) {
    super(scope, id);
    const { ledger, deadLetters } = props;
    this.bundled = new BundledFunction(this, 'Taker', {
      description: 'Writes what SES reports about messages into the ledger',
      bundle: props.bundle,
      settings: functionSettings.feedback,
      environment: props.environment,
      deadLetters,
    });
    ledger.grantItems(this.bundled.role, ['RUN#*'], ['GetItem', 'UpdateItem']);
    // A suppressed address, and that operators are to know of it.
    ledger.grantItems(this.bundled.role, ['ADDRESS#*', 'NOTICES'], ['PutItem']);
    new Rule(this, 'SesEvents', {
      description: 'What SES reports of the messages that were sent under this configuration set',
      eventPattern: sesEventPattern(props.configurationSetName),
      targets: [
        new LambdaFunction(this.bundled.function, {
          deadLetterQueue: deadLetters,
          retryAttempts: 20,
          maxEventAge: Duration.hours(6),
        }),
      ],
    });
  }
}
