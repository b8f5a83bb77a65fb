import type { PeriodBounds } from '../../../functions/domain/period.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import type { StoredTokens, TokenStore } from '../../../functions/reporting-service/tokens/token-store.ts';
import { createReportingService, type ReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createConcurrencyLimiter } from '../../../functions/reporting-service/requests/concurrency-limiter.ts';
import { createHttp, type ServiceRequest } from '../../../functions/reporting-service/requests/http.ts';
import { createTokenSource, type TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { fault, info, type Finding } from './finding.ts';
import { mask } from './mask.ts';
import { observe, type Observed } from './observe.ts';

/** The doctor asks for little: there is no need for more requests at once. */
const concurrency = 2;

/** An account of the service that is examined under the settings of a run. */
export interface ExaminedAccount {
  settings: Configuration['service'];
  report: ReportConfiguration;
  tokens: TokenSource;
  observed: Observed;
  /** Counts every request to the account. */
  traffic: Tally;
  /** The bounds of no period: what is collected counts to date, its dates read in the report's zone. */
  bounds: PeriodBounds;
  /** The first answer of an endpoint since the last call, its personal data masked. */
  sample(endpoint: ServiceRequest['endpoint'], ofPeople: boolean): unknown;
  /** A client that counts in `tally` how it read the answers, under these settings or changed ones. */
  connect(tally: Tally, changes?: Partial<Configuration['service']>): ReportingService;
}

/** Opens an account. Its tokens stay in memory, so no ledger is needed and none is touched. */
export function openAccount(
  configuration: Configuration,
  report: ReportConfiguration,
  credentials: Credentials,
): ExaminedAccount {
  const settings = configuration.service;
  const traffic = createTally();
  const limiter = createConcurrencyLimiter(Math.min(concurrency, settings.concurrency));
  const observed = observe(createHttp({ timeoutMs: settings.timeout * 1000, limiter, tally: traffic }));
  const { http } = observed;
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = createTokenSource({ settings, http, store: createMemoryStore(), readCredentials });
  return {
    settings,
    report,
    tokens,
    observed,
    traffic,
    bounds: { start: 0, end: 0, timeZone: report.schedule.timeZone },
    sample: (endpoint, ofPeople) => mask(observed.take(endpoint)?.body, ofPeople),
    connect: (tally, changes = {}) =>
      createReportingService({ settings: { ...settings, ...changes }, http, tokens, tally }),
  };
}

function createMemoryStore(): TokenStore {
  let entry: StoredTokens = { version: 0, keyId: null, jwe: null, refreshTokenUsed: false };
  return {
    read: () => Promise.resolve(entry),
    // Nobody else uses this store, and a refresh token is never marked as spent: whether it works is to be found out.
    takeLease: (_owner, version) => Promise.resolve(version === entry.version),
    write: (_owner, version, { keyId, jwe }) => {
      entry = { version: version + 1, keyId, jwe, refreshTokenUsed: false };
      return Promise.resolve(true);
    },
    releaseLease: () => Promise.resolve(),
  };
}

/** The result of a request, or why it is unavailable. Throws any other error. */
export async function attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | { error: UnavailableError }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof UnavailableError) return { error };
    throw error;
  }
}

/** What the collector recorded as unavailable, in a sentence. */
export function describeUnavailable(what: string, { reason, status }: Unavailable): string {
  return `${what} is unavailable: ${reason}${status === undefined ? '' : ` (${status})`}.`;
}

/**
 * What to say of something of which others of its kind were or were not read. One that is not there (404, 410) says
 * nothing about the rest where that can be read; any other reason is a fault.
 */
export function judgeUnavailable(
  check: string,
  { what, unavailable, othersRead }: { what: string; unavailable: Unavailable; othersRead: boolean },
): Finding {
  const isAlone = othersRead && isMissing(unavailable);
  const found = describeUnavailable(what, unavailable);
  return isAlone ? info(check, found) : fault(check, found);
}

/** Whether something is not there, or no longer: the service answers, and there may be others. */
export function isMissing({ reason }: Unavailable): boolean {
  return reason === 'not-found' || reason === 'gone';
}

/** The ways in which something that the interface does not specify was read. */
export function readingsOf({ coverage }: Tally, what: string): string[] {
  return Object.keys(coverage.readings[what] ?? {});
}

/** The names by which lists said that there is more, as `service.notPaging` takes them. */
export function signsOfMore(tally: Tally): string {
  return readingsOf(tally, 'sign of more')
    .map((sign) => `"${sign}"`)
    .join(', ');
}
