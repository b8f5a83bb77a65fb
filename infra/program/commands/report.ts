import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import {
  readChannelOff,
  turnChannelOn,
  isOff,
  pauseReport,
  readReport,
  resumeReport,
  whyMaybeRenamed,
  type KnownReport,
} from '../../../functions/ledger/reports.ts';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { commandLine, done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { chooseChannel } from '../command-line/choices.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Whether a report is off, since nobody has ever switched it on; else since when and by whom it is paused, `null` where it is on. */
export function switchOf(known: KnownReport | null): { off: boolean; paused: { since: string; by: string } | null } {
  const { pausedAt: since, pausedBy: by } = known ?? {};
  return { off: isOff(known), paused: since === undefined || by === undefined ? null : { since, by } };
}

/** Says of a report that it is off, or since when it is paused, and by whom; nothing of one that is on. */
export async function describePause(table: Table, report: ReportConfiguration): Promise<string[]> {
  const { off, paused } = switchOf(await readReport(table, report));
  if (off) return [`Report "${report.name}" is off: never switched on, so its schedule triggers nothing.`];
  if (paused === null) return [];
  const since = sayInstant(paused.since, report.schedule.timeZone);
  return [`Report "${report.name}" was paused by ${paused.by}, ${since}: its schedule triggers nothing.`];
}

/** Pauses a report that is on: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { table, operator: by } = target;
  const { name } = report;
  const before = switchOf(await readReport(table, report));
  if (!before.off && before.paused === null) {
    await recordOperation(target, name, { what: 'pause' });
    await pauseReport(table, report, { at: Temporal.Now.instant().toString(), by });
  }
  return done({ report: name, ...switchOf(await readReport(table, report)) }, [
    ...(await describePause(table, report)),
    `To switch it on: ${commandLine(['resume', name], target.flags)}`,
  ]);
}

/** Switches a report on that is off or paused. Runs that were due before are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { name, schedule } = report;
  const now = Temporal.Now.instant();
  const renamed =
    target.stack === null ? null : await whyMaybeRenamed(target.table, report, target.configuration.reports);
  if (renamed !== null)
    return { json: { report: name, resumed: false, refused: renamed }, lines: [renamed], code: exitCodes.noDigest };
  const { off, paused } = switchOf(await readReport(target.table, report));
  const resumed = off || paused !== null;
  if (resumed) {
    await recordOperation(target, name, { what: 'resume' });
    await resumeReport(target.table, report, now.toString());
  }
  const [next] = nextDue(schedule, now, 1).map((due) => sayInstant(due.scheduledTime, schedule.timeZone));
  const before =
    paused === null ? '' : ` It was paused by ${paused.by}, ${sayInstant(paused.since, schedule.timeZone)}.`;
  return done({ report: name, resumed, pausedSince: paused?.since ?? null }, [
    `Report "${name}" is on, next at ${next}.${before}`,
  ]);
}

/** Switches a channel on that runs found gone: the next one posts to it. */
export async function resumeChannel(target: LedgerTarget, name: string): Promise<CommandResult> {
  const { name: channel } = chooseChannel(target.configuration, name);
  const resumed = (await readChannelOff(target.table, channel)) !== null;
  if (resumed) {
    await recordOperation(target, serviceSubject, { what: 'resume', detail: `channel ${channel}` });
    await turnChannelOn(target.table, channel);
  }
  return done({ channel, resumed }, [`Channel "${channel}" is on: the next run posts to it.`]);
}

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(target: LedgerTarget, report: ReportConfiguration, { yes }: YesFlag) {
  const { name, schedule } = report;
  const question = `All links to the pages of "${name}" in mails that were sent so far stop working, for good. Revoke them?`;
  if (!(await confirm(question, { yes }))) return done({ report: name, revokedBefore: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'revoke-pages' });
  const before = Temporal.Now.instant().toString({ fractionalSecondDigits: 3 });
  await revokePageLinks(target.table, report);
  return done({ report: name, revokedBefore: before }, [
    `Links to the pages of "${name}" that were made before ${sayInstant(before, schedule.timeZone)} no longer work.`,
    'The next mail has a new one; "show RUN" makes one for a run that was sent.',
  ]);
}
