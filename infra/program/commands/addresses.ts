import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { addressKey, readSuppression } from '../../../functions/ledger/addresses/addresses.ts';
import { liftForgotten, readForgotten, type ForgottenFacts } from '../../../functions/ledger/addresses/forgotten.ts';
import { readUnsubscriptions, resubscribe } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { erase } from '../addresses/erase.ts';
import { count } from '../../../functions/domain/wording.ts';
import { columns, done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { createProgress } from '../command-line/progress.ts';
import { findFilesWith } from '../runs/outbox.ts';
import { confirm, recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

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
  address: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const reasons = await reasonsOf(target, address);
  const withheldBy = reasons.sentences.join(', ') || 'not suppressed here';
  const question = `${address} is ${withheldBy}. Let it get mail again, here and on the account's SES list?`;
  if (!(await confirm(question, { yes }))) return done({ lifted: false }, ['Nothing was done.']);
  await recordOperation(target, 'addresses', { what: 'lift-address', detail: withheldBy });
  await target.table.remove({ pk: `ADDRESS#${addressKey(address)}`, sk: 'SUPPRESSED' });
  const now = Temporal.Now.instant().toString();
  for (const report of reasons.left) await resubscribe(target.table, addressKey(address), { name: report }, now);
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
  { table }: LedgerTarget,
  address: string,
): Promise<{ sentences: string[]; left: readonly string[] }> {
  const suppression = await readSuppression(table, address);
  const left = await readUnsubscriptions(table, addressKey(address));
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
  address: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
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
  const files = await findFilesWith(target.outbox, address);
  const mails = files.length === 0 ? [] : [`These files still contain it. Delete them: ${files.join(', ')}`];
  const lines = [found, ...hash, ...rows, ...mails];
  return done({ forgotten: true, items, keptHash }, lines);
}

function refuseConfigured(reports: string[]): CommandResult {
  const names = reports.map((name) => `"${name}"`).join(', ');
  const line = `It is a configured subscriber of ${names}: remove it from cdk.json and deploy, then forget it.`;
  return { json: { forgotten: false, configured: reports }, lines: [line], code: exitCodes.noDigest };
}

const suppressed = v.object({ sk: v.literal('SUPPRESSED'), address: v.string(), reason: v.string(), at: v.string() });
const unsubscribed = v.object({
  pk: v.pipe(v.string(), v.startsWith('ADDRESS#')),
  sk: v.pipe(v.string(), v.startsWith('UNSUBSCRIBED#')),
  report: v.string(),
  left: v.boolean(),
  at: v.string(),
});
const forgottenHash = v.object({ pk: v.literal('ADDRESS#FORGOTTEN'), sk: v.pipe(v.string(), v.startsWith('HASH#')) });
const addressed = v.union([v.object({ address: v.string() }), v.object({ to: v.string() })]);

/** An address that gets no mail. */
interface WithheldAddress {
  /** `null` where the ledger has only its hash, and nothing else that shows the address. */
  address: string | null;
  why: 'bounce' | 'complaint' | 'unsubscribed';
  /** The report that was left; `null` where the address gets no mail at all. */
  report: string | null;
  since: string;
}

/** An entry with the key of its address, which other items may hold. */
type Entry = WithheldAddress & { key: string };

/** Reads the whole ledger for the addresses that get no mail. */
async function readWithheldAddresses(
  { scan, configuration }: LedgerTarget,
  onProgress: (items: number) => void,
): Promise<{ withheld: WithheldAddress[]; forgotten: number }> {
  const known = new Map<string, string>();
  for (const { subscribers } of configuration.reports)
    for (const each of subscribers) known.set(addressKey(each), each);
  const entries: Entry[] = [];
  let forgotten = 0;
  let items = 0;
  for await (const item of scan()) {
    items += 1;
    if (items % 1_000 === 0) onProgress(items);
    if (v.is(forgottenHash, item)) forgotten += 1;
    if (v.is(addressed, item)) {
      const address = 'address' in item ? item.address : item.to;
      known.set(addressKey(address), address);
    }
    if (v.is(suppressed, item)) entries.push(entryOfSuppression(item));
    if (v.is(unsubscribed, item) && item.left) {
      const { pk, report, at } = item;
      entries.push({ key: pk.slice('ADDRESS#'.length), address: null, why: 'unsubscribed', report, since: at });
    }
  }
  const withheld = entries
    .map(({ key, address, why, report, since }) => ({ address: address ?? known.get(key) ?? null, why, report, since }))
    .toSorted((a, b) => (a.address ?? '~').localeCompare(b.address ?? '~') || a.why.localeCompare(b.why));
  return { withheld, forgotten };
}

function entryOfSuppression({ address, reason, at }: v.InferOutput<typeof suppressed>): Entry {
  const why = reason === 'complaint' ? 'complaint' : 'bounce';
  return { key: addressKey(address), address, why, report: null, since: at };
}
