import { join } from 'node:path';
import type { Options } from '../command-line/flags.ts';
import { sayInstant } from './instants.ts';
import { summarize } from './outcome.ts';
import type { RunOutcome } from './run-outcome.ts';

/** A run that `npm start` has ended. */
export interface EndedRun extends RunOutcome {
  /** Whether its digest was stored by an earlier trigger: then the service was not asked. */
  storedBefore: boolean;
  /** What operators should know of the ledger, as lines. */
  openMatters: string[];
}

/** The lines that `npm start` prints when a run has ended: what became of it, and where everything is. */
export function describeEnd(options: Pick<Options, 'out' | 'dryRun' | 'awsEndpoint'>, ended: EndedRun): string[] {
  const { receipt, digest, storedBefore } = ended;
  const { balance, state } = receipt;
  const lines = summarize(receipt, digest, options);
  const fresh =
    'add --dry-run (nothing is sent), or give another --at, or begin with an empty ledger: another --state folder or emulator.';
  if (digest !== null && storedBefore) {
    lines.push(
      `The digest was stored earlier, on ${sayInstant(digest.collectedAt, digest.period.timeZone)}; the service was not asked again.`,
    );
    if (state === 'done' && balance.sentNow === 0 && balance.intended > 0) lines.push('Nothing is left to send.');
    lines.push(`To see a fresh one, ${fresh}`);
  }
  lines.push(...ended.openMatters);
  const inFolder = `in ${options.out}/`;
  const files = digest === null ? 'receipt.json is' : 'digest.json and receipt.json are';
  if (options.dryRun) {
    const messages = receipt.messages.length - balance.suppressed - balance.unsubscribed;
    lines.push('This was a dry run: nothing was sent, and the ledger is unchanged.');
    if (digest !== null && messages > 0)
      lines.push(`The messages that would be sent: open ${join(options.out, 'planned/latest.html')}`);
    return [...lines, `${files} ${inFolder}`];
  }
  if (options.awsEndpoint !== undefined && balance.sent > 0) {
    lines.push(`The mails are in the AWS emulator at ${options.awsEndpoint}: receipt.json has their ids.`);
    return [...lines, `${files} ${inFolder}`];
  }
  if (balance.sent === 0) return [...lines, `${files} ${inFolder}`];
  return [...lines, `The mails, ${files} ${inFolder}`, `To see the mail, open ${join(options.out, 'latest.html')}`];
}
