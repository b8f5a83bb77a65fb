// The service of a measurement, in a process of its own: what it costs is not to be counted as ours.
import { serveAccount, type ServiceOrder } from './server.ts';

process.once('message', (order: ServiceOrder) => void serve(order));
process.once('disconnect', () => process.exit(0));

async function serve(order: ServiceOrder): Promise<void> {
  const { url, asked } = await serveAccount(order);
  process.on('message', () => process.send?.(asked));
  process.send?.({ url });
}
