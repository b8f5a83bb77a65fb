import { randomBytes, randomUUID } from 'node:crypto';

/** What becomes of tokens: as documented, or otherwise. `revoked` is what whoever calls `revokeAll` makes of them. */
export const tokenKinds = ['plain', 'two seconds', 'revoked', 'refresh refused'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const secondsOfLife = 300;

/** Issues tokens of a kind for one client. */
export function createAuthority(
  credentials: { id: string; secret: string },
  { tokens: kind = 'plain' }: { tokens?: TokenKind },
) {
  const issued: string[] = [];
  const access = new Map<string, { until: number; family: string }>();
  const refresh = new Map<string, { family: string; used: boolean }>();
  let reused = 0;
  const lifeMs = (kind === 'two seconds' || kind === 'refresh refused' ? 2 : secondsOfLife) * 1000;

  const issue = (family: string): Record<string, string> => {
    const token = writeToken(lifeMs);
    const refreshToken = randomBytes(64).toString('hex');
    access.set(token, { until: Date.now() + lifeMs, family });
    refresh.set(refreshToken, { family, used: false });
    issued.push(token, refreshToken);
    return { token, refresh_token: refreshToken };
  };
  const revokeFamily = (family: string): void => {
    for (const [token, entry] of access) if (entry.family === family) access.delete(token);
    for (const entry of refresh.values()) if (entry.family === family) entry.used = true;
  };

  return {
    /** Every token that was given out. */
    issued,
    /** How often a refresh token came that had been used before: its whole family was revoked then. */
    get reused() {
      return reused;
    },
    /** New tokens for the right credentials; `null` for others. */
    exchange: (body: unknown) => {
      const { id, secret } = Object(body) as Record<string, unknown>;
      return id === credentials.id && secret === credentials.secret ? issue(randomUUID()) : null;
    },
    /** New tokens for a refresh token; `null` where it is refused. */
    refresh: (body: unknown) => {
      const entry = refresh.get(String((Object(body) as Record<string, unknown>)['refresh_token']));
      if (entry === undefined) return null;
      if (entry.used) {
        reused += 1;
        revokeFamily(entry.family);
        return null;
      }
      entry.used = true;
      return kind === 'refresh refused' ? null : issue(entry.family);
    },
    accepts: (authorization: string | undefined) => {
      const entry = access.get(authorization?.replace(/^Bearer /, '') ?? '');
      return entry !== undefined && entry.until > Date.now();
    },
    /** All access tokens so far are worth nothing from now on. */
    revokeAll: () => access.clear(),
  };
}

function writeToken(lifeMs: number): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iat, exp: iat + lifeMs / 1000, jti: randomUUID() };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(16).toString('base64url')}`;
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
