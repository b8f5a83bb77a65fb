import { join } from 'node:path';
import type { Digest } from '../../../functions/domain/digest.ts';
import { reportByName } from '../../../functions/domain/report-names.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { linkToPageOf } from '../../local/pages/page-link.ts';
import type { CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { command, readLedger } from '../command-line/command.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import { describeMessage, viewMessages } from '../runs/message-view.ts';
import { describeFile, findMailOfRun } from '../runs/local-mails.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
import { lookUpRun } from '../targets/look-up.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function defineShow(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'show <RUN>',
    'one run: receipt, gaps, figures, errors, and the mail',
    'show weekly_2026-W46 --messages',
  )
    .option('--messages', 'list the messages with their addresses', false)
    .option('--no-view', 'do not show the mail in the browser')
    .action(async (run: string, flags: PlaceFlags & { messages: boolean; view: boolean }) => {
      const view = flags.view && !flags.json && process.stdout.isTTY;
      await show(flags, run, { messages: flags.messages, view, write: !view && !flags.json }, print);
    });
}

/** Prints the answer, then opens the mail and its page in the browser until Ctrl-C; the ledger is closed by then. */
async function show(flags: PlaceFlags, run: string, options: ShowOptions, print: PrintAnswer): Promise<void> {
  let openView: ShowAnswer['openView'] = null;
  const work = async (target: LedgerTarget): Promise<CommandResult> => {
    const shown = await showCommand(target, run, options);
    openView = shown.openView;
    return shown.answer;
  };
  await readLedger(flags, work, print);
  await viewUntilInterrupted(openView);
}

async function viewUntilInterrupted(openView: ShowAnswer['openView']): Promise<void> {
  if (openView === null) return;
  const view = await openView();
  process.stderr.write(`See the mail at ${view.url} (Ctrl-C ends)\n`);
  if (view.page !== null) process.stderr.write(`See its page at ${view.page}\n`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await view.close();
}

/** A run's mail in the browser, with the link to its page. */
interface RunView extends Loopback {
  page: string | null;
}

interface ShowOptions {
  messages: boolean;
  /** Whether the mail follows in the browser. */
  view: boolean;
  /** Whether the mail of a local run is written to the outbox where it is not there, for whoever has no browser here. */
  write?: boolean;
}

/** The answer to `show`, and the view of the mail that may follow it. */
interface ShowAnswer {
  answer: CommandResult;
  /** Opens the mail in the browser, which needs no open ledger; `null` where there is nothing to open. */
  openView: (() => Promise<RunView>) | null;
}

/**
 * One run: its receipt, gaps, figures and errors, what operators did, and the link to the page of its digest. With `messages`
 * also every message with what SES reported of it, with `view` the mail in the browser.
 */
export async function showCommand(target: LedgerTarget, name: string, options: ShowOptions): Promise<ShowAnswer> {
  const run = await lookUpRun(target, name);
  const record = await readRunRecord(target, run, Date.now());
  const { json, lines } = presentRun(record);
  const messages = options.messages ? await viewMessages(target.table, record.receipt) : null;
  const page = await describePage(target, run);
  const { view, write = false } = options;
  const mail = await describeMail(target, record, { page: page.link, view, write });
  const answer = {
    json: { ...json, page: page.link, ...(messages === null ? {} : { messages }) },
    lines: [
      ...lines,
      ...page.lines,
      ...(messages ?? []).map((message) => describeMessage(message, run.period.timeZone)),
      ...mail,
    ],
    code: 0,
  };
  const { digest } = record;
  const isOpened = view && digest !== null && hasReportOf(target, digest);
  return { answer, openView: isOpened ? () => openRunView(target, { run, digest, page: page.link }) : null };
}

/**
 * Which file of the outbox has the mail of a local run, as it was sent, or as it would be sent: then it is written there.
 * Nothing of a mail that is shown in the browser; why a mail is not shown, where there is no report to render it with.
 */
async function describeMail(
  target: LedgerTarget,
  { run, receipt, digest }: { run: Run; receipt: Receipt; digest: Digest | null },
  { page, view, write }: { page: string | null; view: boolean; write: boolean },
): Promise<string[]> {
  const isRendered = digest === null || hasReportOf(target, digest);
  if (view && isRendered) return [];
  const sent = findMailOfRun(target, receipt);
  const { outbox, configuration } = target;
  if (sent.length > 0 || digest === null) return sent;
  if (!isRendered) return [`The mail is not shown: there is no report "${digest.report}" any more.`];
  if (outbox === undefined || !write) return [];
  const { writeMail } = await import('../runs/mail-view.ts');
  return [describeFile(await writeMail(join(outbox, `${run.run}.html`), configuration, { digest, page }))];
}

/** Whether the configuration still has the report that a digest is of, with which its mail is rendered. */
function hasReportOf({ configuration }: LedgerTarget, { report }: Digest): boolean {
  return reportByName(configuration.reports, report) !== undefined;
}

/** The link to the page of a run's digest; `null` where there is none, or AWS does not allow the operator to make it. */
async function describePage(target: LedgerTarget, run: Run): Promise<{ link: string | null; lines: string[] }> {
  if (run.digest === undefined) return { link: null, lines: [] };
  try {
    const place = await target.readPagePlace();
    const link = place === null ? null : await linkToPageOf(run, place, lifeOf(target));
    return { link, lines: link === null ? [] : [`Its page, for whoever has the link: ${link}`] };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return { link: null, lines: [`The link to its page was not made: AWS does not allow you to (${error.name}).`] };
  }
}

async function openRunView(
  target: LedgerTarget,
  { run, digest, page }: { run: Run; digest: Digest; page: string | null },
): Promise<RunView> {
  const { openMailView } = await import('../runs/mail-view.ts');
  const { configuration, servePages } = target;
  await using open = new AsyncDisposableStack();
  const pages = servePages === null ? null : open.adopt(await servePages(), (each) => each.close());
  const link = pages === null ? page : await linkToPageOf(run, pages.place, lifeOf(target));
  const mail = open.adopt(await openMailView(configuration, { digest, page: link }), (each) => each.close());
  const both = open.move();
  return { url: mail.url, page: link, close: () => both.disposeAsync() };
}

function lifeOf({ configuration }: LedgerTarget): { days: number; now: Date } {
  return { days: configuration.mail.pageDays, now: new Date() };
}
