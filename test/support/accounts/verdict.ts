import type { Digest } from '../../../functions/digest.ts';
import type { Account } from './account.ts';
import { faultsOfDigest } from './compare-digest.ts';
import { faultsOfCsv } from './compare-csv.ts';
import { faultsOfMail } from './compare-mail.ts';
import { knownOf, type Known } from './oracle.ts';
import type { Outcome } from './pipeline.ts';

/** Everything in which an outcome differs from what can be known of the account, a sentence each. */
export function faultsOf(account: Account, outcome: Outcome): string[] {
  const known = knownOf(account);
  if ('failure' in outcome) return known.digest === 'yes' ? [`digest: there is none: ${outcome.failure}`] : [];
  if (known.digest === 'no') return ['digest: there is one without a list of deliveries'];
  const { digest, mail } = outcome;
  const settled = settle(known, digest);
  return [
    ...faultsOfDigest(settled, digest),
    ...faultsOfCsv(settled, digest, mail.csv?.content ?? null),
    ...faultsOfMail(settled, digest, mail),
  ];
}

/** Where more than one answer is true, the one that the digest gave. */
function settle(known: Known, digest: Digest): Known {
  const saysTooShort = digest.missing.some(({ reason }) => reason === ('list-too-short' as string));
  if (known.listTooShort !== 'maybe' || !saysTooShort) return known;
  const deliveries = [...(known.missing.get('deliveries') ?? []), { reason: 'list-too-short' }];
  return { ...known, totals: null, previous: null, missing: new Map([...known.missing, ['deliveries', deliveries]]) };
}
