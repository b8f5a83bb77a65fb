import type { Account } from './account.ts';
import { faultsOfDigest } from '../oracle/compare/digest.ts';
import { faultsOfCsv } from '../oracle/compare/csv.ts';
import { faultsOfMail } from '../oracle/compare/mail.ts';
import { knownOf } from '../oracle/known.ts';
import type { PipelineOutcome } from './pipeline.ts';

/** Everything in which an outcome differs from what can be known of the account, a sentence each. */
export function faultsOfAccount(account: Account, outcome: PipelineOutcome): string[] {
  const known = knownOf(account);
  if ('failure' in outcome) return known.digest === 'yes' ? [`digest: there is none: ${outcome.failure}`] : [];
  if (known.digest === 'no') return ['digest: there is one without a list of deliveries'];
  const { digest, mail } = outcome;
  return [
    ...faultsOfDigest(known, digest),
    ...faultsOfCsv(known, digest, mail.csv?.content ?? null),
    ...faultsOfMail(known, digest, mail),
  ];
}
