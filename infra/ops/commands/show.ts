import type { CommandResult } from '../command-line/answer.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { findRun } from '../find.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

/** What is shown of a run. */
export interface ShowOptions {
  answer: CommandResult;
  /** Opens its mail in the browser, which needs no ledger; `null` where there is none to show. */
  openView: (() => Promise<Loopback>) | null;
}

/** One run: its receipt, gaps, figures and errors, and what operators did; the mail in the browser where `view` is wanted. */
export async function showCommand(
  target: LedgerTarget,
  name: string,
  options: { messages: boolean; view: boolean },
): Promise<ShowOptions> {
  const { configuration } = target;
  const record = await readRunRecord(target, await findRun(target, name));
  const answer = { ...presentRun(record, options), code: 0 };
  const { digest } = record;
  if (!options.view || digest === null) return { answer, openView: null };
  const openView = async (): Promise<Loopback> => {
    const { openMailView } = await import('../mail-view.ts');
    return await openMailView(configuration, digest);
  };
  return { answer, openView };
}
