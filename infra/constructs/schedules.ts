import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule, type CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

type When = Readonly<Record<'description' | 'expression' | 'timeZone', string>>;

/**
 * The schedules of one function, under a role that may invoke that one and leave what it could not hand over. They stand below
 * their group, so that their logical ids are others than those of schedules without one: CloudFormation cannot move a schedule.
 * https://github.com/aws/aws-cdk/issues/34216
 */
export class Schedules extends Construct {
  readonly #group: CfnScheduleGroup;
  readonly #role: Role;
  readonly #target: Omit<CfnSchedule.TargetProperty, 'input'>;

  constructor(group: CfnScheduleGroup, id: string, functionArn: string, deadLetters: IQueue) {
    super(group, id);
    this.#group = group;
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    const conditions = {
      StringEquals: { 'aws:SourceAccount': Stack.of(this).account, 'aws:SourceArn': group.attrArn },
    };
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }) });
    this.#role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }));
    this.#role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }));
    this.#target = {
      arn: functionArn,
      roleArn: this.#role.roleArn,
      retryPolicy: { maximumRetryAttempts: 10, maximumEventAgeInSeconds: Duration.hours(1).toSeconds() },
      deadLetterConfig: { arn: deadLetters.queueArn },
    };
  }

  /**
   * Adds a schedule that fires on time, with no flexible window. A trigger that cannot be handed over is tried for an hour and
   * then left in the dead-letter queue. (The resource itself: the library's target would allow every version of the function.)
   */
  add(id: string, { description, expression, timeZone }: When, input: Readonly<Record<string, string>>): void {
    const schedule = new CfnSchedule(this, id, {
      description,
      scheduleExpression: expression,
      scheduleExpressionTimezone: timeZone,
      groupName: this.#group.ref,
      // Said, so that drift shows where somebody has disabled it: it is looked for only in what the template sets.
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
      state: 'ENABLED',
      flexibleTimeWindow: { mode: 'OFF' },
      target: { ...this.#target, input: JSON.stringify(input) },
    });
    schedule.node.addDependency(this.#role);
  }
}
