import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { readChannelOff, turnChannelOn } from '../../../functions/ledger/channels.ts';
import { whyMaybeRenamed } from '../../../functions/ledger/renamed-reports.ts';
import { readReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import { commandLine, done, failed, sayInstant, UsageError } from '../command-line/result.ts';
import { chooseChannel } from '../command-line/choices.ts';
import { allFlag, defineCommand, flag, onReports, onTarget, openLedger, type Given } from '../command-line/command.ts';
import { switchOf } from '../runs/describe-report.ts';
import { recordOperation, type LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '[REPORT]',
  does: 'switches a report on that is off or paused: its schedule triggers runs',
  more: 'A report is off when it is first deployed. What was due before is not caught up; run does that.',
  example: 'resume weekly',
  flags: [allFlag, flag('--channel <NAME>', 'a channel that is off, in place of a report').conflicts('all')],
  work: async (place: Given<{ all: boolean; channel?: string }>, name?: string) => {
    if (place.channel === undefined) return await onReports(resumeCommand)(place, name);
    if (name !== undefined) throw new UsageError('Name a report, or with --channel a channel.');
    return await onTarget(openLedger, resumeChannel)(place, place.channel);
  },
});

/** Switches a report on that is off or paused. Runs that were due before are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, report: ReportConfiguration) {
  const { table, stack, configuration } = target;
  const { name, schedule } = report;
  const now = Temporal.Now.instant();
  const renamed = stack === null ? null : await whyMaybeRenamed(table, report, configuration.reports);
  if (renamed !== null) return failed({ report: name, resumed: false, refused: renamed }, [renamed]);
  const { off, paused } = switchOf(await readReport(table, report));
  const resumed = off || paused !== null;
  if (resumed) {
    await recordOperation(target, name, { what: 'resume' });
    await resumeReport(table, report, now.toString());
  }
  const say = (instant: string): string => sayInstant(instant, schedule.timeZone);
  const [next] = nextDue(schedule, now, 1).map((due) => say(due.scheduledTime));
  const before = paused === null ? '' : ` It was paused by ${paused.by}, ${say(paused.since)}.`;
  const runIt = `Nothing runs by itself on this machine: ${commandLine(['run', name], target.flags)}`;
  const line = stack === null ? `is on.${before} ${runIt}` : `is on, next at ${next}.${before}`;
  return done({ report: name, resumed, pausedSince: paused?.since ?? null }, [`Report "${name}" ${line}`]);
}

/** Switches a channel on that runs found gone: the next one posts to it. */
export async function resumeChannel(target: LedgerTarget, name: string) {
  const { name: channel } = chooseChannel(target.configuration, name);
  const resumed = (await readChannelOff(target.table, channel)) !== null;
  if (resumed) {
    await recordOperation(target, serviceSubject, { what: 'resume', detail: `channel ${channel}` });
    await turnChannelOn(target.table, channel);
  }
  return done({ channel, resumed }, [`Channel "${channel}" is on: the next run posts to it.`]);
}
