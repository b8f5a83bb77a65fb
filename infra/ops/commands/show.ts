import type { CommandResult } from '../command-line/answer.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { findRun } from '../targets/find.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
import { describeMessage, viewMessages } from '../runs/message-view.ts';

/** The answer to `show`, and the view of the mail that may follow it. */
export interface Shown {
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
): Promise<Shown> {
  const { configuration } = target;
  const record = await readRunRecord(target, await findRun(target, name));
  const { json, lines } = presentRun(record);
  const messages = options.messages ? await viewMessages(target.table, record.receipt) : null;
  const answer = {
    json: messages === null ? json : { ...json, messages },
    lines: [...lines, ...(messages ?? []).map(describeMessage)],
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
