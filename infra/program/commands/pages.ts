import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { done, sayInstant } from '../command-line/result.ts';
import { defineCommand, onReport, yesFlag, type Given } from '../command-line/command.ts';
import { confirm, recordOperation, type LedgerTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<PART> <REPORT>',
  parts: ['revoke'],
  does: 'voids all links to the pages of a report that were made before now',
  example: 'pages revoke weekly',
  flags: [yesFlag],
  work: (place: Given<YesFlag>, _part: string, name: string) => onReport(revokePages)(place, name),
});

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(target: LedgerTarget, report: ReportConfiguration, { yes }: YesFlag) {
  const { name, schedule } = report;
  const question = `All links to the pages of "${name}" in mails that were sent so far stop working. Revoke them?`;
  if (!(await confirm(question, { yes }))) return done({ report: name, revokedBefore: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'revoke-pages' });
  const before = new Date().toISOString();
  await revokePageLinks(target.table, report);
  return done({ report: name, revokedBefore: before }, [
    `Links to the pages of "${name}" that were made before ${sayInstant(before, schedule.timeZone)} no longer work.`,
    'The next mail has a new one; "show RUN" makes one for a run that was sent.',
  ]);
}
