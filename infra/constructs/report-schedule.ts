import { Duration, TimeZone } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ContextAttribute, Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { ReportConfiguration } from '../../functions/configuration.ts';

/** The schedule of one report, in its own zone. It hands on the instant it meant, which alone decides the period. */
export class ReportSchedule extends Construct {
  readonly schedule: Schedule;

  constructor(scope: Construct, id: string, props: { report: ReportConfiguration; run: IFunction }) {
    super(scope, id);
    const { report, run } = props;
    this.schedule = new Schedule(this, 'Schedule', {
      description: `Report "${report.name}"`,
      schedule: ScheduleExpression.expression(`cron(${report.cron})`, TimeZone.of(report.timeZone)),
      target: new LambdaInvoke(run, {
        input: ScheduleTargetInput.fromObject({ report: report.name, scheduledTime: ContextAttribute.scheduledTime }),
        // A trigger that could not be handed over is tried for an hour; then the digest is an operator's to trigger.
        retryAttempts: 10,
        maxEventAge: Duration.hours(1),
      }),
    });
  }
}
