import { hkdfSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { compactDecrypt, CompactEncrypt, decodeJwt } from 'jose';
import * as v from 'valibot';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { CodedError } from '../../domain/failures.ts';
import { fieldsOf } from '../../json-object.ts';
import { type Ask, type ServiceResponse, UnavailableError } from '../requests/request.ts';
import { type Credentials, wayToStore } from './credentials.ts';

/** Where several processes share the tokens of one account. */
export interface TokenStore {
  /** The tokens as they were sealed, `null` where there are none, and a version that each write raises. */
  read(): Promise<{ version: number; jwe: string | null }>;
  /** Replaces what is stored, where that is still of the `version` that was read. Returns whether it did. */
  write(version: number, jwe: string): Promise<boolean>;
}

/** A store for a process that shares its tokens with no other one. */
export function createMemoryStore(): TokenStore {
  let entry: { version: number; jwe: string | null } = { version: 0, jwe: null };
  return {
    read: () => Promise.resolve(entry),
    write: (version, jwe) => {
      entry = { version: version + 1, jwe };
      return Promise.resolve(true);
    },
  };
}

/** In this time, and at most twice this time, another process stores what it got for the refresh token that it used up. */
const pauseMs = 150;

/** The statuses with which a service refuses credentials. Any other failure says nothing about them. */
const refusals = new Set([400, 401, 403, 422]);

/** Where access tokens come from. */
export type TokenSource = ReturnType<typeof createTokenSource>;

/**
 * Tokens from memory, then the store, then the refresh token, then the credentials. Inside a process the callers share one
 * renewal. Across processes the first to store its tokens wins, and the others take them. Two that send the same refresh token
 * cost a sign-in more: a process sends each once, since after a call that failed the service may have used it up. `spent` are the
 * refresh tokens that this process has sent, over all its sources.
 */
export function createTokenSource(options: {
  settings: Pick<Configuration['service'], 'baseUrl'>;
  http: Ask;
  store: TokenStore;
  readCredentials: () => Promise<Credentials>;
  spent: Set<string>;
}) {
  const { settings, http, store, readCredentials, spent } = options;
  let held: Tokens | null = null;
  let credentials: Promise<Credentials> | null = null;
  let renewal: Promise<string> | null = null;

  const currentCredentials = (): Promise<Credentials> => (credentials ??= readCredentials());
  const cipher = async () => createTokenCipher(await currentCredentials(), settings.baseUrl);

  const post = async (endpoint: 'auth' | 'refresh', body: Readonly<Record<string, string>>): Promise<Tokens> => {
    const path = endpoint === 'auth' ? '/v1/auth' : '/v1/auth/refresh';
    const url = new URL(settings.baseUrl + path);
    // A refresh token is good for one use, which a failed call may have been: it is not retried.
    const attempts = endpoint === 'refresh' ? { attempts: 1 } : {};
    return readTokens(await http({ endpoint, method: 'POST', url, body, ...attempts }), `[POST] ${path}`);
  };

  const signIn = async (): Promise<Tokens> => {
    for (let isFirst = true; ; isFirst = false) {
      const { id, secret } = await currentCredentials();
      try {
        return await post('auth', { id, secret });
      } catch (error) {
        if (!(error instanceof UnavailableError && refusals.has(error.unavailable.status ?? 0))) throw error;
        // The secret may have been rotated since it was read.
        if (isFirst) credentials = readCredentials();
        const again = await currentCredentials();
        if (isFirst && (again.id !== id || again.secret !== secret)) continue;
        const message = `The reporting service refused the client id and secret. ${wayToStore}`;
        throw new CodedError('credentials-refused', message, error);
      }
    }
  };

  /** New tokens for the refresh token, or for the credentials where it may not be sent; `null` where it brought none. */
  const fetchTokens = async (refresh: string): Promise<Tokens | null> => {
    if (refresh === '' || spent.has(refresh)) return await signIn();
    spent.add(refresh);
    return await post('refresh', { refresh_token: refresh }).catch((error: unknown) => {
      if (error instanceof UnavailableError) return null;
      throw error;
    });
  };

  const renew = async (refused: string | undefined): Promise<string> => {
    // This ends: from the third time on, another process has stored its own tokens meanwhile.
    for (;;) {
      const { version, jwe } = await store.read();
      const stored = jwe === null ? null : await (await cipher()).unseal(jwe);
      if (stored !== null && isUsable(stored) && stored.access !== refused) {
        held = stored;
        return stored.access;
      }
      const tokens = await fetchTokens(stored?.refresh ?? '');
      if (tokens === null) {
        await sleep(pauseMs * (1 + Math.random()));
        continue;
      }
      // The credentials may be others now than those that opened what is stored.
      const sealed = await (await cipher()).seal(tokens);
      if (await store.write(version, sealed)) {
        held = tokens;
        return tokens.access;
      }
    }
  };

  return {
    /**
     * The newest access token other than `refused`, which the service did not accept. It should be valid; a new one that seems
     * to have expired on its way is returned all the same, since only the service knows. Throws `CodedError` where the
     * service refuses the credentials.
     */
    access: async (refused?: string): Promise<string> => {
      if (held !== null && isUsable(held) && held.access !== refused) return held.access;
      renewal ??= renew(refused).finally(() => (renewal = null));
      return await renewal;
    },
    /** Whether an access token is still the newest that this process knows, and should be valid for so many milliseconds. */
    isCurrent: (token: string, forMs: number): boolean => held?.access === token && isUsable(held, forMs),
  };
}

/** Whether tokens should be valid, and for some time yet. */
function isUsable({ usableUntil }: Tokens, forMs = 0): boolean {
  return usableUntil === null || usableUntil > Date.now() + forMs;
}

function readTokens(answer: ServiceResponse, label: string): Tokens {
  const { token: access, refresh_token: refresh } = fieldsOf(answer.body);
  if (typeof access !== 'string' || access === '')
    throw new UnavailableError(label, 'expected a "token" in the answer');
  const usableForMs = tokenUsableForMs(access, answer.askedAt, answer.headers.get('date'));
  const usableUntil = usableForMs === null ? null : answer.askedAt + usableForMs;
  return { access, refresh: typeof refresh === 'string' ? refresh : '', usableUntil };
}

/** The longest time before its end that a token is no longer used. */
const longestBufferMs = 30_000;
/** `iat`, `exp` and `Date` are whole seconds: a token issued late in one ends nearly a second earlier than they say. */
const roundingMs = 1_000;
/** A service's clock is believed up to this far from ours. */
const believedSkewMs = 24 * 3_600_000;

/**
 * How long a token is used, in milliseconds from the moment of the request for it, since it may have been issued at any
 * time from then on; `null` where the token does not say: then it is used until it is refused. It ends at the earlier of two
 * ends: `exp` by the clock of the answer's `Date` header, else from `askedAt`, the moment of the request by our clock (epoch
 * milliseconds), unless it has passed by that clock; and `exp - iat` after the request, since `iat` is documented nowhere and
 * was seen backdated. A buffer is taken off: a tenth of the lifetime, at most 30 seconds and at least the second to which
 * these times are rounded, but never more than half the lifetime.
 */
export function tokenUsableForMs(token: string, askedAt: number, dateHeader: string | null): number | null {
  const { exp, iat } = claimsOf(token);
  if (exp === undefined) return null;
  const date = Date.parse(dateHeader ?? '');
  const byClock = exp * 1000 - (Math.abs(date - askedAt) <= believedSkewMs ? date : askedAt);
  const sinceIssued = iat === undefined ? 0 : (exp - iat) * 1000;
  const lifetimeMs = Math.min(...[byClock, sinceIssued].filter((lifetime) => lifetime > 0));
  const bufferMs = Math.min(Math.max(Math.min(longestBufferMs, lifetimeMs / 10), roundingMs), lifetimeMs / 2);
  return lifetimeMs === Infinity ? null : lifetimeMs - bufferMs;
}

/** When a token ends and when it was issued, as it says itself; nothing where it is no JWT. */
function claimsOf(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return { ...(typeof exp === 'number' ? { exp } : {}), ...(typeof iat === 'number' ? { iat } : {}) };
  } catch {
    // An access token that is no JWT works as well; it only does not say for how long.
    return {};
  }
}

