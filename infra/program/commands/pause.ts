import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { pauseReport, readReport } from '../../../functions/ledger/reports.ts';
import { commandLine, done, type CommandResult } from '../command-line/result.ts';
import { allFlag, defineCommand, onReports } from '../command-line/command.ts';
import { describePause, switchOf } from '../runs/describe-report.ts';
import { recordOperation, type LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '[REPORT]',
  does: 'stops the schedule of a report until it is resumed',
  example: 'pause weekly',
  flags: [allFlag],
  work: onReports(pauseCommand),
});

/** Pauses a report that is on: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { table, operator: by } = target;
  const { name } = report;
  const before = switchOf(await readReport(table, report));
  if (!before.off && before.paused === null) {
    await recordOperation(target, name, { what: 'pause' });
    await pauseReport(table, report, { at: new Date().toISOString(), by });
  }
  return done({ report: name, ...switchOf(await readReport(table, report)) }, [
    ...(await describePause(table, report)),
    `To switch it on: ${commandLine(['resume', name], target.flags)}`,
  ]);
}
