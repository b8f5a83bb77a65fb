import * as v from 'valibot';
import { count } from '../../../functions/domain/wording.ts';
import { unsubscribedSchema } from '../../../functions/ledger/persons/opt-outs.ts';
import { readReport, retireReport } from '../../../functions/ledger/reports.ts';
import { done, type CommandResult } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/**
 * Ends what is said about a report that was taken out of the configuration on purpose. Links in its mails go on working, and who
 * left it stays left; under its name in the configuration again it is a new report, and off.
 */
export async function retireCommand(
  target: Pick<LedgerTarget, 'configuration' | 'table' | 'scan' | 'operator'>,
  name: string,
  flags: YesFlag,
): Promise<CommandResult> {
  const { table, configuration } = target;
  if (configuration.reports.some((report) => report.name === name))
    throw new UsageError(`Report "${name}" is still in cdk.json: take it out there and deploy, then retire it.`);
  if ((await readReport(table, { name })) === null) throw new UsageError(`The ledger knows no report "${name}".`);
  const insteadOf = new Map<string, number>();
  for await (const item of target.scan()) {
    const optOut = v.safeParse(unsubscribedSchema, item);
    if (!optOut.success || optOut.output.instead !== name) continue;
    const { report } = optOut.output;
    insteadOf.set(report, (insteadOf.get(report) ?? 0) + 1);
  }
  const losing = [...insteadOf].map(
    ([report, persons]) => `${count(persons, 'person', 'persons')} in place of "${report}"`,
  );
  const taken = losing.length === 0 ? '' : ` It was taken by ${losing.join(', ')}: they get neither.`;
  // The deployed configuration may be a newer one.
  const question = `Where the deployed configuration still has "${name}", this switches it off: nobody gets it.${taken} Retire it?`;
  if (!(await confirm(question, flags))) return done({ retired: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'retire' });
  await retireReport(table, { name });
  return done({ retired: name, takenInsteadOf: Object.fromEntries(insteadOf) }, [
    `Nothing more is said about "${name}". Who left it stays left.${taken}`,
  ]);
}
