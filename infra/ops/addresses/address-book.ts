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
interface WithheldAddress {
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

/** An entry with the key of its address, which other items may hold. */
type Entry = WithheldAddress & { key: string };

/** Reads the whole ledger for the addresses that get no mail. */
export async function readWithheldAddresses(
  { scan, configuration }: LedgerTarget,
  onProgress: (items: number) => void,
): Promise<{ withheld: WithheldAddress[]; forgotten: number }> {
  const known = new Map<string, string>();
  for (const { subscribers } of configuration.reports)
    for (const each of subscribers) known.set(addressKey(each), each);
  const suppressions: Entry[] = [];
  const choices: Choice[] = [];
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
    if (v.is(suppressed, item)) suppressions.push(entryOfSuppression(item));
    if (v.is(unsubscribed, item)) {
      const { name: report } = namesFor(configuration.reports, item.report);
      choices.push({ key: item.pk.slice('ADDRESS#'.length), report, left: item.left, at: item.at });
    }
  }
  const byReport = Map.groupBy(choices, ({ key, report }) => `${key} ${report}`);
  const withheld = [...suppressions, ...[...byReport.values()].flatMap(entryOfChoices)]
    .map(({ key, address, why, report, since }) => ({ address: address ?? known.get(key) ?? null, why, report, since }))
    .toSorted((a, b) => (a.address ?? '~').localeCompare(b.address ?? '~') || a.why.localeCompare(b.why));
  return { withheld, forgotten };
}

function entryOfSuppression({ address, reason, at }: v.InferOutput<typeof suppressed>): Entry {
  const why = reason === 'complaint' ? 'complaint' : 'bounce';
  return { key: addressKey(address), address, why, report: null, since: at };
}

/** The last of an address's choices about one report counts. */
function entryOfChoices(choices: readonly Choice[]): Entry[] {
  const last = newestOf(choices);
  if (last === undefined || !last.left) return [];
  return [{ key: last.key, address: null, why: 'unsubscribed', report: last.report, since: last.at }];
}
