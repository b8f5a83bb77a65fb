import type { CommandResult } from '../command-line/answer.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { findRun } from '../find.ts';
import type { MailView } from '../mail-view.ts';
import { describeMessage, viewMessages } from '../message-view.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

/** What is shown of a run. */
export interface ShowOptions {
  answer: CommandResult;
  /** Opens its mail in the browser, which needs no ledger; `null` where there is none to show. */
  openView: (() => Promise<MailView>) | null;
}

/**
 * One run: its receipt, gaps, figures and errors, and what operators did. With `messages` also every message with what SES
 * reported of it, with `view` the mail in the browser.
 */
export async function showCommand(
  target: LedgerTarget,
  name: string,
  options: { messages: boolean; view: boolean },
): Promise<ShowOptions> {
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
  const openView = async (): Promise<MailView> => {
    const { openMailView } = await import('../mail-view.ts');
    return await openMailView(configuration, digest);
  };
  return { answer, openView };
}
