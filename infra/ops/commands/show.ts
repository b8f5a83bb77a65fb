import type { CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { command, readLedger } from '../command-line/command.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import { describeMessage, viewMessages } from '../runs/message-view.ts';
import { findMailOfRun } from '../runs/local-mails.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
import { lookUpRun } from '../targets/look-up.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function defineShow(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'show <RUN>',
    'one run: receipt, gaps, figures, errors, and the mail',
    'show weekly_2026-11-09 --messages',
  )
    .option('--messages', 'list the messages with their addresses', false)
    .option('--no-view', 'do not show the mail in the browser')
    .action(async (run: string, flags: PlaceFlags & { messages: boolean; view: boolean }) => {
      const view = flags.view && !flags.json && process.stdout.isTTY;
      await show(flags, run, { messages: flags.messages, view }, print);
    });
}

/** Prints the answer, then opens the mail in the browser until Ctrl-C; the ledger is closed by then. */
async function show(
  flags: PlaceFlags,
  run: string,
  options: { messages: boolean; view: boolean },
  print: PrintAnswer,
): Promise<void> {
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
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await view.close();
}

/** The answer to `show`, and the view of the mail that may follow it. */
interface ShowAnswer {
  answer: CommandResult;
  /** Opens the mail in the browser, which needs no ledger; `null` where there is nothing to open. */
  openView: (() => Promise<Loopback>) | null;
}

/**
 * One run: its receipt, gaps, figures and errors, and what operators did. With `messages` also every message with what SES
 * reported of it, with `view` the mail in the browser.
 */
export async function showCommand(
  target: LedgerTarget,
  name: string,
  options: { messages: boolean; view: boolean },
): Promise<ShowAnswer> {
  const { configuration } = target;
  const record = await readRunRecord(target, await lookUpRun(target, name), Date.now());
  const { json, lines } = presentRun(record);
  const messages = options.messages ? await viewMessages(target.table, record.receipt) : null;
  const answer = {
    json: messages === null ? json : { ...json, messages },
    lines: [
      ...lines,
      ...(messages ?? []).map(describeMessage),
      ...(options.view ? [] : findMailOfRun(target, record.run.run)),
    ],
    code: 0,
  };
  const { digest } = record;
  if (!options.view || digest === null) return { answer, openView: null };
  const openView = async (): Promise<Loopback> => {
    const { openMailView } = await import('../runs/mail-view.ts');
    return await openMailView(configuration, digest);
  };
  return { answer, openView };
}
