import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { JOSEError } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';

export interface Credentials {
  id: string;
  secret: string;
}

interface TokenResponse {
  token: string;
  refresh_token: string;
}

export interface Tokens {
  /** New tokens for the right credentials; `undefined` for others. */
  exchange(credentials: Credentials): Promise<TokenResponse | undefined>;
  /** New tokens for a refresh token that was issued here and never used; `undefined` for others. */
  refresh(refreshToken: string): Promise<TokenResponse | undefined>;
  /** Whether an `Authorization` header carries an access token that is valid now. */
  accepts(authorization: string | undefined): Promise<boolean>;
}

const accessTokenSeconds = 300;

/** The account's tokens: access tokens are JWTs of five minutes, refresh tokens are good for one use. */
export function createTokens(credentials: Credentials, now: () => Date): Tokens {
  // Of the secret and not of the process: an access token outlives a restart of the account, as it would a real one's.
  const key = createHash('sha256').update(`sample account access tokens\n${credentials.secret}`).digest();
  const unused = new Set<string>();
  /** The tokens that were verified, each with its end, in seconds since 1970: every request brings the same one. */
  const verified = new Map<string, number>();

  async function issue(): Promise<TokenResponse> {
    const issuedAt = Math.floor(now().getTime() / 1000);
    const token = await new SignJWT({ account: 'harbour-leisure' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(credentials.id)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + accessTokenSeconds)
      .sign(key);
    const refreshToken = randomBytes(64).toString('hex');
    unused.add(refreshToken);
    return { token, refresh_token: refreshToken };
  }

  return {
    exchange: async ({ id, secret }) => (id === credentials.id && secret === credentials.secret ? issue() : undefined),
    refresh: async (refreshToken) => (unused.delete(refreshToken) ? issue() : undefined),
    async accepts(authorization) {
      const bearer = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
      if (bearer === undefined) return false;
      const end = verified.get(bearer);
      if (end !== undefined) return now().getTime() / 1000 < end;
      try {
        const { payload } = await jwtVerify(bearer, key, {
          algorithms: ['HS256'],
          currentDate: now(),
          subject: credentials.id,
          requiredClaims: ['exp'],
        });
        verified.set(bearer, payload.exp ?? 0);
        return true;
      } catch (error) {
        if (error instanceof JOSEError) return false;
        throw error;
      }
    },
  };
}
