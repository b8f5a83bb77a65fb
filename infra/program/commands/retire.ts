import * as v from 'valibot';
import { addCount, createCounts } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { unsubscribedSchema } from '../../../functions/ledger/persons/opt-outs.ts';
import { readReport, retireReport } from '../../../functions/ledger/reports.ts';
import { done, UsageError, type CommandResult } from '../command-line/result.ts';
import { defineCommand, onTarget, openExisting, yesFlag } from '../command-line/command.ts';
import { confirm, recordOperation, type LedgerTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<REPORT>',
  does: 'ends the notices about a report that was taken out of cdk.json on purpose',
  more: 'It says who took it in place of another, and asks. Links in its mails go on working; who left it stays left.',
  example: 'retire weekly',
  flags: [yesFlag],
  work: onTarget(openExisting, retireCommand),
});

/**
 * Ends what is said about a report that was taken out of the configuration on purpose. Links in its mails go on working, and who
 * left it stays left; under its name in the configuration again it is a new report, and off.
 */
export async function retireCommand(target: LedgerTarget, name: string, flags: YesFlag): Promise<CommandResult> {
  const { table, configuration } = target;
  if (configuration.reports.some((report) => report.name === name))
    throw new UsageError(`Report "${name}" is still in cdk.json: take it out there and deploy, then retire it.`);
  if ((await readReport(table, { name })) === null) throw new UsageError(`The ledger knows no report "${name}".`);
  const insteadOf = createCounts();
  for await (const item of target.scan()) {
    const optOut = v.safeParse(unsubscribedSchema, item);
    if (optOut.success && optOut.output.instead === name) addCount(insteadOf, optOut.output.report);
  }
  const losing = Object.entries(insteadOf).map(
    ([report, persons]) => `${count(persons, 'person')} in place of "${report}"`,
  );
  const taken = losing.length === 0 ? '' : ` It was taken by ${losing.join(', ')}: they get neither.`;
  // The deployed configuration may be a newer one.
  const question = `Where the deployed configuration still has "${name}", this switches it off: nobody gets it.${taken} Retire it?`;
  if (!(await confirm(question, flags))) return done({ retired: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'retire' });
  await retireReport(table, { name });
  return done({ retired: name, takenInsteadOf: insteadOf }, [
    `Nothing more is said about "${name}". Who left it stays left.${taken}`,
  ]);
}
