import { randomBytes, randomUUID } from 'node:crypto';
import { UnsecuredJWT } from 'jose';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';

/** What becomes of tokens: as documented, or otherwise. `revoked` is what whoever calls `revokeAll` makes of them. */
export const tokenKinds = ['plain', 'two seconds', 'revoked', 'refresh refused'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const secondsOfLife = 300;

/** Issues tokens of a kind for one client. */
export function createAuthority(credentials: Credentials, { tokens: kind = 'plain' }: { tokens?: TokenKind }) {
  const issued: string[] = [];
  /** Until when access tokens are good, and whether refresh tokens were used. */
  const [access, refresh] = [new Map<string, number>(), new Map<string, { used: boolean }>()];
  let reused = 0;
  const lifeMs = (kind === 'two seconds' || kind === 'refresh refused' ? 2 : secondsOfLife) * 1000;

  const issue = (): Record<string, string> => {
    const iat = Math.floor(Date.now() / 1000);
    const token = new UnsecuredJWT({ iat, exp: iat + lifeMs / 1000, jti: randomUUID() }).encode();
    const refreshToken = randomBytes(64).toString('hex');
    access.set(token, Date.now() + lifeMs);
    refresh.set(refreshToken, { used: false });
    issued.push(token, refreshToken);
    return { token, refresh_token: refreshToken };
  };

  return {
    /** Every token that was given out. */
    issued,
    /** How often a refresh token came that had been used before. */
    get reused() {
      return reused;
    },
    /** New tokens for the right credentials; `null` for others. */
    exchange: (body: unknown) => {
      const { id, secret } = Object(body) as Record<string, unknown>;
      return id === credentials.id && secret === credentials.secret ? issue() : null;
    },
    /** New tokens for a refresh token; `null` where it is refused. */
    refresh: (body: unknown) => {
      const entry = refresh.get(String((Object(body) as Record<string, unknown>)['refresh_token']));
      if (entry?.used === true) reused += 1;
      if (entry === undefined || entry.used) return null;
      entry.used = true;
      return kind === 'refresh refused' ? null : issue();
    },
    accepts: (authorization: string | undefined) =>
      (access.get(authorization?.replace(/^Bearer /, '') ?? '') ?? 0) > Date.now(),
    /** All access tokens so far are worth nothing from now on. */
    revokeAll: () => access.clear(),
  };
}
