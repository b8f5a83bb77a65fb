import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from '../configuration.ts';
import type { TokenShelf } from '../ledger/tokens.ts';
import { addressOf } from './address.ts';
import { CredentialsError, type Credentials } from './credentials.ts';
import type { Answer, Http } from './http.ts';
import { isObject } from './json.ts';
import { createTokenCipher, type TokenCipher } from './token-cipher.ts';
import { tokenUsableUntil } from './token-lifetime.ts';
import { UnavailableError } from './unavailable.ts';

/** Where access tokens come from. Both throw `CredentialsError` where the service refuses the credentials. */
export interface TokenSource {
  /** A token that is believed to be valid. */
  access(): Promise<string>;
  /** A token other than `refused`, which the service did not accept. */
  replace(refused: string): Promise<string>;
}

/** The tokens as they rest in the ledger, inside the encryption. */
interface Tokens {
  access: string;
  refresh: string;
  /** Epoch milliseconds; `null`: until refused. */
  usableUntil: number | null;
}

/** A process that fetches new tokens holds the lease at most this long; longer than both calls may take. */
const leaseMs = 60_000;
const pollMs = 150;

/**
 * Tokens from memory, then the ledger, then the refresh token, then the credentials. Refreshing is single-flight: inside a
 * process the callers share one promise, across processes the lease in the ledger lets one go and the others wait for
 * its tokens. A refresh token is used once, whatever becomes of the call: one that may have been used is never sent again.
 */
export function createTokenSource(options: {
  settings: Configuration['service'];
  http: Http;
  shelf: TokenShelf;
  readCredentials: () => Promise<Credentials>;
}): TokenSource {
  const { settings, http, shelf, readCredentials } = options;
  let held: Tokens | null = null;
  let credentials: Promise<Credentials> | null = null;
  let renewal: Promise<Tokens> | null = null;

  const currentCredentials = (): Promise<Credentials> => (credentials ??= readCredentials());

  const post = async (endpoint: 'auth' | 'refresh', body: Readonly<Record<string, string>>): Promise<Tokens> => {
    const path = endpoint === 'auth' ? '/v1/auth' : '/v1/auth/refresh';
    const url = addressOf(settings.baseUrl, path);
    // A refresh token is good for one use: a call that failed may have used it, so it is not repeated.
    const answer = await http.ask({
      endpoint,
      method: 'POST',
      url,
      body,
      ...(endpoint === 'refresh' ? { attempts: 1 } : {}),
    });
    return readTokens(answer, `[POST] ${path}`);
  };

  const withCredentials = async (): Promise<Tokens> => {
    const first = await currentCredentials();
    try {
      return await post('auth', { id: first.id, secret: first.secret });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The secret may have been rotated since it was read.
      credentials = readCredentials();
      const second = await credentials;
      if (second.id === first.id && second.secret === first.secret) throw credentialsRefused(error);
      try {
        return await post('auth', { id: second.id, secret: second.secret });
      } catch (again) {
        throw isRefusal(again) ? credentialsRefused(again) : again;
      }
    }
  };

  const fetchTokens = async (stale: Tokens | null): Promise<Tokens> => {
    if (stale !== null && stale.refresh !== '') {
      try {
        return await post('refresh', { refresh_token: stale.refresh });
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
      }
    }
    return await withCredentials();
  };

  const renew = async (refused: string | null): Promise<Tokens> => {
    const owner = randomUUID();
    for (;;) {
      const cipher = createTokenCipher(await currentCredentials(), settings.baseUrl);
      const entry = await shelf.read();
      const stored = entry.keyId === cipher.keyId && entry.jwe !== null ? await open(cipher, entry.jwe) : null;
      if (stored !== null && isUsable(stored, refused)) return stored;
      if (!(await shelf.takeLease(owner, entry.version, leaseMs))) {
        await sleep(pollMs * (1 + Math.random()));
        continue;
      }
      try {
        const fresh = await fetchTokens(entry.refreshSpent ? null : stored);
        const sealing = createTokenCipher(await currentCredentials(), settings.baseUrl);
        await shelf.write(owner, entry.version, {
          keyId: sealing.keyId,
          jwe: await sealing.encrypt(JSON.stringify(fresh)),
        });
        return fresh;
      } catch (error) {
        await shelf.releaseLease(owner);
        throw error;
      }
    }
  };

  const obtain = async (refused: string | null): Promise<string> => {
    if (held !== null && isUsable(held, refused)) return held.access;
    renewal ??= renew(refused).finally(() => {
      renewal = null;
    });
    held = await renewal;
    return held.access;
  };

  return { access: () => obtain(null), replace: (refused) => obtain(refused) };
}

function isUsable(tokens: Tokens, refused: string | null): boolean {
  return tokens.access !== refused && (tokens.usableUntil === null || tokens.usableUntil > Date.now());
}

/** A refusal says that these credentials or this token are wrong; any other failure says nothing about them. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof UnavailableError ? error.unavailable.status : undefined;
  return status === 400 || status === 401 || status === 403 || status === 422;
}

function credentialsRefused(cause: unknown): CredentialsError {
  return new CredentialsError('credentials-refused', 'The reporting service refused the client id and secret.', cause);
}

function readTokens(answer: Answer, label: string): Tokens {
  const body = answer.body;
  const access = isObject(body) ? body['token'] : undefined;
  const refresh = isObject(body) ? body['refresh_token'] : undefined;
  if (typeof access !== 'string' || access === '') {
    throw new UnavailableError(label, 'expected a "token" in the answer', { reason: 'unreadable' });
  }
  return {
    access,
    refresh: typeof refresh === 'string' ? refresh : '',
    usableUntil: tokenUsableUntil(access, answer.receivedAt, answer.headers.get('date')),
  };
}

async function open(cipher: TokenCipher, jwe: string): Promise<Tokens | null> {
  try {
    const value: unknown = JSON.parse(await cipher.decrypt(jwe));
    if (!isObject(value) || typeof value['access'] !== 'string' || typeof value['refresh'] !== 'string') return null;
    const until = value['usableUntil'];
    return {
      access: value['access'],
      refresh: value['refresh'],
      usableUntil: typeof until === 'number' ? until : null,
    };
  } catch {
    // An entry that does not open under its own key was damaged: it is worth nothing, the credentials are.
    return null;
  }
}
