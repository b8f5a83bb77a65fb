import { GetScheduleCommand, type GetScheduleOutput } from '@aws-sdk/client-scheduler';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { inspectLeftReports } from '../../../functions/watch/inspect.ts';
import { sayInstant } from '../command-line/answer.ts';
import { describePause } from '../commands/report.ts';
import { orNull } from '../targets/deployed.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

const enable = 'Enable it in the console (EventBridge Scheduler): a deployment does not enable it.';

/** The event of a schedule. That of a report names it; the watch's is empty. */
const inputSchema = v.fallback(v.pipe(v.string(), v.parseJson(), v.object({ report: v.optional(v.string()) })), {});

/** Whether the schedule of each report is on, and when that fires next; and that of the watch. */
export async function* examineSchedules(side: DeployedStack): AsyncGenerator<Said> {
  const { reports } = side.configuration;
  const schedules = await readSchedules(side);
  for (const report of reports) yield await examineReport(side, report, schedules.get(report.name));
  for (const { report } of await inspectLeftReports(side.table, reports, side.now)) {
    const found = `The ledger knows a report "${report}", which is not in cdk.json.`;
    yield look(`${found} If it has another name now: "move ${report} NEW".`);
  }
  const broken = sayBroken(null, schedules.get(null));
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

/** Why the schedule of a report, or of the watch, triggers nothing, and what to do; `null` where it is on. */
function sayBroken(report: string | null, schedule: GetScheduleOutput | undefined): string | null {
  const called =
    report === null ? 'The schedule of the watch, which notices missing runs,' : `The schedule of report "${report}"`;
  if (schedule === undefined) return `${called} is missing. "npx cdk deploy --revert-drift" puts it back.`;
  return schedule.State === 'ENABLED' ? null : `${called} is off. ${enable}`;
}

async function examineReport(
  { table, now }: DeployedStack,
  report: ReportConfiguration,
  schedule: GetScheduleOutput | undefined,
): Promise<Said> {
  const { name } = report;
  const broken = sayBroken(name, schedule);
  if (broken !== null) return fault(broken);
  const paused = await describePause(table, report);
  if (paused.length > 0) return look(`${paused.join()} "resume ${name}" ends that.`);
  const { timeZone } = report.schedule;
  const next = nextDue(report.schedule, now, 1).map(({ scheduledTime: at }) => `${sayInstant(at, timeZone)} (${at})`);
  return good(`Report "${name}" is on, next at ${next.join()}.`);
}
