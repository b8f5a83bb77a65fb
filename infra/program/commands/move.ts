import * as v from 'valibot';
import { count } from '../../../functions/domain/wording.ts';
import { readMembers } from '../../../functions/ledger/persons/members.ts';
import { unsubscribedSchema } from '../../../functions/ledger/persons/opt-outs.ts';
import { beginMove, endMove, readMove, readReport, retireReport } from '../../../functions/ledger/reports.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import type { Key, StoredItem, Table } from '../../../functions/ledger/table.ts';
import { done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

type MoveTarget = Pick<LedgerTarget, 'configuration' | 'table' | 'scan' | 'operator'>;

/**
 * Moves what the ledger has on a report to the name that it has now: subscribers, who left it, runs, kept figures, a pause,
 * links to pages, and what operators did. A second call goes on where an interrupted one stopped.
 */
export async function moveCommand(target: MoveTarget, from: string, to: string): Promise<CommandResult> {
  const { table, configuration } = target;
  if (configuration.reports.some(({ name }) => name === from)) {
    throw new UsageError(`Report "${from}" is still in cdk.json: give it its new name there and deploy, then move it.`);
  }
  const before = await readMove(table, from);
  const isMovedHere = before?.movedTo === to;
  if ((await readReport(table, { name: from })) === null && !(isMovedHere && before.isMoving)) {
    if (isMovedHere) return done({ from, to, items: 0 }, [`Report "${from}" was moved to "${to}" before.`]);
    throw new UsageError(`The ledger knows no report "${from}".`);
  }
  const reasons = isMovedHere && before.isMoving ? [] : await reasonsAgainst(target, from, to);
  if (reasons.length > 0) return { json: { from, to, refused: reasons }, lines: reasons, code: exitCodes.noDigest };
  await recordOperation(target, to, { what: 'move', detail: `from ${from}` });
  await beginMove(table, from, to);
  let items = 0;
  for await (const item of target.scan()) if (await moveItem(table, item, from, to)) items += 1;
  await endMove(table, from, to);
  return done({ from, to, items }, [`Moved from "${from}" to "${to}": ${count(items, 'item')} of the ledger.`]);
}

/**
 * Ends what is said about a report that was taken out of the configuration on purpose. Links in its mails go on working, and who
 * left it stays left; under its name in the configuration again it is a new report, and off.
 */
export async function retireCommand(target: MoveTarget, name: string, flags: YesFlag): Promise<CommandResult> {
  const { table, configuration } = target;
  if (configuration.reports.some((report) => report.name === name))
    throw new UsageError(`Report "${name}" is still in cdk.json: take it out there and deploy, then retire it.`);
  if ((await readReport(table, { name })) === null) throw new UsageError(`The ledger knows no report "${name}".`);
  // The deployed configuration may be a newer one.
  const question = `Where the deployed configuration still has "${name}", this switches it off: nobody gets it. Retire it?`;
  if (!(await confirm(question, flags))) return done({ retired: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'retire' });
  await retireReport(table, { name });
  return done({ retired: name }, [`Report "${name}" is retired. Links in its mails go on working.`]);
}

/** Why the reports cannot become one now, in sentences. */
async function reasonsAgainst({ table, configuration }: MoveTarget, from: string, to: string): Promise<string[]> {
  const reasons: string[] = [];
  const runsBefore = await readRunsFrom(table, { name: from }, '0000');
  const every = configuration.reports.find(({ name }) => name === to)?.schedule.every;
  const kind = runsBefore.at(-1)?.period.kind ?? every;
  if (kind !== every)
    reasons.push(`"${from}" covers every ${kind}, "${to}" every ${every}: change "every" after the move, not before.`);
  for (const { run, state } of runsBefore) {
    if (state === 'done' || state === 'failed') continue;
    reasons.push(`Run "${run}" is ${state}: name the report "${from}" again, deploy, and finish the run first.`);
  }
  const runs = await readRunsFrom(table, { name: to }, '0000');
  if (runs.length > 0 || (await readMembers(table, { name: to })).size > 0)
    reasons.push(`Report "${to}" has runs or subscribers of its own: nothing was moved.`);
  return reasons;
}

const keySchema = v.looseObject({ pk: v.string(), sk: v.string() });

/** Moves one item; whether it was the report's. It is written under the new name first, and what stands there is newer. */
async function moveItem(table: Table, item: StoredItem, from: string, to: string): Promise<boolean> {
  const { pk, sk, ...attributes } = v.parse(keySchema, item);
  const naming = pk === 'PAGE_LINKS' ? 'report' : ['instead', 'insteadOf'].find((name) => attributes[name] === from);
  if (naming !== undefined) {
    const isReports = { condition: `#${naming} = :from`, values: { ':from': from } };
    return await table.update({ pk, sk }, { set: { [naming]: to }, ...isReports });
  }
  const moved = movedKey({ pk, sk }, from, to);
  if (moved === null) return false;
  if (sk.startsWith('UNSUBSCRIBED#')) {
    const optOut = v.parse(unsubscribedSchema, item);
    // The person's last word counts, under whichever name it was said.
    const condition = { condition: 'attribute_not_exists(#at) OR #at < :at', values: { ':at': optOut.at } };
    const remove = optOut.instead === undefined ? ['instead'] : [];
    await table.update(moved, { set: { ...optOut, report: to }, remove, ...condition });
  } else {
    await table.insert(moved, { ...attributes, ...('report' in attributes ? { report: to } : {}) });
  }
  await table.remove({ pk, sk });
  return true;
}

/** The key of a report's item under its new name; `null` where it is not the report's. */
function movedKey({ pk, sk }: Key, from: string, to: string): Key | null {
  const ofReport = ['RUNS', 'FIGURES', 'MEMBERS', 'ACTIONS'].find((kind) => pk === `${kind}#${from}`);
  if (ofReport !== undefined) return { pk: `${ofReport}#${to}`, sk };
  return pk.startsWith('OPTOUT#') && sk === `UNSUBSCRIBED#${from}` ? { pk, sk: `UNSUBSCRIBED#${to}` } : null;
}
