import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** What a schedule hands to a function, and when. */
interface ScheduleProps {
  description: string;
  /** EventBridge Scheduler's own grammar. */
  expression: string;
  timeZone: string;
  input: Readonly<Record<string, string>>;
  role: ScheduleRole;
  deadLetters: IQueue;
}

/** The role of schedules of one function: it may invoke that one, and leave what it could not hand over. */
export class ScheduleRole extends Construct {
  readonly role: Role;
  readonly functionArn: string;

  constructor(scope: Construct, id: string, props: { functionArn: string; deadLetters: IQueue }) {
    super(scope, id);
    this.functionArn = props.functionArn;
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    this.role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [props.functionArn] }));
    this.role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [props.deadLetters.queueArn] }),
    );
  }
}

/**
 * A schedule that fires on time, with no flexible window. A trigger that cannot be handed over is tried for an hour and
 * then left in the dead-letter queue. (The resource itself: the library's target would allow every version of the function.)
 */
export class Schedule extends Construct {
  constructor(scope: Construct, id: string, props: ScheduleProps) {
    super(scope, id);
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: props.description,
      scheduleExpression: props.expression,
      scheduleExpressionTimezone: props.timeZone,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: props.role.functionArn,
        roleArn: props.role.role.roleArn,
        input: JSON.stringify(props.input),
        retryPolicy: { maximumRetryAttempts: 10, maximumEventAgeInSeconds: Duration.hours(1).toSeconds() },
        deadLetterConfig: { arn: props.deadLetters.queueArn },
      },
    });
    schedule.node.addDependency(props.role);
  }
}
