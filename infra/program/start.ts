import { readRun } from '../../functions/ledger/runs/runs.ts';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportConfiguration } from '../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../functions/domain/schedule.ts';
import { isHeldByReport } from '../../functions/run/compose/compose.ts';
import { asPlanned, forgetRun } from '../local/dry-run.ts';
import { storing } from '../local/local-error.ts';
import { sayInstant, type CommandResult, createProgress } from './command-line/answer.ts';
import { chooseDue, chooseReport } from './command-line/choices.ts';
import { orderRun } from './runs/follow-run.ts';
import { describeOpenMatters } from './runs/open-matters.ts';
import { exitCodeOf, summarize } from './runs/outcome.ts';
import { clearLastRun, keepLatest, writeOutcome } from './runs/outbox.ts';
import { openLocalSystem } from './targets/local-system.ts';
import { placeOf, stateFolderOf, type Place } from './targets/place.ts';

/** The flags of `npm start`. */
export interface StartFlags {
  report?: string;
  at?: string;
  serviceUrl?: string;
  /** Each once; without it the configured subscribers. */
  to?: string[];
  out: string;
  state: string;
  sendRate?: number;
  /** An AWS emulator instead of the embedded parts. */
  awsEndpoint?: string;
  dryRun: boolean;
  json: boolean;
  view: boolean;
}

/** Runs one report on local parts, and shows the mails: `npm start`. The answer's data is the receipt. */
export async function start(flags: StartFlags): Promise<CommandResult> {
  const place = placeOf({ ...flags, local: true });
  const report = chooseReport(place.configuration, flags.report);
  const ended = await runOnSystem(place, report, chooseDue(report, flags.at));
  const isViewed = flags.view && process.stdout.isTTY && !flags.json && flags.awsEndpoint === undefined;
  return {
    json: ended.receipt,
    lines: describeEnd(flags, ended),
    code: exitCodeOf(ended.receipt, ended.digest),
    view: isViewed ? () => viewMails(place) : undefined,
  };
}

/**
 * Runs until the run has ended. Whether its digest was stored by an earlier trigger, so that the service was not asked, and what
 * is open in the ledger, in the words of the notices.
 */
async function runOnSystem(call: StartFlags & Place, report: ReportConfiguration, due: Due) {
  const { out, dryRun, to } = call;
  await using local = await openLocalSystem(call, { report, due }, call);
  const { table, configuration } = local;
  await storing(out, () => clearLastRun(out, call));
  const before = await readRun(table, report.name, due.period);
  if (dryRun && before !== null) await forgetRun(table, before);
  createProgress().say(`Running ${report.name} …`);
  const follow = await orderRun(local, report, due, { to });
  const ended = await follow();
  const { digest } = ended;
  const isHeld = digest !== null && isHeldByReport(report, digest);
  const receipt = dryRun ? asPlanned(ended.receipt, isHeld) : ended.receipt;
  const shown = await storing(out, async () => {
    await writeOutcome(out, { receipt, digest });
    const mails = dryRun ? join(out, 'planned') : out;
    if (dryRun) await cp(local.outbox, mails, { recursive: true });
    return await keepLatest(mails, ended.receipt.messages);
  });
  // A dry run leaves the ledger as it was: what it would have opened there is not open.
  const openMatters = dryRun ? [] : await describeOpenMatters(local, configuration.reports);
  return { receipt, digest, shown, storedBefore: !dryRun && before?.digest !== undefined, openMatters };
}

/**
 * Shows the outbox in the browser until Ctrl-C, and serves the pages that its mails link to. The state folder is in use only
 * while a page is read: another start may use it.
 */
async function viewMails(place: Place): Promise<void> {
  const { out, configuration } = place;
  const { startOutboxView } = await import('../local/viewer/outbox-view.ts');
  const { startLocalPages } = await import('../local/local-pages.ts');
  await using open = new AsyncDisposableStack();
  const pages = configuration.mail.page ? await startLocalPages(stateFolderOf(place), configuration) : null;
  open.defer(() => pages?.close());
  const view = await startOutboxView({ outDir: out, present: pages?.leadHere });
  open.defer(() => view.close());
  process.stdout.write(`See the mails at ${view.url} (Ctrl-C ends)\n`);
  await once(process, 'SIGINT');
}

/** What became of the run, and where everything is. */
function describeEnd(
  { out, dryRun, awsEndpoint }: StartFlags,
  ended: Awaited<ReturnType<typeof runOnSystem>>,
): string[] {
  const { receipt, digest, storedBefore } = ended;
  const { balance, state } = receipt;
  const lines = summarize(receipt, digest, { dryRun });
  if (digest !== null && storedBefore) {
    lines.push(
      `The digest was stored earlier, on ${sayInstant(digest.collectedAt, digest.period.timeZone)}; the service was not asked again.`,
    );
    if (state === 'done' && balance.sentNow === 0 && balance.intended > 0) lines.push('Nothing is left to send.');
    lines.push(
      'To see a fresh one, add --dry-run (nothing is sent), or give another --at, or begin with an empty ledger: another --state folder or emulator.',
    );
  }
  lines.push(...ended.openMatters);
  if (dryRun) lines.push('This was a dry run: nothing was sent, and the ledger is unchanged.');
  else if (awsEndpoint !== undefined && balance.sent > 0)
    lines.push(`The mails are in the AWS emulator at ${awsEndpoint}: receipt.json has their ids.`);
  const files = digest === null ? 'receipt.json is' : 'digest.json and receipt.json are';
  return [...lines, `${files} in ${out}/`, ...ended.shown];
}
