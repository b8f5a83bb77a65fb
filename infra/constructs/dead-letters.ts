import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/**
 * The queue of everything that could not be handed over: schedules' triggers, SES's events, and the events of functions
 * that failed. Each message says where it comes from. Everything in it needs a person's attention.
 */
export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.queue).acknowledge(
      { id: 'AwsSolutions-SQS3', reason: 'It is itself the dead-letter queue.' },
      { id: 'Serverless-SQSRedrivePolicy', reason: 'It is itself the dead-letter queue.' },
    );
  }
}
