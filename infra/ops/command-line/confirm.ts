import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../local/command-line/usage-error.ts';

/** Asks the operator for a yes. Throws a `UsageError` where nobody can be asked and `--yes` is not given. */
export async function confirm(question: string, { yes }: { yes: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new UsageError([`${question} Re-run with --yes to confirm.`], { heading: 'Confirmation needed:' });
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/**
 * Asks before subscribers are mailed from a deployed stack: npm drops `--local` where it does not follow `--`, and nobody could
 * tell that it was typed. Without a terminal nobody is asked: what a script triggers is what it says.
 *
 * @param stack the deployed stack; `null` where mails stay on this machine
 */
export async function confirmMailing(
  report: string,
  { stack }: { stack: string | null },
  { yes }: { yes: boolean },
): Promise<boolean> {
  if (stack === null || !process.stdin.isTTY) return true;
  return await confirm(`This mails the subscribers of "${report}" from ${stack}. Go on?`, { yes });
}
