import { GetScheduleCommand, type GetScheduleOutput } from '@aws-sdk/client-scheduler';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { inspectLeftReports } from '../../../functions/watch/inspect.ts';
import { scheduleExpression } from '../../schedule-expression.ts';
import { sayInstant } from '../command-line/answer.ts';
import { describePause } from '../commands/report.ts';
import { orNull } from '../targets/deployed.ts';
import { fault, good, look, putBack, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';

/** The event of a schedule. That of a report names it; the watch's is empty. */
const inputSchema = v.fallback(v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()) })), {});

/** Whether each report's schedule is on, as the stack made it, and fires when `cdk.json` says; when that is next; and the watch's. */
export async function* examineSchedules(side: DeployedStack): AsyncGenerator<Said> {
  const { reports } = side.configuration;
  const schedules = await readSchedules(side);
  for (const report of reports) yield await examineReport(side, report, schedules.get(report.name));
  for (const { report } of await inspectLeftReports(side.table, reports, side.now)) {
    const found = `The ledger knows a report "${report}", which is not in cdk.json.`;
    yield look(`${found} If it has another name now: "move ${report} NEW".`);
  }
  const broken = await sayBroken(side, null, schedules.get(null));
  if (broken !== null) yield fault(broken);
}

/** The schedules of the stack that exist, by the report that they trigger; `null` for that of the watch. */
async function readSchedules({ resources, scheduler }: DeployedStack): Promise<Map<string | null, GetScheduleOutput>> {
  const schedules = new Map<string | null, GetScheduleOutput>();
  for (const Name of await resources('AWS::Scheduler::Schedule')) {
    const schedule = await orNull(scheduler.send(new GetScheduleCommand({ Name })));
    // Deleted by hand: its report has none.
    if (schedule === null) continue;
    const { report = null } = v.parse(inputSchema, schedule.Target?.Input);
    schedules.set(report, schedule);
  }
  return schedules;
}

/** Why the schedule of a report, or of the watch, triggers nothing or something else, and what to do; `null` where it triggers what it should. */
async function sayBroken(
  { resources, outputs }: DeployedStack,
  report: string | null,
  schedule: GetScheduleOutput | undefined,
): Promise<string | null> {
  const called =
    report === null ? 'The schedule of the watch, which notices missing runs,' : `The schedule of report "${report}"`;
  if (schedule === undefined) return `${called} is missing. ${putBack}`;
  if (schedule.State !== 'ENABLED') return `${called} is off. ${enable}`;
  const { Arn, RoleArn, DeadLetterConfig } = schedule.Target ?? {};
  const [watch] = await resources('AWS::Lambda::Function', 'Watch');
  const [role] = await resources('AWS::IAM::Role', report === null ? 'WatchSchedules' : 'Schedules');
  const [queue] = await resources('AWS::SQS::Queue');
  const own = {
    target: report === null ? Arn?.endsWith(`:${watch}`) : Arn === outputs.run,
    role: RoleArn?.endsWith(`/${role}`),
    'dead-letter queue': DeadLetterConfig?.Arn?.split(':').at(-1) === queue?.split('/').at(-1),
  };
  const foreign = Object.entries(own).flatMap(([part, isOwn]) => (isOwn === true ? [] : [`another ${part}`]));
  return foreign.length === 0 ? null : `${called} has ${foreign.join(' and ')} than the stack's. ${putBack}`;
}

async function examineReport(
  side: DeployedStack,
  report: ReportConfiguration,
  schedule: GetScheduleOutput | undefined,
): Promise<Said> {
  const { name, schedule: configured } = report;
  const broken = await sayBroken(side, name, schedule);
  if (broken !== null) return fault(broken);
  const { timeZone } = configured;
  const fires = `${schedule?.ScheduleExpression ?? ''} in ${schedule?.ScheduleExpressionTimezone ?? 'UTC'}`;
  const meant = `${scheduleExpression(configured)} in ${timeZone}`;
  if (fires !== meant) return look(`Report "${name}" fires at ${fires}, and cdk.json says ${meant}: deploy.`);
  const paused = await describePause(side.table, report);
  if (paused.length > 0) return look(`${paused.join()} "resume ${name}" ends that.`);
  const next = nextDue(configured, side.now, 1).map(({ scheduledTime: at }) => `${sayInstant(at, timeZone)} (${at})`);
  return good(`Report "${name}" is on, next at ${next.join()}.`);
}
