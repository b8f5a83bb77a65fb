import * as v from 'valibot';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import { newestOf } from '../../../functions/ledger/newest.ts';
import { namesFor } from '../../../functions/domain/report-names.ts';
import type { LedgerTarget } from '../targets/target.ts';

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
export interface WithheldAddress {
  /** `null` where the ledger has only its hash, and nothing else that shows the address. */
  address: string | null;
  why: 'bounce' | 'complaint' | 'unsubscribed';
  /** The report that was left; `null` where the address gets no mail at all. */
  report: string | null;
  since: string;
}

/** A record that an address left a report or came back, under one of the report's names. */
interface Choice {
  key: string;
  /** The present name. */
  report: string;
  left: boolean;
  at: string;
}

/** The last choice counts. */
function entryOf(choices: readonly Choice[]): Array<WithheldAddress & { key: string }> {
  const last = newestOf(choices);
  if (last === undefined || !last.left) return [];
  return [{ key: last.key, address: null, why: 'unsubscribed', report: last.report, since: last.at }];
}

/** Reads the whole ledger for the addresses that get no mail. */
export async function readWithheldAddresses(
  { scan, configuration }: LedgerTarget,
  onProgress: (items: number) => void,
): Promise<{ withheld: WithheldAddress[]; forgotten: number }> {
  const known = new Map<string, string>();
  for (const { subscribers } of configuration.reports)
    for (const each of subscribers) known.set(addressKey(each), each);
  const entries: Array<WithheldAddress & { key: string }> = [];
  const choices = new Map<string, Choice[]>();
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
    if (v.is(suppressed, item)) {
      const why = item.reason === 'complaint' ? 'complaint' : 'bounce';
      entries.push({ key: addressKey(item.address), address: item.address, why, report: null, since: item.at });
    }
    if (v.is(unsubscribed, item)) {
      const key = item.pk.slice('ADDRESS#'.length);
      const { name: report } = namesFor(configuration.reports, item.report);
      const ofReport = choices.get(`${key} ${report}`) ?? [];
      choices.set(`${key} ${report}`, [...ofReport, { key, report, left: item.left, at: item.at }]);
    }
  }
  entries.push(...[...choices.values()].flatMap(entryOf));
  const withheld = entries
    .map(({ key, address, why, report, since }) => ({ address: address ?? known.get(key) ?? null, why, report, since }))
    .toSorted((a, b) => (a.address ?? '~').localeCompare(b.address ?? '~') || a.why.localeCompare(b.why));
  return { withheld, forgotten };
}
