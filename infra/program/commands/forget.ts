import { Temporal } from 'temporal-polyfill';
import { markForgotten } from '../../../functions/ledger/persons/opt-outs.ts';
import { openHashes, readAddresses, removePerson } from '../../../functions/ledger/persons/persons.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import { isConfiguredIn } from '../addresses/standing.ts';
import { done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { findFilesWith } from '../runs/outbox.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Erases an address: the ledger's one item that has it. What stays knows the person by a keyed hash, which gets no mail. */
export async function forgetAddress(target: LedgerTarget, address: string, { yes }: YesFlag): Promise<CommandResult> {
  const { table, configuration } = target;
  const configured = configuration.reports.filter((report) => isConfiguredIn(report, address));
  if (configured.length > 0) {
    const names = configured.map(({ name }) => name);
    const line = `It is a configured subscriber of "${names.join('", "')}": remove it from cdk.json and deploy, then forget it.`;
    return { json: { forgotten: false, configured: names }, lines: [line], code: exitCodes.noDigest };
  }
  if (!(await confirm(`Erase ${address}? This cannot be undone.`, { yes }))) {
    return done({ forgotten: false }, ['Nothing was done.']);
  }
  const hash = (await openHashes(table))(address);
  const isStored = (await readAddresses(table, [hash])).size > 0;
  if (isStored) {
    await recordOperation(target, addressesSubject, { what: 'forget-address' });
    // First what keeps mail away: a call that is interrupted between the two is simply repeated.
    await markForgotten(table, hash, Temporal.Now.instant().toString());
    await removePerson(table, hash);
  }
  const files = await findFilesWith(target.outbox, address);
  return done({ forgotten: isStored }, [
    isStored
      ? 'Forgotten: the address is erased. A keyed hash stays, which gets no mail.'
      : 'The ledger does not have this address.',
    ...(files.length > 0 ? [`These files still contain it. Delete them: ${files.join(', ')}`] : []),
  ]);
}
