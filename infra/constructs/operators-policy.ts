import { Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { identitiesOf, mailboxSimulator } from '../../functions/domain/configuration/fields.ts';
import { alarmArn } from './alarms.ts';
import type { FunctionsOfStack } from './bundled-function.ts';
import type { KeptSecret } from './kept-secret.ts';
import type { Ledger } from './ledger.ts';
import type { PublicFront } from './public-front.ts';
import type { Sender } from './sender.ts';

interface OperatorsPolicyProps {
  functions: FunctionsOfStack;
  live: Alias;
  ledger: Ledger;
  front: PublicFront;
  /** Those that operators fill. */
  secrets: readonly KeptSecret[];
  topic: Topic;
  deadLetters: Queue;
  sender: Sender;
}

/**
 * What the operators' program asks of AWS, and the commands that alarms and pages name, on this stack's own resources. It has
 * neither a name nor a description: a change of one would replace it, and a policy that is attached cannot be deleted. Which
 * resources an action knows: https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export class OperatorsPolicy extends ManagedPolicy {
  constructor(scope: Construct, id: string, props: OperatorsPolicyProps) {
    super(scope, id);
    const { functions, live, ledger, front, secrets, topic, deadLetters, sender } = props;
    const { run, collect, feedback } = functions;
    // `feedback` is given again the events that it missed.
    const invoked = [live, collect.function, feedback.function];
    for (const { functionArn } of invoked) this.#allow(functionArn, 'lambda:InvokeFunction');
    for (const { logGroup } of [...Object.values(functions), front])
      this.#allow(logGroup.logGroupArn, 'logs:FilterLogEvents');
    this.#allow(run.function.functionArn, 'lambda:ListVersionsByFunction');
    // Executions are listed by version, and named below it: without one, `$LATEST` is meant, on which nothing runs.
    // https://docs.aws.amazon.com/lambda/latest/api/API_ListDurableExecutionsByFunction.html
    const ofExecutions = ['GetDurableExecution', 'ListDurableExecutionsByFunction', 'StopDurableExecution'];
    this.#allow(run.versionsFor(this), ...ofExecutions.map((action) => `lambda:${action}`));
    this.#allow(sender.configurationSetArn, 'ses:PutConfigurationSetSendingOptions');
    // With `Scan`, and so the whole of it: an address is looked for wherever it is.
    const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
    this.#allow(ledger.table.tableArn, ...reads.map((action) => `dynamodb:${action}`));
    const writes = [
      // Nobody takes a record of their acts out again: whoever may write in batches may delete, too.
      ledger.rightTo(['ACTIONS#*', 'HASH_KEY', 'PAGE_LINKS'], ['PutItem']),
      ledger.rightTo(['NOTICES', 'OPTOUT#*', 'PERSON#*', 'REPORTS', 'RUNS#*'], ['UpdateItem']),
      ledger.rightTo(['MEMBERS#*', 'PAGE_LINKS', 'PERSON#*', 'REPORTS'], ['DeleteItem']),
      ledger.rightTo(['MEMBERS#*', 'OPTOUT#*', 'PERSON#*', 'TRIGGER#*'], ['BatchWriteItem']),
    ];
    this.addStatements(...writes.map((right) => new PolicyStatement(right)));
    for (const { arn } of secrets) this.#allow(arn, 'secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue');
    this.#allow(topic.topicArn, 'sns:ListSubscriptionsByTopic', 'sns:Subscribe', 'sns:ConfirmSubscription');
    this.#allow(deadLetters.queueArn, 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:DeleteMessage');
    const { stackName } = Stack.of(this);
    // The one that is tried on the first day.
    this.#allow(alarmArn(this, 'dead-letters'), 'cloudwatch:SetAlarmState');
    // An id that CloudFormation makes follows the stack's name.
    this.#allowAny(`stack/${stackName}/*`, 'cloudformation:DescribeStacks', 'cloudformation:ListStackResources');
    // CloudFormation makes the schedules' names, too, and those of a hundred reports would be too long for a policy.
    this.#allowAny(`schedule/${stackName}/*`, 'scheduler:GetSchedule');
    // A new sender is made and looked at before it is deployed. What is changed of one that is there is the configured one's.
    this.#allowAny('identity/*', 'ses:GetEmailIdentity', 'ses:CreateEmailIdentity');
    const { from, identity } = sender.mail;
    if ('arn' in identity) {
      // Whether another account lets this one send only a mail shows: one to SES's simulator, and to nobody else.
      const Recipients = { 'ses:Recipients': [mailboxSimulator] };
      const conditions = { StringEquals: { 'ses:FromAddress': from }, 'ForAllValues:StringEquals': Recipients };
      const resources = [identity.arn];
      this.addStatements(new PolicyStatement({ actions: ['ses:SendRawEmail'], resources, conditions }));
    } else {
      for (const name of identitiesOf(from).slice(0, 2))
        this.#allow(sender.arnOf('identity', name), 'ses:PutEmailIdentityFeedbackAttributes');
    }
    const suppression = ['ses:GetSuppressedDestination', 'ses:DeleteSuppressedDestination'];
    this.#allow('*', 'lambda:GetAccountSettings', 'ses:GetAccount', 'ses:VerifyEmailIdentity', ...suppression);
    this.#acknowledge('*');
  }

  #allow(resource: string, ...actions: string[]): void {
    this.addStatements(new PolicyStatement({ actions, resources: [resource] }));
  }

  /** Allows something on all of this account's resources that are named like this. */
  #allowAny(resource: string, ...actions: [string, ...string[]]): void {
    const [service = ''] = actions[0].split(':');
    const { partition, region, account } = Stack.of(this);
    this.#allow(`arn:${partition}:${service}:${region}:${account}:${resource}`, ...actions);
    this.#acknowledge(`arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`);
  }

  #acknowledge(resource: string): void {
    const reason =
      'It only reads, on names that are made by AWS or that the whole account has; lifts an address; and has SES verify a sender.';
    Validations.of(this).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  }
}
