import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetScheduleCommand, ResourceNotFoundException, type GetScheduleOutput } from '@aws-sdk/client-scheduler';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { inspectLeftReports } from '../../../functions/watch/inspect.ts';
import { scheduleExpression } from '../../schedule-expression.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedSide } from './deployment.ts';

const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';

/** The event of a schedule. That of a report names it; the watch's is empty. */
const inputSchema = v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()) }));

/** Whether each report's own schedule is on and fires when `cdk.json` says, and when that is next; and whether the watch's is on. */
export async function examineSchedules(side: DeployedSide): Promise<Said[]> {
  const { configuration } = side;
  const schedules = await readSchedules(side);
  const findings: Said[] = [];
  for (const report of configuration.reports) {
    const pausedAt = (await readReport(side.table, report))?.pausedAt;
    findings.push(describeReport(report, schedules.get(report.name) ?? [], { now: side.now, pausedAt }));
  }
  const unknown = [...schedules.keys()].filter(
    (name) => name !== null && !configuration.reports.some((report) => report.name === name),
  );
  for (const name of unknown)
    findings.push(look(`The stack has a schedule of report "${name}", which is not in cdk.json: deploy.`));
  for (const { report } of await inspectLeftReports(side.table, configuration.reports, side.now)) {
    const move = `move ${report} NEW`;
    findings.push(
      look(`The ledger knows a report "${report}", which is not in cdk.json. If it has another name now: "${move}".`),
    );
  }
  if ((schedules.get(null) ?? []).some(({ State }) => State !== 'ENABLED'))
    findings.push(fault(`The schedule of the watch is off: nobody is notified of a missing run. ${enable}`));
  return findings;
}

/** The schedules of the stack that exist, by the report that they trigger; `null` for those of no report. */
async function readSchedules({
  cloudFormation,
  scheduler,
  stack,
}: DeployedSide): Promise<Map<string | null, GetScheduleOutput[]>> {
  const schedules = new Map<string | null, GetScheduleOutput[]>();
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stack })) {
    for (const { ResourceType, PhysicalResourceId: Name } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== 'AWS::Scheduler::Schedule' || Name === undefined) continue;
      try {
        const schedule = await scheduler.send(new GetScheduleCommand({ Name }));
        const input = v.safeParse(inputSchema, schedule.Target?.Input);
        const report = (input.success ? input.output.report : undefined) ?? null;
        schedules.set(report, [...(schedules.get(report) ?? []), schedule]);
      } catch (error) {
        // Deleted by hand: its report has none.
        if (!(error instanceof ResourceNotFoundException)) throw error;
      }
    }
  }
  return schedules;
}

function describeReport(
  { name, schedule: configured }: ReportConfiguration,
  schedules: readonly GetScheduleOutput[],
  { now, pausedAt }: { now: Temporal.Instant; pausedAt: string | undefined },
): Said {
  const [schedule] = schedules;
  if (schedule === undefined) return fault(`Report "${name}" has no schedule: deploy.`);
  if (schedule.State !== 'ENABLED') return fault(`The schedule of report "${name}" is off. ${enable}`);
  const { ScheduleExpression: expression = '', ScheduleExpressionTimezone: zone = 'UTC', EndDate: end } = schedule;
  const { timeZone } = configured;
  const meant = scheduleExpression(configured);
  if (expression !== meant || zone !== timeZone)
    return look(
      `Report "${name}" fires at ${expression} in ${zone}, and cdk.json says ${meant} in ${timeZone}: deploy.`,
    );
  const [next] = nextDue(configured, now, 1).map(({ scheduledTime }) => Temporal.Instant.from(scheduledTime));
  if (next === undefined || (end !== undefined && end.getTime() <= next.epochMilliseconds))
    return fault(`The schedule of report "${name}" does not fire any more.`);
  if (pausedAt !== undefined)
    return look(`Report "${name}" has been paused since ${pausedAt}; "resume ${name}" ends that.`);
  const local = next.toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });
  return good(`Report "${name}" is on, next at ${local.replace('T', ' ')} in ${timeZone} (${next.toString()}).`);
}
