import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { startLocalPages } from '../pages/local-pages.ts';
import { startOutboxView } from '../viewer/outbox-view.ts';

/**
 * Shows an outbox in the browser until Ctrl-C, and serves the pages that its mails link to. The state folder is in use only
 * while a page is read. Without one, as with an AWS emulator, the links lead nowhere.
 */
export async function viewOutbox(
  outDir: string,
  { stateDir, configuration }: { stateDir: string | null; configuration: Configuration },
): Promise<void> {
  await using open = new AsyncDisposableStack();
  const hasPages = stateDir !== null && configuration.mail.page;
  const pages = hasPages ? await startLocalPages(stateDir, configuration) : null;
  open.defer(() => pages?.close());
  const view = await startOutboxView({ outDir, present: pages?.leadHere });
  open.defer(() => view.close());
  process.stdout.write(`See the mails at ${view.url} (Ctrl-C ends)\n`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
}
