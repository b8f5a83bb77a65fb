import { Temporal } from 'temporal-polyfill';
import { pauseReport, readReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { done, type CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atLedger, command } from '../command-line/command.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { lookUpReport } from '../targets/look-up.ts';
import { recordOperation } from '../../record-operation.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function definePause(program: CheckedCommand, print: PrintAnswer): void {
  command(program, 'pause <REPORT>', 'stops the schedule of a report until it is resumed', 'pause weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => pauseCommand(target, report), print),
  );
  command(program, 'resume <REPORT>', 'lets the schedule of a report trigger runs again', 'resume weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => resumeCommand(target, report), print),
  );
}

/** Pauses a report: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, name: string): Promise<CommandResult> {
  const configured = lookUpReport(target.configuration, name);
  const { name: report } = configured;
  const before = await readReport(target.table, configured);
  if (before?.pausedAt === undefined) {
    await recordOperation(target, { report }, { what: 'pause' });
    await pauseReport(target.table, configured, { at: Temporal.Now.instant().toString(), by: target.operator });
  }
  const { pausedAt = '', pausedBy = '' } = (await readReport(target.table, configured)) ?? {};
  const since = `Report "${report}" was paused by ${pausedBy}, ${sayInstant(pausedAt, configured.schedule.timeZone)}.`;
  const command = ['npm run ops -- resume', report, ...target.flags].join(' ');
  return done({ report, paused: { since: pausedAt, by: pausedBy } }, [since, `To resume it: ${command}`]);
}

/** Resumes a paused report. Runs that were due meanwhile are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, name: string): Promise<CommandResult> {
  const configured = lookUpReport(target.configuration, name);
  const { name: report } = configured;
  const before = await readReport(target.table, configured);
  if (before?.pausedAt === undefined) {
    return done({ report, resumed: false }, [`Report "${report}" is not paused.`]);
  }
  await recordOperation(target, { report }, { what: 'resume' });
  await resumeReport(target.table, configured, Temporal.Now.instant().toString());
  const line = `Report "${report}" runs again. It had been paused since ${sayInstant(before.pausedAt, configured.schedule.timeZone)} by ${before.pausedBy ?? 'someone'}.`;
  return done({ report, resumed: true, pausedSince: before.pausedAt }, [line]);
}
