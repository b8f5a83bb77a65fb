import type { Digest } from '../../../functions/domain/digest.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';

/** The exit codes of a run. */
export const exitCodes = { done: 0, noDigest: 1, incomplete: 2, usage: 64 } as const;

/**
 * The exit code of a run, the first that applies: 1 where there is no digest, the receipt does not balance, or every
 * attempt to send failed; 2 where something was unavailable, the run is held, or a message failed, is unknown or left
 * for later; 0 otherwise, skipped and nothing left to send included.
 */
export function exitCodeOf(receipt: Receipt, digest: Digest | null, dryRun: boolean): number {
  const { balance, error } = receipt;
  const attempted = balance.failed > 0 || error !== undefined;
  if (digest === null || !balance.balanced || receipt.state === 'failed') return exitCodes.noDigest;
  if (attempted && balance.sentNow === 0 && balance.sent === 0 && balance.unknown === 0) return exitCodes.noDigest;
  const left = !dryRun && balance.planned > 0;
  const unclear = balance.failed > 0 || balance.unknown > 0 || balance.held > 0 || left;
  return unclear || digest.missing.length > 0 || receipt.state === 'held' ? exitCodes.incomplete : exitCodes.done;
}

/** The lines that are printed when a run has ended. */
export function summarize(receipt: Receipt, digest: Digest | null, dryRun: boolean): string[] {
  const lines: string[] = [];
  const { balance } = receipt;
  const requests = Object.values(receipt.coverage.requests)
    .flatMap((byStatus) => Object.values(byStatus))
    .reduce((sum, count) => sum + count, 0);
  lines.push(
    `Run ${receipt.run}: ${receipt.state}. Period ${receipt.period.start} to ${receipt.period.end}, ${receipt.period.timeZone}.`,
  );
  if (receipt.error !== undefined) lines.push(receipt.error.message);
  if (digest !== null) {
    const { deliveries, totals, missing } = digest;
    lines.push(
      `The digest covers ${count(deliveries.length, 'delivery', 'deliveries')}: new ${figure(totals.deliveries)}, ` +
        `views ${figure(totals.seen)}, responses ${figure(totals.responded)} (${count(requests, 'request', 'requests')} to the service).`,
    );
    if (missing.length > 0)
      lines.push(`${count(missing.length, 'thing was', 'things were')} unavailable; see "missing" in digest.json.`);
  }
  const outcomes = (['sent', 'failed', 'unknown', 'suppressed', 'unsubscribed', 'held', 'skipped', 'planned'] as const)
    .filter((outcome) => balance[outcome] > 0)
    .map((outcome) => `${balance[outcome]} ${outcome}`);
  lines.push(
    `Messages: ${balance.intended} intended, ${outcomes.join(', ') || 'none with an outcome'}; ${balance.sentNow} sent now.`,
  );
  if (!balance.balanced) lines.push('The receipt does not balance: some subscribers are unaccounted for.');
  const nothingLeft = !dryRun && balance.sentNow === 0 && receipt.state === 'done' && balance.intended > 0;
  if (nothingLeft)
    lines.push(
      'Nothing is left to send. To see a fresh mail, give another --at, or begin with an empty ledger: another --state folder or emulator.',
    );
  if (receipt.state === 'held') lines.push('The messages are held until an operator releases them.');
  return lines;
}

function figure(value: number | null): string {
  return value === null ? 'not known' : String(value);
}

function count(value: number, one: string, many: string): string {
  return `${value} ${value === 1 ? one : many}`;
}
