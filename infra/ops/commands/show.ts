import type { Answer } from '../answer.ts';
import type { LedgerDesk } from '../desk.ts';
import { findRun } from '../find.ts';
import type { MailView } from '../mail-view.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

/** One run: its receipt, gaps, figures and errors, and what operators did; the mail in the browser where `view` is wanted. */
export async function showCommand(
  desk: LedgerDesk,
  name: string,
  options: { messages: boolean; view: boolean },
): Promise<{ answer: Answer; view: MailView | null }> {
  const record = await readRunRecord(desk, await findRun(desk, name));
  const answer = presentRun(record, options);
  if (!options.view || record.digest === null) return { answer: { ...answer, code: 0 }, view: null };
  const { openMailView } = await import('../mail-view.ts');
  return { answer: { ...answer, code: 0 }, view: await openMailView(desk.configuration, record.digest) };
}
