import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { CredentialsError, type Credentials } from './credentials.ts';
import { urlOf, type Http, type ServiceResponse } from '../requests/http.ts';
import { isObject } from '../json.ts';
import { seal, unseal, type HeldTokens } from './sealed-tokens.ts';
import { createTokenCipher } from './token-cipher.ts';
import { tokenUsableForMs } from './token-lifetime.ts';
import type { TokenStore } from './token-store.ts';
import { UnavailableError } from '../unavailable.ts';

/** An access token. It is fresh where the service issued it for this call, and it came neither from memory nor from the store. */
export interface AccessToken {
  value: string;
  isFresh: boolean;
}

/** Where access tokens come from. */
export interface TokenSource {
  /**
   * The newest token other than `refused`, which the service did not accept. It should be valid; a fresh one that seems to
   * have expired on its way is returned all the same, since only the service knows. Throws `CredentialsError` where the
   * service refuses the credentials.
   */
  access(refused?: string): Promise<AccessToken>;
  /** Whether a token is still the newest that this process knows, and should be valid. */
  isCurrent(token: AccessToken): boolean;
  /** Whether a token is near its end or past it, or no longer the newest. One that does not say when it ends is not. */
  mayHaveEnded(token: AccessToken): boolean;
}

/** The result of a renewal: tokens that the service issued for it, or those that another process had stored. */
interface Renewed {
  tokens: HeldTokens;
  isFresh: boolean;
}

/** How long a process that fetches new tokens has the lease. After that, another one may use the credentials. */
const leaseMs = 60_000;
const pollMs = 150;
/** So long before a token is no longer used, a service that rounds or guesses may think that it has ended. */
const nearEndMs = 3_000;

/**
 * Tokens from memory, then the store, then the refresh token, then the credentials. Refreshing is single-flight: inside a
 * process the callers share one promise, across processes the store's lease lets one refresh while the others wait for its
 * tokens. A refresh token is sent once: after a call that failed, the service may have used it up.
 */
export function createTokenSource(options: {
  settings: Configuration['service'];
  http: Http;
  store: TokenStore;
  readCredentials: () => Promise<Credentials>;
}): TokenSource {
  const { settings, http, store, readCredentials } = options;
  let held: HeldTokens | null = null;
  let credentials: Promise<Credentials> | null = null;
  let renewal: Promise<Renewed> | null = null;

  const currentCredentials = (): Promise<Credentials> => (credentials ??= readCredentials());

  const post = async (endpoint: 'auth' | 'refresh', body: Readonly<Record<string, string>>): Promise<HeldTokens> => {
    const path = endpoint === 'auth' ? '/v1/auth' : '/v1/auth/refresh';
    const url = urlOf(settings.baseUrl, path);
    // A refresh token is good for one use, which a failed call may have been: it is not retried.
    const answer = await http.ask({
      endpoint,
      method: 'POST',
      url,
      body,
      ...(endpoint === 'refresh' ? { attempts: 1 } : {}),
    });
    return readTokens(answer, `[POST] ${path}`);
  };

  const withCredentials = async (): Promise<HeldTokens> => {
    for (let isFirst = true; ; isFirst = false) {
      const { id, secret } = await currentCredentials();
      try {
        return await post('auth', { id, secret });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // The secret may have been rotated since it was read.
        if (isFirst) credentials = readCredentials();
        const again = await currentCredentials();
        if (!isFirst || (again.id === id && again.secret === secret)) throw credentialsRefused(error);
      }
    }
  };

  const fetchTokens = async (stale: HeldTokens | null): Promise<HeldTokens> => {
    if (stale !== null && stale.refresh !== '') {
      try {
        return await post('refresh', { refresh_token: stale.refresh });
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
      }
    }
    return await withCredentials();
  };

  const renew = async (unwanted: readonly string[]): Promise<Renewed> => {
    const owner = randomUUID();
    for (;;) {
      const cipher = createTokenCipher(await currentCredentials(), settings.baseUrl);
      const entry = await store.read();
      const stored = entry.keyId === cipher.keyId && entry.jwe !== null ? await unseal(cipher, entry.jwe) : null;
      if (stored !== null && isUsable(stored) && !unwanted.includes(stored.access))
        return { tokens: stored, isFresh: false };
      if (!(await store.takeLease(owner, entry.version, leaseMs))) {
        await sleep(pollMs * (1 + Math.random()));
        continue;
      }
      try {
        const fresh = await fetchTokens(entry.refreshTokenUsed ? null : stored);
        const sealing = createTokenCipher(await currentCredentials(), settings.baseUrl);
        await store.write(owner, entry.version, { keyId: sealing.keyId, jwe: await seal(sealing, fresh) });
        return { tokens: fresh, isFresh: true };
      } catch (error) {
        await store.releaseLease(owner);
        throw error;
      }
    }
  };

  const access: TokenSource['access'] = async (refused) => {
    if (held !== null && isUsable(held) && held.access !== refused) return { value: held.access, isFresh: false };
    // By the clock of the stored entry, the token that has expired here may still be valid.
    const unwanted = [refused, held?.access].filter((token) => token !== undefined);
    renewal ??= renew(unwanted).finally(() => {
      renewal = null;
    });
    const renewed = await renewal;
    held = renewed.tokens;
    return { value: held.access, isFresh: renewed.isFresh };
  };
  const isGood = (value: string, forMs: number): boolean => held?.access === value && isUsable(held, forMs);
  return { access, isCurrent: ({ value }) => isGood(value, 0), mayHaveEnded: ({ value }) => !isGood(value, nearEndMs) };
}

/** Whether tokens should be valid, and for some time yet. */
function isUsable({ usableUntil }: HeldTokens, forMs = 0): boolean {
  return usableUntil === null || usableUntil > performance.now() + forMs;
}

/** Whether the service refused the credentials or the token. Any other failure says nothing about them. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof UnavailableError ? error.unavailable.status : undefined;
  return status === 400 || status === 401 || status === 403 || status === 422;
}

function credentialsRefused(cause: unknown): CredentialsError {
  return new CredentialsError('credentials-refused', 'The reporting service refused the client id and secret.', cause);
}

/** Node and most servers refuse headers of more than 16 KiB in all, and the size of a stored entry is limited as well. */
const longestToken = 12_000;

/** Whether a header can carry the token (RFC 9110, section 5.5). */
function isSendable(token: string): boolean {
  return token.length <= longestToken && /^[\x21-\x7e]+$/.test(token);
}

function readTokens(answer: ServiceResponse, label: string): HeldTokens {
  const body = answer.body;
  const access = isObject(body) ? body['token'] : undefined;
  const refresh = isObject(body) ? body['refresh_token'] : undefined;
  if (typeof access !== 'string' || access === '') {
    throw new UnavailableError(label, 'expected a "token" in the answer', { reason: 'unreadable' });
  }
  if (!isSendable(access)) {
    const expected = `expected a "token" of at most ${longestToken} visible characters`;
    throw new UnavailableError(label, expected, { reason: 'unreadable' });
  }
  // When they were asked for, by our clock as it is set now.
  const askedAtByClock = Date.now() - (performance.now() - answer.askedAt);
  const usableForMs = tokenUsableForMs(access, askedAtByClock, answer.headers.get('date'));
  return {
    access,
    // One that is too long to store is dropped: the credentials give new tokens, too.
    refresh: typeof refresh === 'string' && refresh.length <= longestToken ? refresh : '',
    usableUntil: usableForMs === null ? null : answer.askedAt + usableForMs,
  };
}
