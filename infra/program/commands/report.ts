import { Temporal } from 'temporal-polyfill';
import { mostPageDays, type ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { expiresAfterDays } from '../../../functions/ledger/table.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { pauseReport, readReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { confirm, recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Pauses a report: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { name, schedule } = report;
  const before = await readReport(target.table, report);
  if (before?.pausedAt === undefined) {
    await recordOperation(target, { report: name }, { what: 'pause' });
    await pauseReport(target.table, report, { at: Temporal.Now.instant().toString(), by: target.operator });
  }
  const { pausedAt = '', pausedBy = '' } = (await readReport(target.table, report)) ?? {};
  const command = ['npm run ops -- resume', name, ...target.flags].join(' ');
  return done({ report: name, paused: { since: pausedAt, by: pausedBy } }, [
    `Report "${name}" was paused by ${pausedBy}, ${sayInstant(pausedAt, schedule.timeZone)}.`,
    `To resume it: ${command}`,
  ]);
}

/** Resumes a paused report. Runs that were due meanwhile are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { name, schedule } = report;
  const { pausedAt, pausedBy = 'someone' } = (await readReport(target.table, report)) ?? {};
  if (pausedAt === undefined) return done({ report: name, resumed: false }, [`Report "${name}" is not paused.`]);
  await recordOperation(target, { report: name }, { what: 'resume' });
  await resumeReport(target.table, report, Temporal.Now.instant().toString());
  return done({ report: name, resumed: true, pausedSince: pausedAt }, [
    `Report "${name}" runs again. It had been paused since ${sayInstant(pausedAt, schedule.timeZone)} by ${pausedBy}.`,
  ]);
}

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(
  target: LedgerTarget,
  report: ReportConfiguration,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const { name, schedule } = report;
  const question = `All links to the pages of "${name}" in mails that were sent so far stop working, for good. Revoke them?`;
  if (!(await confirm(question, { yes }))) return done({ report: name, revokedBefore: null }, ['Nothing was done.']);
  await recordOperation(target, { report: name }, { what: 'revoke-pages' });
  const now = Temporal.Now.instant();
  const before = now.toString({ fractionalSecondDigits: 3 });
  const expiresAt = expiresAfterDays(mostPageDays + 1, new Date(now.epochMilliseconds));
  await revokePageLinks(target.table, report, { before, expiresAt });
  return done({ report: name, revokedBefore: before }, [
    `Links to the pages of "${name}" that were made before ${sayInstant(before, schedule.timeZone)} no longer work.`,
    'The next mail has a new one; "show RUN" makes one for a run that was sent.',
  ]);
}
