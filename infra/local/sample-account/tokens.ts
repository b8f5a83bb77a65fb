import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

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
  exchange(credentials: Credentials): TokenResponse | undefined;
  /** New tokens for a refresh token that was issued here and never used; `undefined` for others. */
  refresh(refreshToken: string): TokenResponse | undefined;
  /** Whether an `Authorization` header carries an access token that is valid now. */
  accepts(authorization: string | undefined): boolean;
}

const accessTokenSeconds = 300;

/** The account's tokens: access tokens are JWTs of five minutes, refresh tokens are good for one use. */
export function createTokens(credentials: Credentials, now: () => Date): Tokens {
  // Of the secret and not of the process: an access token outlives a restart of the account, as it would a real one's.
  const key = createHash('sha256').update(`sample account access tokens\n${credentials.secret}`).digest();
  const unused = new Set<string>();

  const sign = (claims: string): string => {
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };
  const issue = (): TokenResponse => {
    const iat = Math.floor(now().getTime() / 1000);
    const claims = { account: 'harbour-leisure', sub: credentials.id, jti: randomUUID(), iat };
    const refreshToken = randomBytes(64).toString('hex');
    unused.add(refreshToken);
    return { token: sign(encode({ ...claims, exp: iat + accessTokenSeconds })), refresh_token: refreshToken };
  };
  return {
    exchange: ({ id, secret }) => (id === credentials.id && secret === credentials.secret ? issue() : undefined),
    refresh: (refreshToken) => (unused.delete(refreshToken) ? issue() : undefined),
    accepts(authorization) {
      const bearer = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
      const claims = bearer?.split('.')[1];
      if (claims === undefined || bearer !== sign(claims)) return false;
      const { exp }: { exp: number } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      return now().getTime() / 1000 < exp;
    },
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
