import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { createPageLinks } from '../../../functions/signed-links/links.ts';

/** Where the pages behind mails are, and the secret that links to them are made under. */
export interface PagePlace {
  /** Without a slash at its end. */
  url: string;
  secret: string;
}

/** The link to the page of a run's stored digest, good for `days` from `now`; `null` where the run has no digest. */
export async function linkToPageOf(
  { run, digest }: Pick<Run, 'run' | 'digest'>,
  place: PagePlace,
  { days, now }: { days: number; now: Date },
): Promise<string | null> {
  return digest === undefined ? null : await createPageLinks({ ...place, days, now })(run, digest);
}
