// The service of a measurement, in a process of its own: what it costs is not to be counted as ours.
import { serveAccount, type ServiceSettings } from './server.ts';

process.once('message', (settings: ServiceSettings) => void serve(settings));
process.once('disconnect', () => process.exit(0));

async function serve(settings: ServiceSettings): Promise<void> {
  const { url, asked } = await serveAccount(settings);
  process.on('message', () => process.send?.(asked));
  process.send?.({ url });
}
