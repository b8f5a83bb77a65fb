import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/**
 * The topic that alarms and notices are published to. Under a key of its own: CloudWatch cannot publish to a topic under
 * the key that AWS manages for SNS, whose policy nobody can change.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;
  readonly key: Key;

  constructor(scope: Construct, id: string, { addresses }: { addresses: readonly string[] }) {
    super(scope, id);
    const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    this.key = new Key(this, 'Key', {
      description: 'Encrypts alarms and notices of the broadcast digest on their way',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions: ofThisAccount,
      }),
    );
    this.topic = new Topic(this, 'Topic', { masterKey: this.key, enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: ofThisAccount,
      }),
    );
    for (const address of addresses) this.topic.addSubscription(new EmailSubscription(address));
  }
}
