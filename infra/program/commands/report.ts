import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { pauseReport, readReport, resumeReport, type KnownReport } from '../../../functions/ledger/reports.ts';
import { commandLine, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Since when and by whom a report is paused; `null` where it is not. */
export function pauseOf(known: KnownReport | null): { since: string; by: string } | null {
  return known?.pausedAt === undefined ? null : { since: known.pausedAt, by: known.pausedBy ?? 'someone' };
}

/** Says of a paused report since when it is, and by whom; nothing of another one. */
export async function describePause(table: Table, report: ReportConfiguration): Promise<string[]> {
  const paused = pauseOf(await readReport(table, report));
  if (paused === null) return [];
  const since = sayInstant(paused.since, report.schedule.timeZone);
  return [`Report "${report.name}" was paused by ${paused.by}, ${since}: its schedule triggers nothing.`];
}

/** Pauses a report: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { table, operator: by } = target;
  const { name } = report;
  if (pauseOf(await readReport(table, report)) === null) {
    await recordOperation(target, name, { what: 'pause' });
    await pauseReport(table, report, { at: Temporal.Now.instant().toString(), by });
  }
  return done({ report: name, paused: pauseOf(await readReport(table, report)) }, [
    ...(await describePause(table, report)),
    `To resume it: ${commandLine(['resume', name], target.flags)}`,
  ]);
}

/** Resumes a paused report. Runs that were due meanwhile are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { name, schedule } = report;
  const paused = pauseOf(await readReport(target.table, report));
  if (paused === null) return done({ report: name, resumed: false }, [`Report "${name}" is not paused.`]);
  await recordOperation(target, name, { what: 'resume' });
  await resumeReport(target.table, report, Temporal.Now.instant().toString());
  return done({ report: name, resumed: true, pausedSince: paused.since }, [
    `Report "${name}" runs again. It had been paused since ${sayInstant(paused.since, schedule.timeZone)} by ${paused.by}.`,
  ]);
}

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(
  target: LedgerTarget,
  report: ReportConfiguration,
  { yes }: YesFlag,
): Promise<CommandResult> {
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
