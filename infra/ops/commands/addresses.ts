import { Temporal } from 'temporal-polyfill';
import { namesFor } from '../../../functions/domain/report-names.ts';
import { addressKey, readSuppression } from '../../../functions/ledger/addresses/addresses.ts';
import { liftForgotten, readForgotten, type ForgottenFacts } from '../../../functions/ledger/addresses/forgotten.ts';
import { readUnsubscriptions, resubscribe } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { createProgress } from '../../local/output/progress.ts';
import { readWithheldAddresses } from '../addresses/address-book.ts';
import { checkAddresses } from '../addresses/check-addresses.ts';
import { erase } from '../addresses/erase.ts';
import { count } from '../../../functions/domain/counted-noun.ts';
import { columns, done, type CommandResult } from '../command-line/answer.ts';
import { faultsOfPart } from '../command-line/call-faults.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atLedger, command, readLedger } from '../command-line/command.ts';
import { confirm } from '../command-line/confirm.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { findFilesWith } from '../runs/local-mails.ts';
import { recordOperation } from '../../record-operation.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function defineAddresses(program: CheckedCommand, print: PrintAnswer): void {
  const parts = ['list', 'lift', 'forget'];
  command(
    program,
    'addresses <list|lift|forget> [ADDRESS]',
    'suppressed and unsubscribed addresses: list them, let one get mail again, or forget one',
    'addresses lift ada@example.com',
  )
    .option('--yes', 'confirm in advance', false)
    .check(([part, ...rest]) => faultsOfPart(part, rest, parts))
    .action((part: string, address: string, flags: PlaceFlags & { yes: boolean }) => {
      if (part === 'list') return readLedger(flags, (target) => listAddresses(target), print);
      const change = part === 'lift' ? liftAddress : forgetAddress;
      return atLedger(flags, (target) => change(target, address, flags), print);
    });
}

/** Lists the addresses that get no mail, with why and since when. */
export async function listAddresses(target: LedgerTarget): Promise<CommandResult> {
  const progress = createProgress();
  const { withheld, forgotten } = await readWithheldAddresses(target, (items) =>
    progress.say(`Reading the ledger: ${items} items so far …`),
  );
  progress.end();
  const rows = withheld.map(({ address, why, report, since }) => [
    address ?? '(only its hash is known)',
    report === null ? why : `${why} ${report}`,
    sayInstant(since),
  ]);
  const lines =
    rows.length === 0 ? ['No address is suppressed or unsubscribed.'] : columns(['address', 'why', 'since'], rows);
  if (forgotten > 0) lines.push(`${count(forgotten, 'forgotten address', 'forgotten addresses')} besides these.`);
  return done({ addresses: withheld, forgotten }, lines);
}

/** Lets an address get mail again, here and on SES's own list of the account. */
export async function liftAddress(
  target: LedgerTarget,
  given: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const [address = ''] = checkAddresses([given]);
  const reasons = await reasonsOf(target, address);
  const withheldBy = reasons.sentences.join(', ') || 'not suppressed here';
  const question = `${address} is ${withheldBy}. Let it get mail again, here and on the account's SES list?`;
  if (!(await confirm(question, { yes }))) return done({ lifted: false }, ['Nothing was done.']);
  await recordOperation(target, 'addresses', { what: 'lift-address', detail: withheldBy });
  await target.table.remove({ pk: `ADDRESS#${addressKey(address)}`, sk: 'SUPPRESSED' });
  const now = Temporal.Now.instant().toString();
  for (const report of reasons.left)
    await resubscribe(target.table, addressKey(address), namesFor(target.configuration.reports, report), now);
  await liftForgotten(target.table, address);
  const fromAccount = await target.liftFromAccount(address);
  const lines = [
    reasons.sentences.length === 0
      ? `${address} is not suppressed here.`
      : `${address} gets mail again. It was ${withheldBy}.`,
    fromAccount === null
      ? 'A local system has no SES list.'
      : fromAccount
        ? "It was removed from the account's SES list."
        : "It was not on the account's SES list.",
  ];
  return done({ lifted: reasons.sentences.length > 0, liftedFromAccount: fromAccount }, lines);
}

async function reasonsOf(
  { table, configuration }: LedgerTarget,
  address: string,
): Promise<{ sentences: string[]; left: readonly string[] }> {
  const suppression = await readSuppression(table, address);
  const left = await readUnsubscriptions(table, addressKey(address), configuration.reports);
  const facts: ForgottenFacts = (await readForgotten(table, [address])).get(address.toLowerCase()) ?? {
    unsubscribed: [],
  };
  return {
    sentences: [
      ...(suppression === null ? [] : [`suppressed by a ${suppression.reason} since ${sayInstant(suppression.at)}`]),
      ...left.map((report) => `unsubscribed from ${report}`),
      ...(facts.suppressed === undefined ? [] : [`suppressed by a ${facts.suppressed}, then forgotten`]),
      ...facts.unsubscribed.map((report) => `unsubscribed from ${report}, then forgotten`),
    ],
    left,
  };
}

/** Removes an address from the ledger, except for keyed hashes that keep it from getting mail it must not get. */
export async function forgetAddress(
  target: LedgerTarget,
  given: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const [address = ''] = checkAddresses([given]);
  const configured = target.configuration.reports.filter(({ subscribers }) =>
    subscribers.some((each) => each.toLowerCase() === address.toLowerCase()),
  );
  if (configured.length > 0) return refuseConfigured(configured.map(({ name }) => name));
  const question = `Remove everything that is stored about ${address}? This cannot be undone.`;
  if (!(await confirm(question, { yes }))) return done({ forgotten: false }, ['Nothing was done.']);
  await recordOperation(target, 'addresses', { what: 'forget-address' });
  const progress = createProgress();
  const { items, keptHash, waiting } = await erase(target, address, {
    now: Date.now(),
    onProgress: (seen) => progress.say(`Reading the ledger: ${seen} items so far …`),
  });
  progress.end();
  const hash = keptHash ? ['A keyed hash stays, so that it gets no mail: it had unsubscribed or was suppressed.'] : [];
  const rows =
    waiting === 0
      ? []
      : [
          `Rows of messages that may or may not have been sent: ${waiting}. They keep their keys until SES's events say so, for seven days at most.`,
        ];
  const found =
    items === 0 ? 'Nothing was stored about it.' : `Forgotten: ${count(items, 'item')} of the ledger contained it.`;
  const files = await findFilesWith(target, address);
  const mails = files.length === 0 ? [] : [`These files still contain it. Delete them: ${files.join(', ')}`];
  const lines = [found, ...hash, ...rows, ...mails];
  return done({ forgotten: true, items, keptHash }, lines);
}

function refuseConfigured(reports: string[]): CommandResult {
  const names = reports.map((name) => `"${name}"`).join(', ');
  const line = `It is a configured subscriber of ${names}: remove it from cdk.json and deploy, then forget it.`;
  return { json: { forgotten: false, configured: reports }, lines: [line], code: exitCodes.noDigest };
}
