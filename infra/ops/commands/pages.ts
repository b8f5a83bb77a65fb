import { Temporal } from 'temporal-polyfill';
import { mostPageDays } from '../../../functions/domain/configuration/configuration.ts';
import { expiresAfterDays } from '../../../functions/ledger/table.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { done, type CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atLedger, command } from '../command-line/command.ts';
import { confirm } from '../command-line/confirm.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { lookUpReport } from '../targets/look-up.ts';
import { recordOperation } from '../../record-operation.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function definePages(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'pages <revoke> <REPORT>',
    'voids all links to the pages of a report that were made before now',
    'pages revoke weekly',
  )
    .option('--yes', 'confirm in advance', false)
    .check(([part]) => (part === undefined || part === 'revoke' ? [] : ['Expected "revoke" behind "pages".']))
    .action((_: string, report: string, flags: PlaceFlags & { yes: boolean }) =>
      atLedger(flags, (target) => revokePages(target, report, flags), print),
    );
}

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(
  target: LedgerTarget,
  name: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const configured = lookUpReport(target.configuration, name);
  const { name: report, schedule } = configured;
  const question = `All links to the pages of "${report}" in mails that were sent so far stop working, for good. Revoke them?`;
  if (!(await confirm(question, { yes }))) return done({ report, revokedBefore: null }, ['Nothing was done.']);
  await recordOperation(target, { report }, { what: 'revoke-pages' });
  const now = Temporal.Now.instant();
  const before = now.toString({ fractionalSecondDigits: 3 });
  const expiresAt = expiresAfterDays(mostPageDays + 1, new Date(now.epochMilliseconds));
  await revokePageLinks(target.table, configured, { before, expiresAt });
  const lines = [
    `Links to the pages of "${report}" that were made before ${sayInstant(before, schedule.timeZone)} no longer work.`,
    'The next mail has a new one; "show RUN" makes one for a run that was sent.',
  ];
  return done({ report, revokedBefore: before }, lines);
}
