import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import { liftForgotten } from '../../../functions/ledger/addresses/forgotten.ts';
import { resubscribe } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { forget, readRefusals } from '../addresses/forget.ts';
import { count } from '../../../functions/domain/wording.ts';
import { columns, done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { findFilesWith } from '../runs/outbox.ts';
import { confirm, readWhole, recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Lists the addresses that get no mail, with why and since when. */
export async function listAddresses(target: LedgerTarget): Promise<CommandResult> {
  const { withheld, forgotten } = await readWithheldAddresses(target);
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
  const { suppression, left, forgotten } = await readRefusals(target.table, address);
  const reasons = [
    ...(suppression === null ? [] : [`suppressed by a ${suppression.reason} since ${sayInstant(suppression.at)}`]),
    ...left.map((report) => `unsubscribed from ${report}`),
    ...(forgotten.suppressed === undefined ? [] : [`suppressed by a ${forgotten.suppressed}, then forgotten`]),
    ...forgotten.unsubscribed.map((report) => `unsubscribed from ${report}, then forgotten`),
  ];
  const withheldBy = reasons.join(', ') || 'not suppressed here';
  const question = `${address} is ${withheldBy}. Let it get mail again, here and on the account's SES list?`;
  if (!(await confirm(question, { yes }))) return done({ lifted: false }, ['Nothing was done.']);
  await recordOperation(target, 'addresses', { what: 'lift-address', detail: withheldBy });
  await target.table.remove({ pk: `ADDRESS#${addressKey(address)}`, sk: 'SUPPRESSED' });
  const now = Temporal.Now.instant().toString();
  for (const report of left) await resubscribe(target.table, addressKey(address), { name: report }, now);
  await liftForgotten(target.table, address);
  const fromAccount = await target.liftFromAccount(address);
  const lines = [
    reasons.length === 0 ? `${address} is not suppressed here.` : `${address} gets mail again. It was ${withheldBy}.`,
    fromAccount === null
      ? 'A local system has no SES list.'
      : fromAccount
        ? "It was removed from the account's SES list."
        : "It was not on the account's SES list.",
  ];
  return done({ lifted: reasons.length > 0, liftedFromAccount: fromAccount }, lines);
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
  if (configured.length > 0) {
    const names = configured.map(({ name }) => name);
    const line = `It is a configured subscriber of ${names.map((name) => `"${name}"`).join(', ')}: remove it from cdk.json and deploy, then forget it.`;
    return { json: { forgotten: false, configured: names }, lines: [line], code: exitCodes.noDigest };
  }
  const question = `Remove everything that is stored about ${address}? This cannot be undone.`;
  if (!(await confirm(question, { yes }))) return done({ forgotten: false }, ['Nothing was done.']);
  await recordOperation(target, 'addresses', { what: 'forget-address' });
  const { items, keptHash, waiting } = await forget(target, address);
  const found =
    items === 0 ? 'Nothing was stored about it.' : `Forgotten: ${count(items, 'item')} of the ledger contained it.`;
  const hash = 'A keyed hash stays, so that it gets no mail: it had unsubscribed or was suppressed.';
  const rows = `Rows of messages that may or may not have been sent: ${waiting}. They keep their keys until SES's events say so, for seven days at most.`;
  const files = await findFilesWith(target.outbox, address);
  return done({ forgotten: true, items, keptHash }, [
    found,
    ...(keptHash ? [hash] : []),
    ...(waiting > 0 ? [rows] : []),
    ...(files.length > 0 ? [`These files still contain it. Delete them: ${files.join(', ')}`] : []),
  ]);
}

const ofAddress = v.pipe(v.string(), v.startsWith('ADDRESS#'));
const at = v.string();
const suppressionSchema = v.object({ pk: ofAddress, sk: v.literal('SUPPRESSED'), reason: v.string(), at });
const leftSchema = v.object({
  pk: ofAddress,
  sk: v.pipe(v.string(), v.startsWith('UNSUBSCRIBED#')),
  report: v.string(),
  left: v.literal(true),
  at,
});
const forgottenSchema = v.object({ pk: v.literal('ADDRESS#FORGOTTEN'), sk: v.pipe(v.string(), v.startsWith('HASH#')) });
const addressedSchema = v.union([v.object({ address: v.string() }), v.object({ to: v.string() })]);

/**
 * Reads the whole ledger for the addresses that get no mail. An address is `null` where the ledger has only its hash, and nothing
 * else that shows it; a report where the address gets no mail at all.
 */
async function readWithheldAddresses(target: LedgerTarget) {
  const configured = target.configuration.reports.flatMap(({ subscribers }) => subscribers);
  const known = new Map(configured.map((address) => [addressKey(address), address]));
  const entries: Array<{ key: string; why: string; report: string | null; since: string }> = [];
  let forgotten = 0;
  for await (const item of readWhole(target)) {
    if (v.is(forgottenSchema, item)) forgotten += 1;
    if (v.is(addressedSchema, item)) {
      const address = 'address' in item ? item.address : item.to;
      known.set(addressKey(address), address);
    }
    if (v.is(suppressionSchema, item)) {
      const why = item.reason === 'complaint' ? 'complaint' : 'bounce';
      entries.push({ key: item.pk.slice('ADDRESS#'.length), why, report: null, since: item.at });
    }
    if (v.is(leftSchema, item)) {
      const { pk, report, at: since } = item;
      entries.push({ key: pk.slice('ADDRESS#'.length), why: 'unsubscribed', report, since });
    }
  }
  const withheld = entries
    .map(({ key, why, report, since }) => ({ address: known.get(key) ?? null, why, report, since }))
    .toSorted((a, b) => (a.address ?? '~').localeCompare(b.address ?? '~') || a.why.localeCompare(b.why));
  return { withheld, forgotten };
}
