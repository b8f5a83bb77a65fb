import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { functionSettings } from '../../../infra/function-settings.ts';
import { observerOf } from '../../functions/run/observe/observing.ts';
import { createMemoryTable } from '../accounts/memory-table.ts';
import type { Service } from '../service/service.ts';
import { observedMs } from './faulty-account.ts';

/**
 * The most resident memory, in MiB, that an observation takes whose workers are in a process of its own with the deployed settings, as
 * Lambda runs them: beside others neither its memory nor its bound on young objects is its own. Throws where not all could be read.
 */
export async function peakOfWorker({ url, credentials }: Pick<Service, 'url' | 'credentials'>): Promise<number> {
  const env = { ...process.env, ...functionSettings.collect.environment };
  const args = [import.meta.filename, url, JSON.stringify(credentials)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return Number(stdout) / 1024;
}

if (import.meta.main) {
  const [, , url = '', credentials = ''] = process.argv;
  const { observe, closingOf } = observerOf({ url, credentials: JSON.parse(credentials) }, createMemoryTable());
  const closing = await closingOf(await observe({ clock: new Date(observedMs).toISOString() }));
  if (closing.deliveries.some(({ mayBeReadLater }) => mayBeReadLater)) throw new Error('Not all could be read.');
  console.log(process.resourceUsage().maxRSS);
}
