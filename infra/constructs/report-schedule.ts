import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ReportConfiguration } from '../../functions/domain/configuration/configuration.ts';
import { scheduleExpression } from '../schedule-expression.ts';
import { Schedule, type ScheduleRole } from './schedule.ts';

/** The schedule of one report, in its own zone. It hands on the instant it meant, which alone decides the period. */
export class ReportSchedule extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { report, role, deadLetters }: { report: ReportConfiguration; role: ScheduleRole; deadLetters: IQueue },
  ) {
    super(scope, id);
    new Schedule(this, 'At', {
      description: `Report "${report.name}"`,
      expression: scheduleExpression(report.schedule),
      timeZone: report.schedule.timeZone,
      input: { trigger: 'schedule', report: report.name, scheduledTime: '<aws.scheduler.scheduled-time>' },
      role,
      deadLetters,
    });
  }
}
