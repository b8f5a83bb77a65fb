import { count } from '../../../functions/domain/wording.ts';
import type { Digest, Missing } from '../../../functions/domain/digest.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { runName } from '../../../functions/domain/period.ts';
import { readDigest } from '../../../functions/ledger/runs/digests.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { failureOf } from '../../../functions/run/failure.ts';
import { failedReceipt, readReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { exitCodes, sayInstant } from '../command-line/answer.ts';
import type { TriggerOutcome } from '../targets/target.ts';

/** The receipt and the digest of a run. */
export interface RunOutcome {
  receipt: Receipt;
  digest: Digest | null;
}

/** What the ledger has of a run at `now`, in epoch milliseconds. */
export async function readOutcome(table: Table, run: Run, now = Date.now()): Promise<RunOutcome> {
  const stored = run.digest === undefined ? null : (await readDigest(table, run.run, run.digest)).digest;
  // Its report may have another name since.
  const digest = stored && { ...stored, report: run.report };
  return { receipt: await readReceipt(table, run, now), digest };
}

/** What became of a report's run whose execution has ended so: where that failed, the run did, whatever it was before. */
export async function readEnded(
  table: Table,
  report: { name: string },
  { period }: Due,
  ended: TriggerOutcome,
): Promise<RunOutcome & { run: Run | null }> {
  const run = await readRun(table, report.name, period);
  if (run === null) {
    const failure = ended.status === 'failed' ? ended.failure : failureOf(null);
    const receipt = failedReceipt({ run: runName(report.name, period), report: report.name, period }, failure);
    return { run, receipt, digest: null };
  }
  const { receipt, digest } = await readOutcome(table, run);
  if (ended.status === 'succeeded') return { run, receipt, digest };
  return { run, receipt: { ...receipt, state: 'failed', error: ended.failure }, digest };
}

/**
 * The exit code of a run, the first that applies: 1 where there is no digest, the receipt does not balance, or every
 * attempt to send failed; 2 where something was unavailable, the run is held, or a message failed, is unknown or left
 * for later; 0 otherwise, skipped and nothing left to send included. In a run that is kept, the messages that are left were
 * not asked for: a dry run sends none, and --to sends its own.
 */
export function exitCodeOf(receipt: Receipt, digest: Digest | null): number {
  const { balance, error } = receipt;
  const attempted = balance.failed > 0 || error !== undefined;
  if (digest === null || !balance.balanced || receipt.state === 'failed') return exitCodes.noDigest;
  if (attempted && balance.sentNow === 0 && balance.sent === 0 && balance.unknown === 0) return exitCodes.noDigest;
  const left = receipt.state !== 'kept' && balance.planned > 0;
  const unclear = balance.failed > 0 || balance.unknown > 0 || balance.held > 0 || left;
  return unclear || digest.missing.length > 0 || receipt.state === 'held' ? exitCodes.incomplete : exitCodes.done;
}

/** What became of a run, where the state in its receipt is no word for readers. */
const stateInWords: Partial<Record<Receipt['state'], string>> = { kept: 'digest stored, some messages not sent yet' };

/** What would become of the run of a dry run. */
const stateOfDryRun: Partial<Record<Receipt['state'], string>> = {
  kept: 'ready to be sent',
  held: 'ready to be sent, but its settings would hold it',
};

/** The lines that are printed when a run has ended, or a dry run of it. */
export function summarize(receipt: Receipt, digest: Digest | null, { dryRun = false } = {}): string[] {
  const lines: string[] = [];
  const states = dryRun ? stateOfDryRun : stateInWords;
  const { balance } = receipt;
  const requests = countRequests(receipt.coverage);
  lines.push(`Run ${receipt.run}: ${states[receipt.state] ?? receipt.state}. Period ${sayPeriod(receipt.period)}.`);
  if (receipt.error !== undefined) lines.push(receipt.error.message);
  if (digest !== null) {
    const { deliveries, totals, missing } = digest;
    lines.push(
      `The digest covers ${count(deliveries.length, 'delivery', 'deliveries')}, ${figure(totals.deliveries)} of them new: ` +
        `views ${figure(totals.seen)}, responses ${figure(totals.responded)} (${count(requests, 'request', 'requests')} to the service).`,
    );
    if (missing.length > 0) lines.push(`Not available: ${describeMissing(missing)}; see "missing" in digest.json.`);
  }
  const outcomes = (['sent', 'failed', 'unknown', 'suppressed', 'unsubscribed', 'held', 'skipped', 'planned'] as const)
    .filter((outcome) => balance[outcome] > 0)
    .map((outcome) => `${balance[outcome]} ${outcome}`);
  lines.push(
    `Messages: ${balance.intended} intended, ${outcomes.join(', ') || 'none with an outcome'}; ${balance.sentNow} sent now.`,
  );
  if (!balance.balanced) lines.push('The receipt does not balance: some subscribers are unaccounted for.');
  if (receipt.state === 'held' && !dryRun) lines.push('The messages are held until an operator releases them.');
  return lines;
}

/** From when to when, by the period's own clock: "2026-11-09 00:00 to 2026-11-16 00:00 Europe/London". */
function sayPeriod({ start, end, timeZone }: Receipt['period']): string {
  return `${sayInstant(start, timeZone).slice(0, 'YYYY-MM-DD HH:MM'.length)} to ${sayInstant(end, timeZone)}`;
}

/** What is missing in words, grouped: "2 deliveries gone (410), 1 broadcast failed (500)". */
function describeMissing(missing: readonly Missing[]): string {
  const groups = Map.groupBy(missing, ({ what, reason, status = '' }) => `${what} ${reason} ${status}`);
  return [...groups.values()]
    .flatMap((things) => {
      const [first] = things;
      if (first === undefined) return [];
      const { what, reason, status } = first;
      const noun = things.length === 1 ? nouns[what].one : nouns[what].many;
      return `${things.length} ${noun} ${reason.replaceAll('-', ' ')}${status === undefined ? '' : ` (${status})`}`;
    })
    .join(', ');
}

const nouns = {
  deliveries: { one: 'list of deliveries', many: 'lists of deliveries' },
  delivery: { one: 'delivery', many: 'deliveries' },
  broadcast: { one: 'broadcast', many: 'broadcasts' },
  content: { one: 'content item', many: 'content items' },
  ratings: { one: 'rating breakdown', many: 'rating breakdowns' },
} as const satisfies Record<Missing['what'], { one: string; many: string }>;

function figure(value: number | null): string {
  return value === null ? 'not known' : String(value);
}
