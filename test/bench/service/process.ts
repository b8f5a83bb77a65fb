// The service of a measurement, in a process of its own: what it costs is not to be counted as ours.
import { startService, type RequestLog } from '../../support/service/service.ts';
import { createAccount } from './account.ts';
import type { Asked, ServiceSettings } from './launch.ts';

process.once('message', (settings: ServiceSettings) => void serve(settings));
process.once('disconnect', () => process.exit(0));

async function serve({ latencyMs, ...size }: ServiceSettings): Promise<void> {
  const { answers, needed } = createAccount(size);
  const service = await startService({ answers, latencyMs });
  process.on('message', () => process.send?.(countOf(service.log(), needed)));
  process.send?.({ url: service.url, credentials: service.credentials });
}

function countOf({ attempts, strange }: RequestLog, needed: number): Asked {
  const forTokens = attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh');
  const answered = attempts.filter(({ outcome }) => outcome === 'answered');
  const waitedMs = attempts.reduce((sum, { begunAt, at }) => sum + at - begunAt, 0);
  return {
    requests: attempts.length - forTokens.length + strange.length,
    tokens: forTokens.length,
    refused: attempts.length - answered.length + strange.length,
    needed,
    meanLatencyMs: attempts.length === 0 ? 0 : waitedMs / attempts.length,
  };
}
