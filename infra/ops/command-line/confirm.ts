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