const tokensSchema = v.object({
  access: v.string(),
  refresh: v.string(),
  /** In epoch milliseconds; `null`: until refused. */
  usableUntil: v.nullable(v.number()),
});
export type Tokens = v.InferOutput<typeof tokensSchema>;

/**
 * A cipher under a key that is derived from the client secret (HKDF-SHA-256, RFC 5869), for one client of one account:
 * read access to the store does not reveal the tokens, and another secret, client or address makes the old entry void.
 */
export function createTokenCipher(credentials: Credentials, baseUrl: string) {
  const salt = JSON.stringify([baseUrl, credentials.id]);
  const key = Buffer.from(hkdfSync('sha256', credentials.secret, salt, 'broadcast-digest token encryption', 32));
  return {
    seal: (tokens: Tokens): Promise<string> =>
      new CompactEncrypt(Buffer.from(JSON.stringify(tokens)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    /** The tokens that were sealed; `null` where they cannot be read. */
    unseal: async (jwe: string): Promise<Tokens | null> => {
      try {
        const { plaintext } = await compactDecrypt(jwe, key);
        return v.parse(tokensSchema, JSON.parse(Buffer.from(plaintext).toString('utf8')));
      } catch {
        // It is damaged, or of another secret. The credentials give new tokens.
        return null;
      }
    },
  };
}
