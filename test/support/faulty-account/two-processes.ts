import { documented } from './deviation.ts';
import type { Stage } from './collect-alone.ts';

/** What two processes with one ledger asked, and how often a token failed them. */
export interface TwoProcesses {
  requests: number;
  /** Requests whose token was refused, and those that failed for it a second time. */
  refusedOnce: number;
  failures: string[];
  renewals: number;
  refreshTokensUsedTwice: number;
}

/** Two processes ask for so many seconds, with tokens of two seconds that both get from one ledger. */
export async function runTwoProcesses(stage: Stage, seconds: number): Promise<TwoProcesses> {
  const { account } = stage;
  account.depart({ ...documented, tokens: 'two seconds', latencyMs: 20 });
  await stage.table.putMany([{ pk: 'TOKENS', sk: 'service' }]);
  const input = { baseUrl: account.url, seconds, broadcasts: [account.victims.broadcast] };
  const reports = await Promise.all([1, 2].map(() => stage.program('token-child.ts', input)));
  const { attempts, authority } = account.log();
  return {
    requests: attempts.length,
    refusedOnce: attempts.filter(({ outcome }) => outcome === '401').length,
    failures: (reports as Array<{ failures: string[] }>).flatMap(({ failures }) => failures),
    renewals: attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh').length,
    refreshTokensUsedTwice: authority.reused,
  };
}
