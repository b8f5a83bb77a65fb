import { createTokenStore } from '../../../functions/ledger/token-store.ts';
import type { Digest } from '../../../functions/digest/schema.ts';
import { closings, readCurrent } from '../../../functions/ledger/observations.ts';
import type { Coverage } from '../../../functions/reporting-service/coverage.ts';
import { connectTo } from '../../functions/reporting-service/connect.ts';
import { playOf } from '../accounts/play.ts';
import { startService, type RequestLog } from '../service/service.ts';
import { documented, type Deviation } from './deviation.ts';
import { accountWith, behaviourOf, observedMs } from './faulty-account.ts';

const credentials = { id: 'client-of-the-matrix', secret: 'canary-secret-1c0ffee1' };
export const canaries = { secret: credentials.secret, errorBody: 'canary-error-body' };
export const concurrency = 8;
/** More than the busiest machine takes for an answer that comes at all. */
const timeoutMs = 4_000;

const readCredentials = () => Promise.resolve(credentials);

/** A digest of the account as the service gave it, or why there is none, and everything that was asked. */
export interface FaultRunOutcome {
  digest: Digest | null;
  failure: string | null;
  /** The digest of the same account, of a service as it is documented. */
  healthy: Digest;
  log: RequestLog;
  /** Of an observation that was closed. */
  coverage: Coverage | null;
  /** What the ledger has of tokens. */
  tokens: string;
}

/** A service with faults over HTTP. Each run is the first one of a ledger of its own. */
export async function startFaultRuns() {
  const service = await startService({ answers: {} }, { credentials });
  const known = new Map<number, Digest>();

  const runOnce = async (deviation: Deviation, seed: number): Promise<Omit<FaultRunOutcome, 'healthy'>> => {
    const account = accountWith(deviation.times);
    service.behave(behaviourOf(account, deviation, seed));
    const [spent, dead] = [new Set<string>(), new Set<string>()];
    const { run, table } = playOf(account, {
      service: { baseUrl: service.url, concurrency },
      connect: (ledger) => (settings) =>
        connectTo(service.url, { settings, timeoutMs, readCredentials, spent, store: createTokenStore(ledger) }),
      observing: {
        isSlow: deviation.workers === 'slow',
        // Each part of the work costs one worker its life.
        dies: ({ phase }) => deviation.workers === 'die' && dead.size < dead.add(phase).size,
      },
    });
    const outcome = await run(observedMs);
    const closed = (await readCurrent(table(), 'account'))?.closed;
    const closing = closed && (await closings.read(table(), { account: 'account', observation: closed.id }));
    return {
      digest: 'digest' in outcome ? outcome.digest : null,
      failure: 'failure' in outcome ? outcome.failure : null,
      log: service.log(),
      coverage: closing?.coverage ?? null,
      tokens: JSON.stringify(await table().get({ pk: 'TOKENS', sk: 'service' })),
    };
  };
  return {
    run: async (deviation: Deviation, seed = 1): Promise<FaultRunOutcome> => {
      const { times } = deviation;
      const healthy = known.get(times) ?? (await runOnce({ ...documented, times }, 1)).digest;
      if (healthy === null) throw new Error('There is no digest of a healthy service.');
      known.set(times, healthy);
      return { healthy, ...(await runOnce(deviation, seed)) };
    },
    close: () => service.close(),
  };
}
