import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { StoredTokens, TokenStore } from '../../../functions/reporting-service/tokens/token-store.ts';
import { createReportingService, type ReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createConcurrencyLimiter } from '../../../functions/reporting-service/requests/concurrency-limiter.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import { createTokenSource, type TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { observe, type Observed } from './observe.ts';

/** Few at once: this is a visit. */
const concurrency = 2;

/** An account of the service as the doctor visits it, with the settings that a run would have. */
export interface Account {
  settings: Configuration['service'];
  report: ReportConfiguration;
  service: ReportingService;
  tokens: TokenSource;
  observed: Observed;
  tally: Tally;
  /** The same account under other settings. */
  under(settings: Partial<Configuration['service']>): ReportingService;
}

/** Opens an account. Its tokens stay in memory: the ledger's are not touched, and no ledger is needed. */
export function openAccount(
  configuration: Configuration,
  report: ReportConfiguration,
  credentials: Credentials,
): Account {
  const settings = configuration.service;
  const tally = createTally();
  const limiter = createConcurrencyLimiter(Math.min(concurrency, settings.concurrency));
  const observed = observe(createHttp({ timeoutMs: settings.timeout * 1000, limiter, tally }));
  const { http } = observed;
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = createTokenSource({ settings, http, store: memoryStore(), readCredentials });
  const under = (changes: Partial<Configuration['service']>): ReportingService =>
    createReportingService({ settings: { ...settings, ...changes }, http, tokens, tally });
  return { settings, report, service: under({}), tokens, observed, tally, under };
}

function memoryStore(): TokenStore {
  let entry: StoredTokens = { version: 0, keyId: null, jwe: null, refreshTokenUsed: false };
  return {
    read: () => Promise.resolve(entry),
    takeLease: (_owner, version) => {
      if (version !== entry.version) return Promise.resolve(false);
      // The doctor is alone: whether a refresh token works is what it wants to know.
      return Promise.resolve(true);
    },
    write: (_owner, version, { keyId, jwe }) => {
      entry = { version: version + 1, keyId, jwe, refreshTokenUsed: false };
      return Promise.resolve(true);
    },
    releaseLease: () => Promise.resolve(),
  };
}

/** The result of asking, or why there was none. Throws what is no answer of the service's. */
export async function attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | { error: UnavailableError }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof UnavailableError) return { error };
    throw error;
  }
}
