import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/**
 * The topic that alarms and notices are published to, and who hears of them. It is not encrypted at rest: CloudWatch cannot
 * publish under the key that AWS manages for SNS, whose policy nobody can change, a key of our own costs a dollar a month and
 * more after each rotation, and what is published goes out as plain mail.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { addresses }: { addresses: readonly string[] }) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    for (const address of addresses) {
      Validations.of(this.topic.addSubscription(new EmailSubscription(address))).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason: 'The reader of the queue is the one who could not be reached by mail; the alarm itself stays on.',
      });
    }
  }
}
