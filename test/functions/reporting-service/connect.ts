import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import {
  createMemoryStore,
  createTokenSource,
  type TokenStore,
} from '../../../functions/reporting-service/tokens/tokens.ts';
import { configured } from '../run/configured.ts';

export const credentials: Credentials = { id: 'a-client', secret: 'canary-secret' };

/** A worker's client and its parts. */
export type Connection = ReturnType<typeof connectTo>;

/** Where a worker's client differs from what is usual in tests. */
export interface ConnectOptions {
  settings?: Partial<Configuration['service']>;
  timeoutMs?: number;
  /** In milliseconds from now. */
  remainingMs?: number;
  store?: TokenStore;
  readCredentials?: () => Promise<Credentials>;
  spent?: Set<string>;
  onWait?: Parameters<typeof createHttp>[0]['onWait'];
}

/** The client as a worker makes it, for a service at this address that accepts its credentials. */
export function connectTo(baseUrl: string, options: ConnectOptions = {}) {
  const settings = { ...configured().service, baseUrl, ...options.settings };
  const tally = createTally();
  const http = createHttp({
    timeoutMs: options.timeoutMs ?? 5_000,
    concurrency: settings.concurrency,
    tally,
    deadline: performance.now() + (options.remainingMs ?? Infinity),
    ...(options.onWait && { onWait: options.onWait }),
  });
  const tokens = createTokenSource({
    settings,
    http,
    store: options.store ?? createMemoryStore(),
    readCredentials: options.readCredentials ?? (() => Promise.resolve(credentials)),
    spent: options.spent ?? new Set(),
  });
  return { service: createReportingService({ settings, http, tokens, tally }), tally, http, tokens };
}

/** All rows of a list, and whether it may be cut off. */
export async function readAll(pages: AsyncIterable<ListPage>): Promise<ListPage> {
  const all = await Array.fromAsync(pages);
  return { rows: all.flatMap(({ rows }) => rows), mayBeCutOff: all.some(({ mayBeCutOff }) => mayBeCutOff) };
}

/** The error that a promise ends with, which is of this class. */
export async function errorFrom<E extends Error>(
  promise: Promise<unknown>,
  expected: abstract new (...given: never[]) => E,
): Promise<E> {
  const [outcome] = await Promise.allSettled([promise]);
  const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
  if (error instanceof expected) return error;
  throw new Error(`Expected ${expected.name}.`, { cause: error });
}

export const unavailableFrom = (promise: Promise<unknown>): Promise<UnavailableError> =>
  errorFrom(promise, UnavailableError);
